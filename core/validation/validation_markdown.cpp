// SPDX-License-Identifier: GPL-3.0-or-later
// The page docs/validation.md: what the predictor reaches, what was fitted to what, where a bound is missed and why.
#include "core/support/embedded.hpp"
#include "core/support/markdown.hpp"
#include "core/validation/validation.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>

namespace headroom
{
namespace
{

using Json = nlohmann::json;

std::string percentOf(const Json& row, const char* key)
{
    const auto value = row.find(key);
    return value == row.end() || !value->is_number() ? std::string("-") : tablePercent(value->get<double>());
}

Json parsed(std::string_view text)
{
    Json json = Json::parse(text, nullptr, false, true);
    return json.is_object() ? json : Json::object();
}

/// Sections of calibration.json that the runs speak of.
std::vector<std::string> sectionsOf(std::span<const ValidationRun> runs)
{
    std::vector<std::string> sections;
    for (const auto& [task, section] : {std::pair(Task::Training, "training"), std::pair(Task::Inference, "inference")})
        if (std::ranges::any_of(runs, [task = task](const ValidationRun& run) { return run.task == task; }))
            sections.emplace_back(section);
    return sections;
}

/// Rows of `document[section]["fit"][list]`.
std::vector<Json> fitRows(const Json& document, const std::vector<std::string>& sections, const char* list)
{
    std::vector<Json> rows;
    for (const std::string& section : sections)
        if (document.contains(section) && document[section].contains("fit"))
            for (const Json& row : document[section]["fit"].value(list, Json::array()))
                rows.push_back(row);
    return rows;
}

/// The record of the fit for one group: the error when the group's sources are left out in turn.
const Json* fitGroup(const std::vector<Json>& rows, const ValidationGroup& group)
{
    for (const Json& row : rows)
        if (row.value("by", "") == group.by && row.value("metric", "") == group.metric &&
            (row.value("group", "") == group.key || (group.by == "all" && row.value("group", "") == "all")))
            return &row;
    return nullptr;
}

std::string errorTable(std::span<const ValidationGroup> groups, std::string_view by, const std::vector<Json>& fitted)
{
    std::string text = "| group | figure | runs | median | 90th percentile | bias | inside 80 % | left out: median | "
                       "left out: 90th | left out: inside 80 % | model left out: median | model left out: 90th "
                       "|\n|---|---|---|---|---|---|---|---|---|---|---|---|\n";
    for (const ValidationGroup& g : groups) {
        if (g.by != by || g.error.rows == 0)
            continue;
        const Json* row = fitGroup(fitted, g);
        text += fmt::format(
            "| {} | `{}` | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |\n",
            g.key.empty() ? "all" : markdownText(g.key), g.metric, g.error.rows, tablePercent(g.error.median),
            tablePercent(g.error.p90), tablePercent(g.error.bias), g.insideShare ? tablePercent(*g.insideShare) : "-",
            row ? percentOf(*row, "left_out_median") : "-", row ? percentOf(*row, "left_out_p90") : "-",
            row ? percentOf(*row, "left_out_inside") : "-", row ? percentOf(*row, "model_out_median") : "-",
            row ? percentOf(*row, "model_out_p90") : "-");
    }
    return text + "\n";
}

std::string budgetTable(std::span<const ValidationGroup> groups, const ValidationBudgets& budgets)
{
    const auto asked = [](const std::optional<double>& share) {
        return share ? tablePercent(*share) : std::string("-");
    };
    const auto within = [](double error, const std::optional<double>& share) { return !share || error <= *share; };
    std::string text = "| group | runs | median | asked | 90th percentile | asked | reached |\n"
                       "|---|---|---|---|---|---|---|\n";
    std::string reasons;
    for (const ErrorBudget& b : budgets.groups) {
        for (const ValidationGroup& g : groups) {
            if (g.by != b.by || g.key != b.group || g.metric != b.metric)
                continue;
            const std::string& name = b.name.empty() ? g.key : b.name;
            const bool reached = within(g.error.median, b.askedMedian) && within(g.error.p90, b.askedP90);
            text +=
                fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", name, g.error.rows, tablePercent(g.error.median),
                            asked(b.askedMedian), tablePercent(g.error.p90), asked(b.askedP90),
                            !b.askedMedian ? "-"
                            : reached      ? "yes"
                                           : "**no**");
            if (!reached)
                reasons += fmt::format("- **{}**: {}\n", name, b.reason.empty() ? "no reason is known" : b.reason);
        }
    }
    if (!reasons.empty())
        text += "\nWhere a bound is not reached:\n\n" + reasons;
    return text + "\n";
}

/// Kinds of thirty runs or more and all other groups of that size: how many of the intervals that others draw hold what
/// they promise, and which do not, by the reason that the budgets give.
std::string intervalBound(const std::vector<Json>& fitted, const ValidationBudgets& budgets)
{
    std::map<std::string, const IntervalReason*> reasonOf; // by "by group metric"
    for (const IntervalReason& reason : budgets.intervals)
        for (const std::string& group : reason.groups)
            reasonOf[group] = &reason;
    std::size_t kinds = 0, kindsInside = 0, others = 0, othersInside = 0;
    std::map<const IntervalReason*, std::string> outside; // null: no reason is known
    for (const Json& row : fitted) {
        const std::string by = row.value("by", "");
        if (row.value("runs", 0) < 30 || by == "all" || !row.contains("left_out_inside"))
            continue;
        const double share = row["left_out_inside"];
        const bool inside = share >= 0.75 && share <= 0.88;
        (by == "kind" ? kinds : others) += 1;
        (by == "kind" ? kindsInside : othersInside) += inside ? 1 : 0;
        if (inside)
            continue;
        const std::string group = fmt::format("{} {} {}", by, row.value("group", ""), row.value("metric", ""));
        const auto reason = reasonOf.find(group);
        std::string& list = outside[reason == reasonOf.end() ? nullptr : reason->second];
        list += fmt::format("{}{} {} `{}` {}", list.empty() ? "" : ", ", by, row.value("group", ""),
                            row.value("metric", ""), tablePercent(share));
    }
    std::string text =
        fmt::format("- **80 % intervals**, of runs left out, between 75 and 88 %: {} of {} kinds of workload and "
                    "figures of 30 runs or more. An interval is drawn for a kind and a figure; of the {} other "
                    "groups of that size, which cut across kinds, {} hold as much.{}\n",
                    kindsInside, kinds, others, othersInside, outside.empty() ? "" : " The others:");
    for (const IntervalReason& reason : budgets.intervals)
        if (outside.contains(&reason))
            text += fmt::format("  - {}: {}.\n", reason.reason, outside[&reason]);
    if (outside.contains(nullptr))
        text += fmt::format("  - No reason is known: {}.\n", outside[nullptr]);
    return text;
}

/// What was asked besides errors of time.
std::string otherBounds(std::span<const ValidationRun> runs, const std::vector<Json>& fitted,
                        const ValidationBudgets& budgets)
{
    std::vector<double> memory, firstAlone, firstAmong; // TTFT of one request at a time, and of several
    std::size_t figures = 0, reproduced = 0, right = 0, faster = 0;
    for (const ValidationRun& run : runs) {
        if (run.memoryError && run.recipe == "known")
            memory.push_back(*run.memoryError);
        for (const ValidationFigure& f : run.figures)
            if (f.metric == "ttft_s")
                (run.batchClass == "1" ? firstAlone : firstAmong).push_back(f.error());
        figures += run.accounting.size();
        reproduced +=
            std::size_t(std::ranges::count_if(run.accounting, [](const AccountingFigure& f) { return f.reproduced; }));
        right += run.predictedFits != run.ranOutOfMemory ? 1 : 0;
        faster += run.fasterThanIdeal ? 1 : 0;
    }
    const ErrorSummary peak = summarise(std::move(memory)), alone = summarise(std::move(firstAlone)),
                       among = summarise(std::move(firstAmong));
    return fmt::format("Besides times:\n\n- **Accounting**: {} of {} published figures of utilisation and bandwidth "
                       "follow from what was measured; all tables name the cause of each of the others.\n- **Peak "
                       "memory**, known recipe: median {} of {} figures; asked: 8 %.\n- **Time "
                       "to first token**: of a request alone (`ttft_alone_s`) median {} of {} runs, among others "
                       "(`ttft_s`) {} of {}.\n- **Fits or not**: right for {} "
                       "of {} runs, {}; asked: 95 %.\n- **Speed of light**: {}; all tables name the cause of "
                       "each.\n",
                       reproduced, figures, tablePercent(peak.median), peak.rows, tablePercent(alone.median),
                       alone.rows, tablePercent(among.median), among.rows, right, runs.size(),
                       tablePercent(double(right) / double(std::max<std::size_t>(runs.size(), 1))),
                       faster == 1 ? "1 run is faster" : fmt::format("{} runs are faster", faster)) +
           intervalBound(fitted, budgets) + "\n";
}

std::string utilisationTable(std::span<const ValidationGroup> totals)
{
    const auto points = [](const std::optional<double>& value) {
        return value ? fmt::format("{:.2f}", *value) : std::string("-");
    };
    std::string text = "| source | MFU | HFU | MBU | published figures | recounted |\n|---|---|---|---|---|---|\n";
    for (const ValidationGroup& g : totals)
        if (g.mfuPoints || g.mbuPoints || g.accountingFigures)
            text += fmt::format("| {} | {} | {} | {} | {} | {} |\n",
                                g.by == "task" ? "**" + g.key + "**" : markdownText(g.key), points(g.mfuPoints),
                                points(g.hfuPoints), points(g.mbuPoints), g.accountingFigures, g.accountingReproduced);
    return text + "\n";
}

std::string memoryTable(std::span<const ValidationGroup> totals)
{
    std::string text =
        "| source | figures | median | 90th percentile | bias | ran, predicted to fit | failed, predicted "
        "to fail |\n|---|---|---|---|---|---|---|\n";
    for (const ValidationGroup& g : totals) {
        const bool whole = g.by == "task";
        if (!whole && g.memory.rows == 0 && g.failed == 0 && g.ran == g.ranPredictedToFit)
            continue;
        const bool any = g.memory.rows > 0;
        text += fmt::format(
            "| {} | {} | {} | {} | {} | {} of {} | {} of {} |\n", whole ? "**" + g.key + "**" : markdownText(g.key),
            g.memory.rows, any ? tablePercent(g.memory.median) : "-", any ? tablePercent(g.memory.p90) : "-",
            any ? tablePercent(g.memory.bias) : "-", g.ranPredictedToFit, g.ran, g.failedPredictedToFail, g.failed);
    }
    return text + "\n";
}

/// How far apart the published runs of one key lie, by kind of workload.
std::string spreadTable(std::span<const ValidationGroup> groups)
{
    std::string text = "| group | figure | runs | with twins | twins: median | twins: 90th | floor: median | floor: "
                       "90th |\n|---|---|---|---|---|---|---|---|\n";
    for (const ValidationGroup& g : groups)
        if ((g.by == "all" || g.by == "kind") && g.twins.rows > 0)
            text += fmt::format("| {} | `{}` | {} | {} | {} | {} | {} | {} |\n", g.key.empty() ? "all" : g.key,
                                g.metric, g.error.rows, g.twins.rows, tablePercent(g.twins.median),
                                tablePercent(g.twins.p90), tablePercent(g.floor.median), tablePercent(g.floor.p90));
    return text + "\n";
}

/// Published ÷ ours of figures, by what their runs have in common: one line each.
using Ratios = std::map<std::string, std::vector<std::pair<std::string, double>>>;

std::string lines(const Ratios& ratios)
{
    std::string text;
    for (const auto& [what, members] : ratios) {
        text += fmt::format("- {}:", what);
        for (const auto& [name, ratio] : members)
            text += fmt::format(" {} ({:.3f})", markdownCode(name), ratio);
        text += "\n";
    }
    return text.empty() ? "None.\n" : text;
}

/// Which bytes each source counted that prints a bandwidth beside its times.
std::string bandwidths(std::span<const ValidationRun> runs)
{
    Ratios byCount;
    for (const ValidationRun& run : runs)
        for (const AccountingFigure& f : run.accounting)
            if (!f.count.empty())
                byCount[f.count].emplace_back(run.name, f.published / f.ours);
    if (byCount.empty())
        return {};
    return "## Bandwidth that is printed beside a time\n\nThe source does not say which bytes it counts, and its "
           "tables "
           "mix several counts: here is the nearest one of each row. In brackets: published ÷ counted again.\n\n" +
           lines(byCount) + "\n";
}

std::string exceptions(std::span<const ValidationRun> runs)
{
    std::string ideal;
    std::map<std::string, std::string> doubtful; // runs, by cause
    Ratios byCause;
    for (const ValidationRun& run : runs) {
        if (run.fasterThanIdeal)
            ideal += fmt::format("- {}: {}\n", markdownCode(run.name),
                                 run.idealCause.empty() ? "cause unknown" : run.idealCause);
        if (run.doubt != RunDoubt::None && run.doubt != RunDoubt::TooFast)
            doubtful[std::string(doubtText(run.doubt))] += " " + markdownCode(run.name);
        for (const ValidationFigure& f : run.figures)
            if (!f.doubt.empty())
                doubtful[fmt::format("{}, {}", markdownCode(f.metric), f.doubt)] += " " + markdownCode(run.name);
        for (const AccountingFigure& f : run.accounting)
            if (!f.reproduced)
                byCause[f.cause.empty() ? "cause unknown" : f.cause].emplace_back(run.name, f.published / f.ours);
    }
    std::string memory;
    for (const auto& [cause, names] : doubtful)
        memory += fmt::format("- {}:{}\n", cause, names);
    return "## Faster than the speed of light\n\nA measured time below the one with every efficiency at 1 is an error "
           "in "
           "the run as written, or in the catalogue.\n\n" +
           (ideal.empty() ? "None.\n" : ideal) +
           "\n## What cannot have been as it is written\n\nMemory alone says so, or of one figure its neighbours; "
           "nothing of inference is fitted to these runs, nor to those faster than light. They are counted above all "
           "the same.\n\n" +
           (memory.empty() ? "None.\n" : memory) +
           "\n## Published utilisation that does not follow from the published throughput\n\nIn brackets: published ÷ "
           "counted again, under the source's own convention.\n\n" +
           lines(byCause) + "\n";
}

std::string factorTable(const std::vector<Json>& factors)
{
    std::string text =
        "| constant | prior | fitted | one source left out | runs | sources |\n|---|---|---|---|---|---|\n";
    for (const Json& f : factors) {
        const std::string range =
            f.contains("left_out_low")
                ? fmt::format("{:.4g} to {:.4g}", f.value("left_out_low", 0.0), f.value("left_out_high", 0.0))
                : std::string("-");
        text +=
            fmt::format("| `{}` | {:.4g} | {:.4g} | {} | {} | {} |\n", f.value("constant", ""), f.value("prior", 0.0),
                        f.value("value", 0.0), range, f.value("runs", 0), f.value("sources", ""));
    }
    return text + "\n";
}

/// How many constants the runs may move, of each section.
std::string freeConstants(const Json& calibration, const std::vector<std::string>& sections)
{
    std::string text;
    for (const std::string& section : sections)
        if (const auto& fit = calibration[section]["fit"]; fit.contains("free_constants"))
            text += fmt::format("{} free constants in {}. ", fit.value("free_constants", 0), section);
    return text.empty() ? text : text + "\n\n";
}

/// What the page of the repository's own runs is, and how it is made.
std::string origin(std::size_t runs)
{
    return fmt::format(
        "# How well the predictor meets published runs\n\nWritten over the {} runs of `data/runs`; do not edit. The "
        "constants and their record, this page, and every table besides (by method, source, accelerator, precision, "
        "batch and software; utilisation, memory, each run that cannot be met and why, each fitted constant) are made "
        "by\n\n```\n"
        "packaging/data/runs.py | headroom-cli calibrate --builtin --cross-validate --output "
        "resources/calibration.json -\n"
        "packaging/data/runs.py | headroom-cli validate --format markdown --budgets tests/validation_budgets.json - > "
        "docs/validation.md\n"
        "packaging/data/runs.py | headroom-cli validate --format markdown --budgets tests/validation_budgets.json "
        "--all-tables -\n```\n\n",
        runs);
}

/// How to read the tables.
constexpr std::string_view legend =
    R"(- Errors are |predicted ÷ measured − 1| of times (a rate is turned into one first). Bias is the median with its sign.
- *Left out*: the error when the constants are fitted without the run's own source. Of inference, where one source holds many teams' runs: without those on its accelerator or of its model. It is the error to expect of a source that nobody has seen.
- *Inside 80 %*: runs inside the predicted interval. Left out: inside the interval that others of its kind and figure make with the constants fitted without its source. Others are, of training, all but the source's runs of its model; of inference, all other campaigns (where one is all there is, its other models).
- *Model left out*, of inference: fitted without any run of the model, whoever measured it: the error to expect of a model that nobody has measured.
- "-": too few runs for a share, or nothing to leave out.

)";

/// The tables behind the summary.
std::string otherTables(std::span<const ValidationRun> runs, std::span<const ValidationGroup> groups,
                        const Json& calibration, const std::vector<Json>& fitted)
{
    std::string text;
    for (const auto& [by, title] :
         {std::pair("method", "Method"), std::pair("source", "Source"), std::pair("accelerator", "Accelerator"),
          std::pair("precision", "Precision"), std::pair("architecture", "Dense or experts"),
          std::pair("batch", "Batch"), std::pair("software", "Software"), std::pair("recipe", "Recipe")})
        text += fmt::format("## {}\n\n", title) + errorTable(groups, by, fitted);
    text += "## What a scenario does not say\n\nRuns that were published more than once under the same scenario: other "
            "releases, other options, other days. *Twins*: how far each of them lies from the median of the others, "
            "which is the error of one who knows all runs but this. *Floor*: what a predictor that knows the median of "
            "every scenario by heart would still miss in the group.\n\n" +
            spreadTable(groups);
    const std::vector<ValidationGroup> totals = totalsOf(runs);
    text +=
        "## Utilisation\n\nMedian of |predicted − observed| in percentage points, under the source's convention, and "
        "published figures that follow from the published throughput.\n\n" +
        utilisationTable(totals);
    text += "## Memory\n\nErrors of runs whose recipe is known, figures of the kind that the source gives; what was "
            "predicted to fit, of all runs.\n\n" +
            memoryTable(totals);
    text += bandwidths(runs) + exceptions(runs);
    const std::vector<std::string> sections = sectionsOf(runs);
    text += "## What was fitted to what\n\n" + freeConstants(calibration, sections) +
            factorTable(fitRows(calibration, sections, "factors"));
    return text;
}

} // namespace

std::string validationMarkdown(std::span<const ValidationRun> runs, std::span<const ValidationGroup> groups,
                               const ValidationBudgets& budgets, ValidationTables tables)
{
    const Json calibration = parsed(embeddedFile("calibration.json").value_or(""));
    const bool own = budgets.groups.empty(); // budgets are those of the repository's runs: nothing was fitted to others
    const std::vector<Json> fitted = own ? std::vector<Json>() : fitRows(calibration, sectionsOf(runs), "groups");
    std::string text = own ? fmt::format("# Predicted and measured: {} runs\n\n", runs.size()) : origin(runs.size());
    text += legend;
    if (!budgets.groups.empty())
        text += "## What was asked\n\n" + budgetTable(groups, budgets) + otherBounds(runs, fitted, budgets);
    for (const auto& [by, title] : {std::pair("task", "Task"), std::pair("kind", "Kind of workload")})
        text += fmt::format("## {}\n\n", title) + errorTable(groups, by, fitted);
    if (tables == ValidationTables::All)
        text += otherTables(runs, groups, calibration, fitted);
    else
        text.pop_back(); // no empty line at the end
    return text;
}

} // namespace headroom
