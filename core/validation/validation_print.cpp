// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/validation/validation.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace headroom
{
namespace
{

using OrderedJson = nlohmann::ordered_json;

template <typename T>
OrderedJson orNull(const std::optional<T>& value)
{
    return value ? OrderedJson(*value) : OrderedJson(nullptr);
}

OrderedJson summaryJson(const ErrorSummary& s)
{
    if (s.rows == 0)
        return {{"rows", 0}, {"median", nullptr}, {"p90", nullptr}, {"bias", nullptr}};
    return {{"rows", s.rows}, {"median", s.median}, {"p90", s.p90}, {"bias", s.bias}};
}

OrderedJson groupJson(const ValidationGroup& g)
{
    OrderedJson json{{"by", g.by}, {"key", g.key}, {"metric", g.metric}};
    json.update(summaryJson(g.error));
    json["inside_80"] = orNull(g.insideShare);
    json["twins"] = summaryJson(g.twins);
    json["floor"] = summaryJson(g.floor);
    json["mfu_points"] = orNull(g.mfuPoints);
    json["hfu_points"] = orNull(g.hfuPoints);
    json["mbu_points"] = orNull(g.mbuPoints);
    json["memory"] = summaryJson(g.memory);
    json["accounting"] = {{"figures", g.accountingFigures},
                          {"reproduced", g.accountingReproduced},
                          {"points", orNull(g.accountingPoints)}};
    json["fit"] = {{"ran", g.ran},
                   {"ran_predicted_to_fit", g.ranPredictedToFit},
                   {"out_of_memory", g.failed},
                   {"out_of_memory_predicted", g.failedPredictedToFail}};
    return json;
}

OrderedJson runJson(const ValidationRun& r)
{
    OrderedJson json{{"name", r.name},
                     {"origin", r.origin},
                     {"source", r.source},
                     {"task", r.task == Task::Training ? "training" : "inference"},
                     {"model", r.model},
                     {"accelerator", r.accelerator},
                     {"software", r.software},
                     {"precision", r.precision},
                     {"method", r.method},
                     {"architecture", r.architecture},
                     {"kind", r.kind},
                     {"recipe", r.recipe},
                     {"batch", r.batchClass},
                     {"figures", OrderedJson::array()},
                     {"accounting", OrderedJson::array()},
                     {"mfu_points", orNull(r.mfuPoints)},
                     {"hfu_points", orNull(r.hfuPoints)},
                     {"mbu_points", orNull(r.mbuPoints)},
                     {"faster_than_ideal", r.fasterThanIdeal},
                     {"ideal_cause", r.idealCause.empty() ? OrderedJson(nullptr) : OrderedJson(r.idealCause)},
                     {"doubt", r.doubt == RunDoubt::None ? OrderedJson(nullptr) : OrderedJson(doubtText(r.doubt))},
                     {"memory_error", orNull(r.memoryError)},
                     {"memory_kind", r.memoryKind.empty() ? OrderedJson(nullptr) : OrderedJson(r.memoryKind)},
                     {"predicted_fits", r.predictedFits},
                     {"out_of_memory", r.ranOutOfMemory}};
    for (const ValidationFigure& f : r.figures)
        json["figures"].push_back({{"metric", f.metric},
                                   {"measured", f.measured},
                                   {"predicted", f.predicted},
                                   {"error", f.error()},
                                   {"inside_80", orNull(f.inside)},
                                   {"doubt", f.doubt.empty() ? OrderedJson(nullptr) : OrderedJson(f.doubt)}});
    for (const AccountingFigure& f : r.accounting)
        json["accounting"].push_back({{"metric", f.metric},
                                      {"published", f.published},
                                      {"ours", f.ours},
                                      {"reproduced", f.reproduced},
                                      {"cause", f.cause.empty() ? OrderedJson(nullptr) : OrderedJson(f.cause)},
                                      {"count", f.count.empty() ? OrderedJson(nullptr) : OrderedJson(f.count)}});
    return json;
}

} // namespace

std::string tablePercent(double share)
{
    return fmt::format("{:.1f} %", 100 * share);
}

std::string validationJson(std::span<const ValidationRun> runs, std::span<const ValidationGroup> groups)
{
    OrderedJson json{{"groups", OrderedJson::array()}, {"runs", OrderedJson::array()}};
    for (const ValidationGroup& group : groups)
        json["groups"].push_back(groupJson(group));
    for (const ValidationRun& run : runs)
        json["runs"].push_back(runJson(run));
    return json.dump(1, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

namespace
{

std::string points(const std::optional<double>& value, const char* sign = "")
{
    if (!value)
        return "-";
    return *sign == '+' ? fmt::format("{:+.2f}", *value) : fmt::format("{:.2f}", *value);
}

/// Measured and predicted, figure by figure; what the run says of utilisation and memory stands with its first.
std::string runTable(std::span<const ValidationRun> runs)
{
    std::string text = fmt::format("{:<45}{:<14}{:>12}{:>12}{:>10}{:>9}{:>8}{:>8}{:>8}{:>10}\n", "run", "metric",
                                   "measured", "predicted", "error", "in 80 %", "MFU", "HFU", "MBU", "memory");
    for (const ValidationRun& run : runs) {
        const std::string ends =
            fmt::format("{:>8}{:>8}{:>8}{:>10}", points(run.mfuPoints, "+"), points(run.hfuPoints, "+"),
                        points(run.mbuPoints, "+"), run.memoryError ? tablePercent(*run.memoryError) : "-");
        if (run.figures.empty())
            text += fmt::format("{:<45.44}{:<14}{:>12}{:>12}{:>10}{:>9}{}\n", run.name,
                                run.ranOutOfMemory ? "out of memory" : "-", "-",
                                run.ranOutOfMemory ? (run.predictedFits ? "fits" : "does not") : "-", "-", "-", ends);
        for (const ValidationFigure& f : run.figures)
            text += fmt::format("{:<45.44}{:<14}{:>12.5g}{:>12.5g} {:>9}{:>9}{}\n", run.name, f.metric, f.measured,
                                f.predicted, tablePercent(f.error()),
                                !f.inside   ? "-"
                                : *f.inside ? "yes"
                                            : "no",
                                &f == &run.figures.front() ? ends : std::string());
    }
    return text +
           "error: predicted / measured - 1 of a time; a rate is turned into one first. MFU, HFU, MBU: predicted "
           "less observed, percentage points. memory: predicted / measured - 1.\n\n";
}

std::string errorTable(std::span<const ValidationGroup> groups)
{
    std::string text = fmt::format("{:<13}{:<32}{:<14}{:>6}{:>10}{:>10}{:>10}{:>9}\n", "by", "group", "metric", "rows",
                                   "median", "p90", "bias", "in 80 %");
    for (const ValidationGroup& g : groups) {
        const ErrorSummary& e = g.error;
        const bool any = e.rows > 0;
        text += fmt::format("{:<13}{:<32}{:<14}{:>6}{:>10}{:>10}{:>10}{:>9}\n", g.by, g.key, g.metric, e.rows,
                            any ? tablePercent(e.median) : "-", any ? tablePercent(e.p90) : "-",
                            any ? tablePercent(e.bias) : "-", g.insideShare ? tablePercent(*g.insideShare) : "-");
    }
    return text;
}

/// Utilisation in points, and memory. Groups of runs without either are left out.
std::string memoryLines(std::span<const ValidationGroup> groups)
{
    std::string text =
        fmt::format("\n{:<13}{:<32}{:>7}{:>7}{:>7}{:>16}{:>8}{:>10}{:>10}{:>16}{:>16}\n", "by", "group", "MFU", "HFU",
                    "MBU", "recounted", "memory", "median", "bias", "ran, fits", "failed, not");
    for (const ValidationGroup& g : groups) {
        const bool memory = g.memory.rows > 0;
        text += fmt::format(
            "{:<13}{:<32}{:>7}{:>7}{:>7}{:>16}{:>8}{:>10}{:>10}{:>16}{:>16}\n", g.by, g.key, points(g.mfuPoints),
            points(g.hfuPoints), points(g.mbuPoints),
            g.accountingFigures ? fmt::format("{} of {}", g.accountingReproduced, g.accountingFigures) : "-",
            g.memory.rows, memory ? tablePercent(g.memory.median) : "-", memory ? tablePercent(g.memory.bias) : "-",
            g.ran ? fmt::format("{} of {}", g.ranPredictedToFit, g.ran) : "-",
            g.failed ? fmt::format("{} of {}", g.failedPredictedToFail, g.failed) : "-");
    }
    return text +
           "MFU, HFU, MBU: median of |predicted - observed| in percentage points, under the source's convention. "
           "recounted: published utilisation that follows from the published throughput.\n";
}

std::string exceptionLines(std::span<const ValidationRun> runs)
{
    std::string text;
    for (const ValidationRun& run : runs) {
        if (run.fasterThanIdeal)
            text += fmt::format("faster than ideal, in no group's errors: {}: {}\n", run.name, run.idealCause);
        if (run.doubt != RunDoubt::None && run.doubt != RunDoubt::TooFast)
            text += fmt::format("cannot be: {}: {}\n", run.name, doubtText(run.doubt));
        for (const ValidationFigure& f : run.figures)
            if (!f.doubt.empty())
                text += fmt::format("cannot be: {} {}: {}\n", run.name, f.metric, f.doubt);
        for (const AccountingFigure& f : run.accounting) {
            if (!f.count.empty())
                text += fmt::format("bandwidth: {}: counts {}, published / counted again {:.3f}\n", run.name, f.count,
                                    f.published / f.ours);
            if (!f.reproduced)
                text += fmt::format("not recounted: {} {}: published {}, ours {}: {}\n", run.name, f.metric,
                                    tablePercent(f.published), tablePercent(f.ours),
                                    f.cause.empty() ? "cause unknown" : f.cause);
        }
    }
    return text.empty() ? text : "\n" + text;
}

} // namespace

std::string validationText(std::span<const ValidationRun> runs, std::span<const ValidationGroup> groups)
{
    return runs.empty() ? std::string()
                        : runTable(runs) + errorTable(groups) + memoryLines(groups) + exceptionLines(runs);
}

} // namespace headroom
