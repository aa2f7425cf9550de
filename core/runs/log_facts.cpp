// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/log_facts.hpp"

#include "core/facts/device_name.hpp"
#include "core/metrics/words.hpp"
#include "core/model/model_profile.hpp"
#include "core/predict/evaluate.hpp"
#include "core/scenario/effective.hpp"
#include "core/scenario/parameter_registry.hpp"
#include "core/scenario/scenario_json.hpp"
#include "core/support/say.hpp"
#include "core/support/utf8.hpp"
#include "core/units/format.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace headroom::logs
{
namespace
{

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool isLetter(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

std::string lower(std::string text)
{
    std::ranges::transform(text, text.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
    return text;
}

/// "llama318b" of "Llama 3.1 8B" and of "Llama-3.1-8B".
std::string lettersAndDigits(std::string_view text)
{
    std::string kept = lower(std::string(text));
    std::erase_if(kept, [](char c) { return !isDigit(c) && !isLetter(c); });
    return kept;
}

} // namespace

void JobFacts::read(const Lines& lines)
{
    for (const FactRow& row : m_rows) {
        if (value(row.parameter) || lines.text().find(row.mark) == std::string::npos)
            continue;
        if (const auto number = numberAfter(lines.text(), row.key); number && *number > 0)
            m_facts.push_back({row.parameter, *number, lines.number()});
    }
}

std::optional<double> JobFacts::value(std::string_view parameter) const
{
    const auto fact = std::ranges::find(m_facts, parameter, &Fact::parameter);
    return fact == m_facts.end() ? std::nullopt : std::optional(fact->value);
}

void JobFacts::set(std::string_view parameter, double value)
{
    const auto fact = std::ranges::find(m_facts, parameter, &Fact::parameter);
    if (fact == m_facts.end())
        m_facts.push_back({parameter, value, m_facts.empty() ? 0 : m_facts.front().line});
    else
        fact->value = value;
}

std::optional<Diagnostic> JobFacts::apply(Scenario& run, Diagnostics& notes) const
{
    std::string words;
    int line = 0;
    for (const ParameterRow& row : parameterRegistry()) {
        const auto fact = std::ranges::find(m_facts, row.id, &Fact::parameter);
        if (fact == m_facts.end() || !appliesTo(row, run.task))
            continue;
        line = std::max(line, fact->line);
        if (auto wrong = outOfRange(row, fact->value, fact->line))
            return wrong;
        row.set(run, fact->value);
        if (row.group != ParameterGroup::Parallelism || fact->value > 1) // "tensor parallel 1" says nothing
            words += fmt::format("{}{} {}", words.empty() ? "" : ", ", inSentence(row.label),
                                 formatText(fact->value, row.format));
    }
    if (words.empty())
        return std::nullopt;
    if (const Diagnostics problems = checkSetup(run); !problems.empty())
        return problem(line, "does-not-divide",
                       say("says {}; with the rest of the scenario: {}", words, problems.front().message),
                       said("open the scenario that ran, or change it to these sizes"));
    notes.push_back(problem(line, "from-log", say("says {}; the rest is the scenario's", words), {}, Severity::Note));
    return std::nullopt;
}

void dropLoad(InferenceWorkload& inference)
{
    inference.requestsPerS.reset();
    inference.loadProfile.reset();
    inference.autoscale = {}; // it follows a load
}

void takeLengths(InferenceWorkload& inference, std::int64_t prompt, std::int64_t output)
{
    inference.mix.reset(); // its means would be the lengths again
    if (inference.promptTokens != prompt)
        inference.promptTokensP50 = inference.promptTokensP95 = inference.promptTokensP99 = std::nullopt;
    if (inference.outputTokens != output)
        inference.outputTokensP50 = inference.outputTokensP95 = inference.outputTokensP99 = std::nullopt;
    inference.promptTokens = prompt;
    inference.outputTokens = output;
}

Diagnostic batchAssumed(const Scenario& run)
{
    return problem(0, "batch-assumed",
                   say("does not say its global batch: {} of the scenario is taken", effectiveGlobalBatch(run)), {},
                   Severity::Warning);
}

Expected<LogReading> oneRun(Scenario run, JobFacts facts, double allocatedBytes, double globalBatch)
{
    LogReading reading;
    if (allocatedBytes > 0) {
        run.measured.peakMemoryBytes = allocatedBytes;
        run.measured.peakMemoryKind = PeakMemoryKind::Allocated;
    }
    if (globalBatch > 0)
        facts.set("global_batch", globalBatch);
    if (auto wrong = facts.apply(run, reading.warnings))
        return tl::unexpected(Diagnostics{*std::move(wrong)});
    if (globalBatch <= 0)
        reading.warnings.push_back(batchAssumed(run));
    reading.runs.push_back(std::move(run));
    return reading;
}

std::optional<Diagnostic> wrongModel(const LogInput& input, double parameters, int line)
{
    constexpr double alike = 0.03;
    const auto architecture = resolveModel(input.base.model, input.catalog);
    if (!architecture)
        return std::nullopt;
    const double total = compileModel(*architecture).parameters.total;
    if (std::abs(parameters - total) <= alike * total)
        return std::nullopt;
    return problem(line, "wrong-model",
                   say("ran a model of {} parameters; {} of the scenario has {}",
                       formatText(parameters, ValueFormat::Parameters), architecture->name,
                       formatText(total, ValueFormat::Parameters)),
                   said("choose the model that ran, then import again"));
}

std::optional<Diagnostic> otherModel(const LogInput& input, std::string_view model, int line)
{
    const auto entry = input.catalog.model(input.base.model.id);
    const std::string ran = lettersAndDigits(model);
    // A path such as "/models/current" names nothing: a model's name has its size or its version.
    if (!entry || !input.base.model.object.empty() || std::ranges::none_of(ran, isDigit))
        return std::nullopt;
    for (const std::string& name : {entry->id, entry->name, entry->hfId})
        if (const std::string known = lettersAndDigits(name.substr(name.rfind('/') + 1));
            !known.empty() && ran.find(known) != std::string::npos)
            return std::nullopt;
    return problem(line, "other-model", say("ran \"{}\"; the scenario is about {}", printable(model), entry->name),
                   said("choose the model that ran, then import again"), Severity::Warning);
}

std::optional<Diagnostic> otherDevice(const LogInput& input, std::string_view device, int line)
{
    const auto accelerator = resolveAccelerator(input.base.accelerator, input.catalog);
    if (!accelerator || !namesOtherDevice(device, *accelerator))
        return std::nullopt;
    return problem(line, "other-device",
                   say("ran on \"{}\"; the scenario is about {}", printable(device), accelerator->name),
                   said("choose the accelerator that ran, then import again"), Severity::Warning);
}

} // namespace headroom::logs
