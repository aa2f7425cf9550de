// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/words.hpp"

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
    if (text.size() > 1 && byte(0) == latin1 && byte(1) >= first && byte(1) <= last && byte(1) != division)
        text[1] = static_cast<char>(byte(1) - below);
    else if (!text.empty())
        text[0] = static_cast<char>(std::toupper(byte(0)));
    return text;
}

namespace
{

/// What people call a key of files that holds keys of its own, or names no number; empty where they have no word for
/// it.
std::string objectName(std::string_view key)
{
    if (key == "prefill_pool")
        return said("Prefill pool");
    if (key == "rollout_pool")
        return said("Rollout pool");
    if (key == "kv_transfer")
        return said("Transfer of the KV cache");
    if (key == "load_profile")
        return said("Load over the day");
    if (key == "draft_model")
        return said("Draft model");
    return {};
}

/// The label of a parameter or the name of an object, as it stands within a sentence; empty for any other word.
std::string nameOfKey(std::string_view key)
{
    const ParameterRow* row = parameterRow(key);
    std::string name = row ? inSentence(row->label) : objectName(key);
    if (!row && !name.empty() && speaksEnglish())
        return static_cast<char>(std::tolower(static_cast<unsigned char>(name[0]))) + name.substr(1);
    return name;
}

} // namespace

std::string withLabels(std::string_view text)
{
    const auto isKeyLetter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; };
    constexpr std::string_view equals = " = ";
    constexpr std::array<std::pair<std::string_view, std::string_view>, 2> quotes{{{"'", "'"}, {"„", "“"}}};
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at;
        while (end < text.size() && isKeyLetter(text[end]))
            ++end;
        const std::string_view word = text.substr(at, std::max<std::size_t>(1, end - at));
        const bool stands = text.substr(at + word.size()).starts_with(equals); // "tensor = 3"
        const bool isKey = stands || word.find('_') != std::string_view::npos;
        const std::string name = isKey ? nameOfKey(word) : std::string();
        at += word.size();
        if (name.empty()) {
            result += word;
            continue;
        }
        if (at + 1 < text.size() && text[at] == '.' && isKeyLetter(text[at + 1])) // "rollout_pool.count"
            for (++at; at < text.size() && isKeyLetter(text[at]);)
                ++at;
        for (const auto& [open, close] : quotes) // a label needs none
            if (result.ends_with(open) && text.substr(at).starts_with(close)) {
                result.resize(result.size() - open.size());
                at += close.size();
            }
        result += result.ends_with(". ") ? capitalized(name) : name;
        if (stands) {
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
    return inSentence(row.label) + " " + tickText(row, value);
}

std::string shareText(double part, double whole)
{
    return formatText(whole > 0 ? part / whole : 0, ValueFormat::Percent);
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
