// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/evaluation_text.hpp"

#include "core/metrics/metric_registry.hpp"
#include "core/predict/evaluate.hpp"
#include "core/predict/evaluation_json.hpp"
#include "core/predict/prices.hpp"
#include "core/predict/source_peak.hpp"
#include "core/scenario/scenario_names.hpp"
#include "core/support/utf8.hpp"
#include "core/units/format.hpp"
#include "core/units/numbers.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace headroom
{
namespace
{

constexpr std::string_view csvEnd = "\r\n";

/// "16 × H100 SXM5 80GB", and what works beside them.
std::string machines(const PreparedScenario& p, const Evaluation& e)
{
    const auto of = [](double count, const Accelerator& device) {
        return fmt::format("{} × {}", wholeText(count), device.name);
    };
    std::string own = of(double(p.hardware.count), *p.accelerator);
    if (e.rl && e.rl->gpus > e.rl->trainGpus)
        return fmt::format("{} and {} that generate", own, wholeText(e.rl->rolloutGpus));
    if (e.pools)
        return fmt::format("{} and {} that read prompts", own, of(e.pools->prefill.devices, p.readingAccelerator()));
    return own;
}

std::string heading(std::string_view name, const PreparedScenario& p, const Evaluation& e)
{
    const std::string what =
        fmt::format("{} on {}, {}", p.model->architecture.name, machines(p, e), nameOf(names::tasks, p.task));
    return name.empty() ? what + '\n' : fmt::format("{}\n{}\n", name, what);
}

void row(std::string& text, std::string_view label, std::string_view value, std::string_view note = {})
{
    constexpr std::size_t labelWidth = 26, valueWidth = 18;
    text += "  ";
    text += label;
    text.append(characterCount(label) < labelWidth ? labelWidth - characterCount(label) : 1, ' ');
    text += value;
    if (!note.empty()) {
        text.append(characterCount(value) < valueWidth ? valueWidth - characterCount(value) : 1, ' ');
        text += note;
    }
    text += '\n';
}

std::string shareText(double part, double whole)
{
    return whole > 0 ? percentText(part / whole) : std::string();
}

std::string sentence(std::string_view id)
{
    std::string label(id);
    std::ranges::replace(label, '_', ' ');
    return label;
}

std::string intervalText(const Interval& interval, ValueFormat format = ValueFormat::Seconds)
{
    const std::string low = formatText(interval.low, format), high = formatText(interval.high, format);
    return low == high ? std::string() : fmt::format("80 %: {} to {}", low, high); // a load is served as it comes
}

std::string noteOf(std::string_view metric, const PreparedScenario& p, const Evaluation& e)
{
    if (metric == "cost.per_hour")
        return fmt::format("{}", fmt::join(priceSources(p), " "));
    if (isOfSourcePeak(metric) && p.measured.peakTflops) {
        const auto predicted = metric == "observed.mfu" ? e.mfu : e.hfu;
        return fmt::format("of the source's {} TFLOP/s; predicted {}", wholeText(*p.measured.peakTflops),
                           percentText(predicted.value_or(0) * sourcePeakRatio(p, e)));
    }
    if (metric == "step_time_s" && e.stepTimeInterval)
        return intervalText(*e.stepTimeInterval);
    if (metric == "tpot_s" && e.tpotInterval)
        return intervalText(*e.tpotInterval);
    if (metric == "ttft_s" && e.ttftInterval)
        return intervalText(*e.ttftInterval);
    if (metric == "seconds_to_train" && !e.goodput)
        return "failures not counted";
    if (metric == "goodput.ettr" && e.goodput->ettrLow < e.goodput->ettr)
        return fmt::format("small jobs: down to {}", percentText(e.goodput->ettrLow));
    if (metric == "tokens_per_s" && e.tokensPerSInterval)
        return intervalText(*e.tokensPerSInterval, ValueFormat::TokensPerS);
    return {};
}

void appendMetrics(std::string& text, const PreparedScenario& p, const Evaluation& e)
{
    for (const MetricRow& metric : metricRegistry()) {
        const bool listedBelow = metric.id.starts_with("memory.") || metric.id.starts_with("flops.");
        const auto value = metric.value(e);
        if (appliesTo(metric, p.task) && value && !listedBelow)
            row(text, metric.label, formatText(*value, metric.format), noteOf(metric.id, p, e));
    }
    row(text, "Bound by", sentence(toId(e.boundBy)));
}

void appendMemory(std::string& text, std::string_view whose, double used, double capacity, bool fits,
                  const std::optional<Interval>& interval = {})
{
    text += fmt::format("Memory of {}: {} of {}{}{}\n", whose, formatText(used, ValueFormat::Bytes),
                        formatText(capacity, ValueFormat::Bytes), fits ? "" : ", does not fit",
                        interval ? "; " + intervalText(*interval, ValueFormat::Bytes) : "");
}

void appendShares(std::string& text, const Evaluation& e)
{
    const double total = e.task == Task::Training ? e.stepTimeS.value_or(0) : e.tpotS.value_or(0);
    text += e.task == Task::Training ? "Step time\n" : "Time per output token\n";
    for (int i = 0; i < timePartCount; ++i) {
        if (const double s = e.part(static_cast<TimePart>(i)); s > 0)
            row(text, sentence(timePartId(static_cast<TimePart>(i))), secondsText(s), shareText(s, total));
    }
    appendMemory(text,
                 e.pools ? "the fullest GPU that decodes"
                 : e.rl  ? "the fullest GPU that trains"
                         : "the fullest GPU",
                 e.usedBytes, e.capacityBytes, usedBytesFit(e), e.usedBytesInterval);
    for (int i = 0; i < memoryPartCount; ++i) {
        if (const double bytes = e.part(static_cast<MemoryPart>(i)); bytes > 0)
            row(text, sentence(memoryPartId(static_cast<MemoryPart>(i))), formatText(bytes, ValueFormat::Bytes),
                shareText(bytes, e.usedBytes));
    }
    if (e.pools) {
        const PoolResult& prefill = e.pools->prefill;
        appendMemory(text, "the fullest GPU that reads prompts", prefill.usedBytes, prefill.capacityBytes,
                     prefill.fits);
    }
    if (e.rl) { // which says of both together whether they fit
        const auto side = [&text](std::string_view whose, double used, double capacity) {
            appendMemory(text, whose, used, capacity, used <= capacity * (1 + roundingError));
        };
        side("a GPU that learns from the longest answer", e.rl->learnBytes, e.rl->learnCapacityBytes);
        side("a GPU that generates", e.rl->usedBytes, e.rl->capacityBytes);
    }
}

} // namespace

std::string evaluationText(std::string_view name, const PreparedScenario& prepared, const Evaluation& evaluation)
{
    std::string text = heading(name, prepared, evaluation);
    appendMetrics(text, prepared, evaluation);
    appendShares(text, evaluation);
    return text + evaluationNotes(prepared, evaluation);
}

std::string evaluationNotes(const PreparedScenario& prepared, const Evaluation& evaluation)
{
    std::string text;
    evaluation.warnings.forEach(
        [&](WarningCode code, double number) { text += "Note: " + warningText(code, number, prepared) + '\n'; });
    return text;
}

std::string warningCodes(const WarningSet& warnings, bool (*listed)(WarningCode))
{
    std::string codes;
    warnings.forEach([&](WarningCode code, double) {
        if (listed == nullptr || listed(code))
            codes.append(codes.empty() ? "" : " ").append(warningId(code));
    });
    return codes;
}

namespace
{

/// Whether a spreadsheet would take the text for a formula that does more than to reckon: call, or start a program.
bool isFormula(std::string_view text)
{
    if (text.empty())
        return false;
    const char first = text.front();
    return first == '=' || first == '@' ||
           ((first == '+' || first == '-') && text.find_first_of("=@(|!") != std::string_view::npos);
}

} // namespace

std::string csvCell(std::string_view text)
{
    constexpr std::string_view blanks = "\t\r\n", ends = ";\t\r\n"; // where other spreadsheets begin a cell
    std::string cell;
    if (!text.empty() && blanks.find(text.front()) != std::string_view::npos)
        cell += '\'';
    bool begins = true;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (begins && isFormula(text.substr(i)))
            cell += '\'';
        begins = ends.find(text[i]) != std::string_view::npos;
        cell.append(text[i] == '"' ? 2 : 1, text[i]);
    }
    return cell.find_first_of(",;\t\"\r\n") == std::string::npos ? cell : '"' + cell + '"';
}

std::string evaluationCsvHeader()
{
    std::string text = "name,model,accelerator,count,task,fits,bound_by";
    for (const MetricRow& metric : metricRegistry())
        text.append(",").append(metric.id);
    return text.append(",other_measurement,warnings,error").append(csvEnd);
}

std::string evaluationCsvRow(std::string_view name, const PreparedScenario& prepared, const Evaluation& evaluation,
                             std::string_view otherMeasurement)
{
    const std::string& model = prepared.model->architecture.id;
    const std::string& accelerator = prepared.accelerator->id;
    std::string text = fmt::format(
        "{},{},{},{},{},{},{}", csvCell(name), csvCell(model.empty() ? prepared.model->architecture.name : model),
        csvCell(accelerator.empty() ? prepared.accelerator->name : accelerator), prepared.hardware.count,
        nameOf(names::tasks, prepared.task), allFits(evaluation), toId(evaluation.boundBy));
    for (const MetricRow& metric : metricRegistry()) {
        text += ',';
        // What takes many evaluations is there where the JSON has it: with a step of RL, with the energy of a site.
        const bool isRl = metric.id.starts_with("rl.");
        const bool whole = metric.answer && (isRl ? evaluation.rl.has_value() : evaluation.site.has_value());
        if (const auto value = whole ? metric.answer(prepared) : metric.value(evaluation))
            text += exactNumber(*value);
    }
    text.append(",").append(csvCell(otherMeasurement));
    return text.append(",").append(warningCodes(evaluation.warnings)).append(",").append(csvEnd);
}

std::string errorCsvRow(std::string_view name, const Diagnostics& diagnostics)
{
    constexpr std::size_t fixedColumns = 6, wordColumns = 2; // other_measurement, warnings
    const std::string error = diagnostics.empty() ? std::string() : toText(diagnostics.front());
    return csvCell(name) + std::string(fixedColumns + metricRegistry().size() + wordColumns + 1, ',') + csvCell(error) +
           std::string(csvEnd);
}

} // namespace headroom
