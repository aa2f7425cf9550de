// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/words.hpp"

#include "core/predict/evaluate.hpp"
#include "core/scenario/slider_scale.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <fmt/format.h>

namespace headroom
{

std::string inSentence(std::string_view label)
{
    std::string text = said(label);
    if (!speaksEnglish()) // German nouns keep their capital
        return text;
    // A further capital in the first word marks an abbreviation or a name (KV cache, LoRA rank, FlashAttention).
    const auto first = std::string_view(text).substr(0, text.find(' '));
    const bool abbreviation = std::any_of(first.begin() + (first.empty() ? 0 : 1), first.end(),
                                          [](unsigned char c) { return std::isupper(c); });
    if (!text.empty() && !abbreviation)
        text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
    return text;
}

std::string capitalized(std::string text)
{
    // In UTF-8 the letters à…þ begin with 0xC3, and their capitals lie 0x20 below; between them stands ÷, no letter.
    constexpr unsigned char latin1 = 0xC3, first = 0xA0, division = 0xB7, last = 0xBE, below = 0x20;
    const auto byte = [&text](std::size_t at) { return static_cast<unsigned char>(text[at]); };
    const auto point = std::min(text.find_first_of(". "), text.size()); // torch.compile and llama.cpp are names of code
    if (point + 1 < text.size() && text[point] == '.' && std::islower(byte(point + 1)))
        return text;
    if (text.size() > 1 && byte(0) == latin1 && byte(1) >= first && byte(1) <= last && byte(1) != division)
        text[1] = static_cast<char>(byte(1) - below);
    else if (!text.empty())
        text[0] = static_cast<char>(std::toupper(byte(0)));
    return text;
}

namespace
{

constexpr std::string_view asManyAsFit = "max"; ///< a batch's word in files; of replicas it is a key

/// What people call a key of files that holds keys of its own, or names no number; empty where they have no word for
/// it.
std::string objectName(std::string_view key)
{
    struct Name {
        std::string_view key, name;
    };
    static constexpr std::array names{Name{"prefill_pool", phrase("Prefill pool")},
                                      Name{"rollout_pool", phrase("Rollout pool")},
                                      Name{"kv_transfer", phrase("Transfer of the KV cache")},
                                      Name{"load_profile", phrase("Load over the day")},
                                      Name{"autoscale", phrase("Autoscaling")},
                                      Name{"draft_model", phrase("Draft model")},
                                      Name{"speculative", phrase("Speculative decoding")},
                                      Name{"kv_tiers", phrase("Cache tiers")},
                                      Name{"host_memory", phrase("Host memory")},
                                      Name{"reliability", phrase("GPU-hours per failure")},
                                      Name{"lora", phrase("LoRA")},
                                      Name{"phases", phrase("Phases")}};
    const auto found = std::ranges::find(names, key, &Name::key);
    return found == names.end() ? std::string() : inSentence(found->name);
}

/// The label of a parameter or the name of an object, as it stands within a sentence; empty for any other word. A key
/// within an object stands behind a point, "rollout_pool.count"; the name of the object stands for one without a row.
std::string nameOfKey(std::string_view key)
{
    if (key == asManyAsFit)
        return {};
    const ParameterRow* row = parameterRow(key);
    for (const Task task : {Task::Training, Task::Inference})
        row = row ? row : parameterRow(key, task);
    if (!row && key.find('.') != std::string_view::npos) {
        std::string place = "/" + std::string(key);
        std::ranges::replace(place, '.', '/');
        const auto rows = parameterRegistry();
        const auto found =
            std::ranges::find_if(rows, [&place](const ParameterRow& each) { return each.path.ends_with(place); });
        row = found == rows.end() ? nullptr : &*found;
    }
    return row ? inSentence(row->label) : objectName(key.substr(0, key.find('.')));
}

/// The label of a choice, by its id in files. Rows may give one id two labels: that of the row which `text` names.
std::string nameOfChoice(std::string_view id, std::string_view text)
{
    if (id == asManyAsFit)
        return said(parameterRow("batch_max")->label);
    std::string name;
    bool several = false;
    for (const ParameterRow& row : parameterRegistry()) {
        const auto choice = std::ranges::find(row.choices, id, &ParameterChoice::id);
        if (choice == row.choices.end())
            continue;
        std::string label = said(choice->label);
        if (text.find(said(row.label)) != std::string_view::npos)
            return label;
        several = several || (!name.empty() && name != label);
        name = std::move(label);
    }
    return several ? std::string() : name;
}

bool isKeyLetter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

/// The word of letters that keys have at the beginning of `text`, with points and hyphens between them: "tensor",
/// "rollout_pool.count", "trt-llm".
std::string_view keyAt(std::string_view text)
{
    std::size_t end = 0;
    while (end < text.size() && (isKeyLetter(text[end]) || ((text[end] == '.' || text[end] == '-') && end > 0 &&
                                                            end + 1 < text.size() && isKeyLetter(text[end + 1]))))
        ++end;
    return text.substr(0, end);
}

/// A word in quotes at the beginning of `text`, and its length with them.
struct Quoted {
    std::string_view word;
    std::size_t length = 0;
};

Quoted quotedAt(std::string_view text)
{
    constexpr std::array<std::pair<std::string_view, std::string_view>, 2> quotes{{{"'", "'"}, {"„", "“"}}};
    for (const auto& [open, close] : quotes)
        if (text.starts_with(open))
            if (const std::string_view word = keyAt(text.substr(open.size()));
                !word.empty() && text.substr(open.size() + word.size()).starts_with(close))
                return {word, open.size() + word.size() + close.size()};
    return {};
}

} // namespace

std::string withLabels(std::string_view text)
{
    constexpr std::string_view equals = " = ", times = " × ";
    std::string result;
    const auto begins = [&result] { return result.empty() || result.ends_with(". "); };
    const auto isWithin = [&result] {
        return !result.empty() && std::isalnum(static_cast<unsigned char>(result.back()));
    };
    const auto add = [&](const std::string& name) { result += begins() && !result.empty() ? capitalized(name) : name; };
    for (std::size_t at = 0; at < text.size();) {
        const std::string_view rest = text.substr(at);
        if (const Quoted quoted = isWithin() ? Quoted{} : quotedAt(rest); quoted.length > 0) { // "others' prefill"
            const std::string key = nameOfKey(quoted.word);
            const std::string choice = key.empty() ? nameOfChoice(quoted.word, text) : std::string();
            if (!key.empty())
                add(key);
            else if (!choice.empty())
                result += speaksEnglish() ? "“" + choice + "”" : "„" + choice + "“";
            else
                result += rest.substr(0, quoted.length);
            at += quoted.length;
            continue;
        }
        const std::string_view word = isWithin() ? std::string_view() : keyAt(rest);
        if (word.empty()) {
            result += rest.front();
            ++at;
            continue;
        }
        const std::string_view behind = rest.substr(word.size());
        const bool multiplied = result.ends_with(times) || behind.starts_with(times); // "micro_batch × data = 3 × 4"
        const bool stands = behind.starts_with(equals) && !multiplied;                // "tensor = 3"
        const bool isKey = stands || multiplied || begins() || word.find('_') != std::string_view::npos;
        const std::string name = isKey ? nameOfKey(word) : std::string();
        if (name.empty())
            result += word;
        else
            add(name);
        at += word.size();
        if (stands && !name.empty()) {
            result += ' ';
            at += equals.size();
        }
    }
    return result;
}

std::string tickText(const ParameterRow& row, double value)
{
    if (row.kind == ParameterKind::Choice) {
        const auto index = static_cast<std::size_t>(std::lround(value));
        return index < row.choices.size() ? said(row.choices[index].label) : std::string();
    }
    if (row.kind == ParameterKind::Toggle)
        return value != 0 ? said("on") : said("off");
    if (row.kind != ParameterKind::Integer)
        return formatText(value, row.format);
    const bool binary = usesBinaryK(row); // one meaning of "k" a parameter: 4000 tokens are not the 4k that 4096 are
    if (binary && value >= 1024 && std::fmod(value, 1024) == 0 && value < 1048576)
        return withLocalMark(exactNumber(value / 1024)) + "k";
    if (value >= 1e6 && std::fmod(value, 1e5) == 0)
        return withLocalMark(exactNumber(value / 1e6)) + "M";
    if (!binary && value >= 1000 && std::fmod(value, 100) == 0)
        return withLocalMark(exactNumber(value / 1000)) + "k";
    return wholeText(value);
}

std::string named(const ParameterRow& row, double value)
{
    if (row.unit == row.label) // 16 GPUs, not GPUs 16
        return parameterText(row, value);
    if (row.id == "offload" && value > 0) // a verb, which German puts last
        return say("offload {}", tickText(row, value));
    return inSentence(row.label) + " " + tickText(row, value);
}

std::string lackText(const Evaluation& e)
{
    if (!usedBytesFit(e))
        return {};
    const auto lacks = [](double used, double capacity) { return formatText(used - capacity, ValueFormat::Bytes); };
    if (e.pools && !e.pools->prefill.fits)
        return say("prefill lacks {}", lacks(e.pools->prefill.usedBytes, e.pools->prefill.capacityBytes));
    if (!e.rl || e.rl->fits)
        return {};
    return e.rl->usedBytes > e.rl->capacityBytes
               ? say("generating lacks {}", lacks(e.rl->usedBytes, e.rl->capacityBytes))
               : say("learning lacks {}", lacks(e.rl->learnBytes, e.rl->learnCapacityBytes));
}

std::string shareText(double part, double whole)
{
    return percentText(whole > 0 ? part / whole : 0);
}

std::string points(double share, bool sign)
{
    const double value = std::abs(share) * 100;
    if (value < 0.005) // "−0.00" would be neither nothing nor something
        return "0";
    const std::string_view mark = share < 0 ? "\u2212" : sign ? "+" : "";
    if (value >= 999.95)
        return fmt::format("{}{}", mark, wholeText(value));
    const int decimals = value < 0.995 ? 2 : 1;
    return fmt::format("{}{}", mark, withLocalMark(fmt::format("{:.{}f}", value, decimals)));
}

std::string_view label(TimePart part)
{
    switch (part) {
    case TimePart::Matmul:
        return phrase("matmuls");
    case TimePart::Attention:
        return phrase("attention core");
    case TimePart::MemoryBound:
        return phrase("memory-bound operators");
    case TimePart::Recompute:
        return phrase("recomputation");
    case TimePart::Experts:
        return phrase("experts");
    case TimePart::TensorParallel:
        return phrase("tensor parallel");
    case TimePart::ContextParallel:
        return phrase("context parallel");
    case TimePart::ExpertParallel:
        return phrase("expert parallel");
    case TimePart::DataParallel:
        return phrase("data parallel");
    case TimePart::PipelineBubble:
        return phrase("pipeline bubble");
    case TimePart::PipelineSend:
        return phrase("pipeline sends");
    case TimePart::OptimizerStep:
        return phrase("optimizer");
    case TimePart::Host:
        return phrase("host");
    case TimePart::PrefillInterference:
        return phrase("others' prefill");
    case TimePart::Draft:
        return phrase("drafting");
    case TimePart::HostLink:
        return phrase("weights from the host");
    }
    return {};
}

std::string_view label(MemoryPart part)
{
    switch (part) {
    case MemoryPart::Weights:
        return phrase("weights");
    case MemoryPart::Gradients:
        return phrase("gradients");
    case MemoryPart::Optimizer:
        return phrase("optimizer");
    case MemoryPart::Activations:
        return phrase("activations");
    case MemoryPart::Logits:
        return phrase("logits");
    case MemoryPart::KvCache:
        return phrase("KV cache");
    case MemoryPart::Overhead:
        return phrase("overhead");
    }
    return {};
}

namespace
{

struct BoundWords {
    std::string_view label, resource;
};

BoundWords wordsOf(BoundBy bound)
{
    switch (bound) {
    case BoundBy::Compute:
        return {phrase("compute-bound"), phrase("compute")};
    case BoundBy::MemoryBandwidth:
        return {phrase("memory-bound"), phrase("memory bandwidth")};
    case BoundBy::Communication:
        return {phrase("communication-bound"), phrase("communication")};
    case BoundBy::Latency:
        return {phrase("latency-bound"), phrase("latency")};
    case BoundBy::Capacity:
        return {phrase("capacity-bound"), phrase("capacity")};
    }
    return {};
}

} // namespace

std::string_view label(BoundBy bound)
{
    return wordsOf(bound).label;
}

std::string_view resource(BoundBy bound)
{
    return wordsOf(bound).resource;
}

} // namespace headroom
