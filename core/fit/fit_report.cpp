// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/fit/fit_report.hpp"

#include "core/fit/at_once.hpp"
#include "core/fit/intervals.hpp"
#include "core/validation/validation.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

namespace headroom
{
namespace
{

constexpr int foldRounds = 24; ///< a fold starts where all sources together came to rest

/// One fit for each source, without it. Where a source alone speaks for a profile, nothing is known of that stack
/// without it: then its documents are left out one by one. Or one for each model.
struct Fold {
    std::string origin, document; ///< document: "" for the whole source
    std::string model{};          ///< instead of a source
    std::vector<double> values{};
    std::vector<FitSample> samples{}; ///< all of the problem, predicted without it
    [[nodiscard]] bool holds(const FitRun& run) const
    {
        if (!model.empty())
            return run.prepared.model->architecture.name == model;
        return run.origin == origin && (document.empty() || run.document == document);
    }
};

std::vector<Fold> foldsOf(const FitProblem& problem)
{
    std::map<std::string, std::set<std::string>> origins, documents; // by profile; by origin
    const auto profile = problem.task().profile;
    for (const FitRun& run : problem.runs()) {
        documents[run.origin].insert(run.document);
        if (profile)
            origins[profile(run.prepared)].insert(run.origin);
    }
    std::set<std::string> alone;
    for (const auto& [name, members] : origins)
        if (members.size() == 1)
            alone.insert(*members.begin());
    std::vector<Fold> folds;
    for (const auto& [origin, names] : documents) {
        if (!alone.contains(origin) || names.size() < 2)
            folds.push_back({origin, ""});
        else
            for (const std::string& name : names)
                folds.push_back({origin, name});
    }
    return folds;
}

std::vector<Fold> modelFolds(const FitProblem& problem)
{
    std::set<std::string> models;
    if (problem.task().leavesModelsOut)
        for (const FitRun& run : problem.runs())
            models.insert(run.prepared.model->architecture.name);
    std::vector<Fold> folds;
    for (const std::string& model : models)
        folds.push_back({"", "", model});
    return folds;
}

std::vector<Fold> fitFolds(const FitTask& task, const FitProblem& whole, const std::vector<FitRun>& runs,
                           std::vector<Fold> folds)
{
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
        for (std::size_t i = next++; i < folds.size(); i = next++) {
            FitProblem problem(task, whole.document(), runs, &whole);
            problem.leaveOut([&](const FitRun& run) { return folds[i].holds(run); });
            fit(problem, foldRounds, false);
            problem.setValues(std::vector<double>(problem.values()));
            folds[i].values = problem.values();
            folds[i].samples = problem.samples();
        }
    };
    atOnce(work, work);
    return folds;
}

/// Weighted as the objective weighs them, over all that a fold holds.
std::optional<double> lossOf(const FitProblem& problem, const std::vector<Fold>& folds)
{
    double sum = 0, weights = 0;
    for (const Fold& fold : folds)
        for (std::size_t s = 0; s < fold.samples.size(); ++s)
            if (fold.holds(problem.runs()[fold.samples[s].run])) {
                sum += problem.samples()[s].weight * fold.samples[s].loss;
                weights += problem.samples()[s].weight;
            }
    return weights > 0 ? std::optional(sum / weights) : std::nullopt;
}

std::vector<HeldOutResidual> heldOut(const FitProblem& problem, const std::vector<Fold>& folds)
{
    std::vector<HeldOutResidual> residuals;
    for (const Fold& fold : folds)
        for (const FitSample& sample : fold.samples) {
            const FitRun& run = problem.runs()[sample.run];
            if (fold.holds(run))
                residuals.push_back({problem.task().group(run.prepared), problem.task().metrics[sample.metric].name,
                                     run.origin, run.prepared.model->architecture.name, problem.given(sample.run),
                                     sample.ratio});
        }
    return residuals;
}

std::vector<FactorReport> factorReports(const FitProblem& problem, const std::vector<double>& before,
                                        const std::vector<Fold>& folds)
{
    std::vector<FactorReport> reports;
    for (std::size_t i = 0; i < problem.values().size(); ++i) {
        FactorReport report{problem.task().factors[i].path,
                            problem.task().factors[i].prior,
                            before[i],
                            problem.values()[i],
                            0,
                            {},
                            {},
                            {}};
        std::set<std::string> sources;
        const std::vector<std::size_t> touched = problem.touched(i);
        for (const std::size_t run : touched)
            sources.insert(problem.runs()[run].origin);
        report.runs = touched.size();
        report.sources.assign(sources.begin(), sources.end());
        for (const Fold& fold : folds) {
            report.lowest = std::min(report.lowest.value_or(fold.values[i]), fold.values[i]);
            report.highest = std::max(report.highest.value_or(fold.values[i]), fold.values[i]);
        }
        reports.push_back(std::move(report));
    }
    return reports;
}

struct Errors {
    std::vector<double> before, after, leftOut, modelOut;
    std::size_t inside = 0, judged = 0; ///< of leftOut
};

/// As validation counts it: predicted ÷ measured − 1 of a time, into which a rate is turned first.
double errorOf(const std::string& metric, double ratio)
{
    return metric == "tokens_per_s" ? 1 / ratio - 1 : ratio - 1;
}

/// The groups that each run of the problem is counted in.
std::vector<std::vector<std::pair<std::string, std::string>>> groupsOfRuns(const FitProblem& problem)
{
    std::vector<std::vector<std::pair<std::string, std::string>>> groups;
    for (const FitRun& run : problem.runs())
        groups.push_back(groupsOf(validateRun(run.name, {}, run.prepared)));
    return groups;
}

std::vector<GroupReport> groupReports(const FitProblem& problem, const std::vector<FitSample>& before,
                                      const std::vector<HeldOutResidual>& residuals,
                                      const std::vector<HeldOutResidual>& withoutModel)
{
    constexpr std::size_t enoughRuns = 30;
    const auto groupsOfRun = groupsOfRuns(problem);
    std::map<std::array<std::string, 3>, Errors> groups;
    const auto each = [&](std::size_t run, const std::string& metric, const auto& use) {
        for (const auto& [by, key] : groupsOfRun[run])
            use(groups[{by, key, metric}]);
    };
    const std::vector<FitSample>& after = problem.samples();
    for (std::size_t s = 0; s < after.size(); ++s) {
        const std::string& metric = problem.task().metrics[after[s].metric].name;
        each(after[s].run, metric, [&](Errors& errors) {
            errors.before.push_back(errorOf(metric, before[s].ratio));
            errors.after.push_back(errorOf(metric, after[s].ratio));
        });
    }
    std::map<std::size_t, std::size_t> runOf; // by the index that was given
    for (std::size_t run = 0; run < problem.runs().size(); ++run)
        runOf[problem.given(run)] = run;
    const BandShape shape = problem.task().balancedBands ? BandShape::Balanced : BandShape::Percentiles;
    const std::vector<std::optional<bool>> inside = insideOthersBands(residuals, shape);
    for (std::size_t i = 0; i < residuals.size(); ++i)
        each(runOf.at(residuals[i].run), residuals[i].metric, [&](Errors& errors) {
            errors.leftOut.push_back(errorOf(residuals[i].metric, residuals[i].ratio));
            errors.judged += inside[i] ? 1 : 0;
            errors.inside += inside[i].value_or(false) ? 1 : 0;
        });
    for (const HeldOutResidual& residual : withoutModel)
        each(runOf.at(residual.run), residual.metric,
             [&](Errors& errors) { errors.modelOut.push_back(errorOf(residual.metric, residual.ratio)); });
    std::vector<GroupReport> reports;
    for (auto& [key, errors] : groups) {
        if (key[0] != "kind" && key[0] != "source" && errors.after.size() < enoughRuns)
            continue;
        const ErrorSummary b = summarise(std::move(errors.before)), a = summarise(std::move(errors.after));
        GroupReport report{key[0], key[1], key[2], a.rows, b.median, b.p90, a.median, a.p90, {}, {}, {}, {}, {}};
        if (!errors.leftOut.empty()) {
            const ErrorSummary l = summarise(std::move(errors.leftOut));
            report.medianLeftOut = l.median;
            report.p90LeftOut = l.p90;
        }
        if (!errors.modelOut.empty()) {
            const ErrorSummary l = summarise(std::move(errors.modelOut));
            report.medianModelOut = l.median;
            report.p90ModelOut = l.p90;
        }
        if (errors.judged > 0)
            report.insideLeftOut = double(errors.inside) / double(errors.judged);
        reports.push_back(std::move(report));
    }
    return reports;
}

double rounded(double value, int digits)
{
    const double scale = std::pow(10.0, digits);
    return std::round(value * scale) / scale;
}

std::string joined(const std::vector<std::string>& words)
{
    std::string text;
    for (const std::string& word : words)
        text += (text.empty() ? "" : ", ") + word;
    return text;
}

/// What stands in calibration.json beside the constants: where each came from and how well they do.
std::string record(const FitReport& report)
{
    using Json = nlohmann::ordered_json;
    Json json{{"method", "headroom-cli calibrate --builtin: coordinate search on the weighted mean of "
                         "|ln(predicted / measured)|, clipped; left out: the range, or the error, of fits that never "
                         "saw the source (the document, where a source alone speaks for a profile); inside: share in "
                         "80 % intervals that other sources make (other models, where one source is all there is)"},
              {"free_constants", report.freeConstants},
              {"factors", Json::array()},
              {"groups", Json::array()}};
    for (const auto& [key, loss] :
         {std::pair("loss_source_out", report.lossSourceOut), std::pair("loss_model_out", report.lossModelOut)})
        if (loss)
            json[key] = rounded(*loss, 5);
    for (const FactorReport& f : report.factors) {
        if (f.runs == 0)
            continue;
        Json row{{"constant", f.path},
                 {"prior", f.prior},
                 {"value", f.after},
                 {"runs", f.runs},
                 {"sources", joined(f.sources)}};
        if (f.lowest) {
            row["left_out_low"] = *f.lowest;
            row["left_out_high"] = *f.highest;
        }
        json["factors"].push_back(std::move(row));
    }
    for (const GroupReport& g : report.groups) {
        Json row{{"by", g.by},     {"group", g.group.empty() ? "all" : g.group}, {"metric", g.metric},
                 {"runs", g.rows}, {"median", rounded(g.medianAfter, 4)},        {"p90", rounded(g.p90After, 4)}};
        if (g.medianLeftOut) {
            row["left_out_median"] = rounded(*g.medianLeftOut, 4);
            row["left_out_p90"] = rounded(*g.p90LeftOut, 4);
        }
        if (g.medianModelOut) {
            row["model_out_median"] = rounded(*g.medianModelOut, 4);
            row["model_out_p90"] = rounded(*g.p90ModelOut, 4);
        }
        if (g.insideLeftOut)
            row["left_out_inside"] = rounded(*g.insideLeftOut, 3);
        json["groups"].push_back(std::move(row));
    }
    return json.dump();
}

std::string percent(std::optional<double> share)
{
    return share ? fmt::format("{:.1f} %", 100 * *share) : std::string("-");
}

} // namespace

FitReport fitTask(const FitTask& task, CalibrationDocument& document, const std::vector<FitRun>& runs,
                  bool crossValidate)
{
    FitReport report;
    report.task = task.task;
    FitProblem problem(task, document, runs);
    const std::vector<double> before = problem.values();
    const std::vector<FitSample> samplesBefore = problem.samples();
    report.objectiveBefore = problem.objective();
    report.objectiveAfter = fit(problem);
    std::vector<Fold> folds, models;
    if (crossValidate) {
        folds = fitFolds(task, problem, runs, foldsOf(problem));
        models = fitFolds(task, problem, runs, modelFolds(problem));
    }
    report.lossSourceOut = lossOf(problem, folds);
    report.lossModelOut = lossOf(problem, models);
    report.heldOut = heldOut(problem, folds);
    report.factors = factorReports(problem, before, folds);
    report.freeConstants =
        std::size_t(std::ranges::count_if(report.factors, [](const FactorReport& f) { return f.runs > 0; }));
    report.groups = groupReports(problem, samplesBefore, report.heldOut, heldOut(problem, models));
    document = problem.document();
    if (crossValidate && task.writeIntervals)
        task.writeIntervals(document, report.heldOut, "each source left out of the fit in turn");
    if (crossValidate && task.writeUnfitted)
        task.writeUnfitted(document, runs);
    document.setMember(task.task == Task::Training ? "/training" : "/inference", "fit", record(report));
    return report;
}

std::string fitReportText(const FitReport& report)
{
    std::string text = fmt::format("{}: objective {:.5f} -> {:.5f}, {} free constants\n\n",
                                   report.task == Task::Training ? "training" : "inference", report.objectiveBefore,
                                   report.objectiveAfter, report.freeConstants);
    if (report.lossSourceOut)
        text += fmt::format("mean loss with the source left out {:.5f}{}\n\n", *report.lossSourceOut,
                            report.lossModelOut ? fmt::format(", with the model left out {:.5f}", *report.lossModelOut)
                                                : std::string());
    text += fmt::format("{:<62}{:>9}{:>9}{:>9}{:>21}{:>6}  {}\n", "constant", "prior", "before", "after",
                        "one source left out", "runs", "sources");
    for (const FactorReport& f : report.factors) {
        const std::string range = f.lowest ? fmt::format("{:.4g} to {:.4g}", *f.lowest, *f.highest) : "-";
        text += fmt::format("{:<62}{:>9.4g}{:>9.4g}{:>9.4g}{:>21}{:>6}  {}\n", f.path, f.prior, f.before, f.after,
                            range, f.runs, f.sources.size());
    }
    text += fmt::format("\n{:<8}{:<50}{:<13}{:>6}{:>20}{:>20}{:>20}{:>20}{:>9}\n", "by", "group", "metric", "rows",
                        "before: median, p90", "after", "source left out", "model left out", "in 80 %");
    for (const GroupReport& g : report.groups) {
        const auto both = [](std::optional<double> median, std::optional<double> p90) {
            return median ? percent(median) + ", " + percent(p90) : std::string("-");
        };
        text += fmt::format("{:<8}{:<50}{:<13}{:>6}{:>20}{:>20}{:>20}{:>20}{:>9}\n", g.by, g.group, g.metric, g.rows,
                            both(g.medianBefore, g.p90Before), both(g.medianAfter, g.p90After),
                            both(g.medianLeftOut, g.p90LeftOut), both(g.medianModelOut, g.p90ModelOut),
                            percent(g.insideLeftOut));
    }
    return text;
}

} // namespace headroom
