// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/explore/validation.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace headroom
{
namespace
{

using Json = nlohmann::ordered_json;

template <typename T>
Json orNull(const std::optional<T>& value)
{
    return value ? Json(*value) : Json(nullptr);
}

Json summaryJson(const ErrorSummary& s)
{
    if (s.rows == 0)
        return {{"rows", 0}, {"median", nullptr}, {"p90", nullptr}, {"bias", nullptr}};
    return {{"rows", s.rows}, {"median", s.median}, {"p90", s.p90}, {"bias", s.bias}};
}

Json groupJson(const ValidationGroup& g)
{
    Json json{{"by", g.by}, {"key", g.key}, {"metric", g.metric}};
    json.update(summaryJson(g.error));
    json["inside_80"] = orNull(g.insideShare);
    json["mfu_points"] = orNull(g.mfuPoints);
    json["hfu_points"] = orNull(g.hfuPoints);
    json["memory"] = summaryJson(g.memory);
    json["accounting"] = {{"figures", g.accountingFigures}, {"reproduced", g.accountingReproduced}};
    json["fit"] = {{"ran", g.ran},
                   {"ran_predicted_to_fit", g.ranPredictedToFit},
                   {"out_of_memory", g.failed},
                   {"out_of_memory_predicted", g.failedPredictedToFail}};
    return json;
}

Json runJson(const ValidationRun& r)
{
    Json json{{"name", r.name},
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
              {"figures", Json::array()},
              {"accounting", Json::array()},
              {"mfu_points", orNull(r.mfuPoints)},
              {"hfu_points", orNull(r.hfuPoints)},
              {"memory_error", orNull(r.memoryError)},
              {"memory_kind", r.memoryKind.empty() ? Json(nullptr) : Json(r.memoryKind)},
              {"predicted_fits", r.predictedFits},
              {"out_of_memory", r.ranOutOfMemory}};
    for (const ValidationFigure& f : r.figures)
        json["figures"].push_back({{"metric", f.metric},
                                   {"measured", f.measured},
                                   {"predicted", f.predicted},
                                   {"error", f.error()},
                                   {"inside_80", orNull(f.inside)}});
    for (const AccountingFigure& f : r.accounting)
        json["accounting"].push_back(
            {{"metric", f.metric}, {"published", f.published}, {"ours", f.ours}, {"reproduced", f.reproduced}});
    return json;
}

std::string percent(double share)
{
    return fmt::format("{:.1f} %", 100 * share);
}

} // namespace

std::string validationJson(std::span<const ValidationRun> runs, std::span<const ValidationGroup> groups)
{
    Json json{{"groups", Json::array()}, {"runs", Json::array()}};
    for (const ValidationGroup& group : groups)
        json["groups"].push_back(groupJson(group));
    for (const ValidationRun& run : runs)
        json["runs"].push_back(runJson(run));
    return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string validationText(std::span<const ValidationGroup> groups)
{
    std::string text = fmt::format("{:<13}{:<32}{:<14}{:>6}{:>10}{:>10}{:>10}{:>9}   {:<24}\n", "by", "group", "metric",
                                   "rows", "median", "p90", "bias", "in 80 %", "memory: rows, median, bias");
    for (const ValidationGroup& g : groups) {
        const ErrorSummary& e = g.error;
        std::string memory = g.memory.rows == 0 ? std::string()
                                                : fmt::format("{}, {}, {}", g.memory.rows, percent(g.memory.median),
                                                              percent(g.memory.bias));
        const bool any = e.rows > 0;
        text += fmt::format("{:<13}{:<32}{:<14}{:>6}{:>10}{:>10}{:>10}{:>9}   {:<24}\n", g.by, g.key, g.metric, e.rows,
                            any ? percent(e.median) : "-", any ? percent(e.p90) : "-", any ? percent(e.bias) : "-",
                            g.insideShare ? percent(*g.insideShare) : "-", memory);
    }
    return text;
}

} // namespace headroom
