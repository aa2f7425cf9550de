// SPDX-License-Identifier: GPL-3.0-or-later
// headroom-cli plan: the deployments that fit and meet the targets, ranked, and why the first cheaper ones fail.
#include "app/cli/command.hpp"
#include "app/cli/interruption.hpp"
#include "app/cli/plan_table.hpp"
#include "app/cli/scenario_loader.hpp"
#include "core/explore/sweep.hpp"
#include "core/plan/planner_base.hpp"
#include "core/plan/planner_dimensions.hpp"
#include "core/plan/planner_growth.hpp"
#include "core/plan/planner_question.hpp"
#include "core/plan/planner_table.hpp"
#include "core/scenario/plan_rows.hpp"
#include "core/scenario/scenario_names.hpp"
#include "core/support/nearest_name.hpp"
#include "core/units/numbers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <functional>

namespace headroom::cli
{
namespace
{

struct PlanOptions {
    std::string file, gpus, objective;
    std::vector<std::string> accelerators, lock, free;
    PlanQuestion asked;                  ///< the rows below are given, and slowEnd; the rest is the file's
    std::vector<const PlanRow*> given{}; ///< by options
    std::vector<double> growth;
    std::size_t top = 20;
    unsigned threads = 0;
    Format format = Format::Text;
};

/// As files have them; in the order of PlanObjective.
constexpr auto& objectives = names::planGoals;
static_assert(objectives.size() == planObjectiveCount);

/// More numbers of GPUs than anyone compares, fewer than a slip of the pen makes ("1..1e6:+1").
constexpr std::size_t mostCounts = 4096;

PlanDimension dimensionOf(const std::string& option, std::string_view key)
{
    const auto found = std::ranges::find(planDimensionNames, key, &PlanDimensionName::key);
    if (found != planDimensionNames.end())
        return found->dimension;
    const auto names = namesOf(planDimensionNames, &PlanDimensionName::key);
    wrongUsage(option, '\'' + std::string(key) + "' is not a dimension of the search; " +
                           suggestName(key, names, names.size()));
}

/// "tensor" holds the file's value, "tensor=8" this one.
void lock(PlanRequest& request, const std::string& text)
{
    const auto equals = text.find('=');
    const std::string key = text.substr(0, equals);
    const PlanDimension dimension = dimensionOf("--lock", key);
    request.free = request.free.lock(dimension);
    if (equals == std::string::npos) {
        if (dimension == PlanDimension::Replicas)
            holdReplicas(request.base);
        return;
    }
    const bool weights = dimension == PlanDimension::Precision && request.base.task == Task::Inference;
    const ParameterRow* row = parameterRow(weights ? "weights" : key, request.base.task);
    if (row == nullptr)
        wrongUsage("--lock", '\'' + key + "' has no meaning for this task");
    const auto values = parseSweepValues(*row, std::string_view(text).substr(equals + 1));
    if (!values)
        wrongUsage("--lock", key + ": " + toText(values.error().front()));
    if (values->size() != 1)
        wrongUsage("--lock", key + ": give one value");
    row->set(request.base, values->front());
}

/// "8..64": numbers of which a load may take any between them. A list and a step are as they stand.
bool isRange(const std::string& text)
{
    return text.find("..") != std::string::npos && text.find_first_of(":,") == std::string::npos;
}

std::vector<std::int64_t> gpuCounts(const std::string& text)
{
    const auto read = [](const std::string& values) {
        auto numbers = parseSweepValues(*parameterRow("count"), values);
        if (!numbers)
            wrongUsage("--gpus", toText(numbers.error().front()));
        return std::move(*numbers);
    };
    const std::vector<double> values = read(text);
    if (values.size() > mostCounts)
        wrongUsage("--gpus", "that makes more than 4096 numbers of GPUs; step by more, as in 8..1024:+8");
    if (isRange(text)) // a doubling may step over the last
        return planCounts(values.front(), read(text.substr(text.find("..") + 2)).front());
    std::vector<std::int64_t> counts;
    for (const double value : values)
        counts.push_back(static_cast<std::int64_t>(std::llround(value)));
    return counts;
}

/// What the saved question asks an hour for, of an accelerator that is not the scenario's own.
std::optional<double> askedPrice(const PlanQuestion& question, const Accelerator& accelerator)
{
    const auto asked = std::ranges::find(question.accelerators, accelerator.id, &PlanDevice::id);
    return asked != question.accelerators.end() ? asked->pricePerGpuHour : std::nullopt;
}

std::vector<PlanAccelerator> accelerators(const PlanOptions& options, const PreparedScenario& base,
                                          const PlanQuestion& question, Context& context)
{
    std::vector<PlanAccelerator> all;
    for (const std::string& id : options.accelerators) {
        auto entry = context.catalog().accelerator(id);
        if (!entry) {
            const std::string near = acceleratorHint(context.catalog(), id);
            wrongUsage("--accelerator", '\'' + id + "' is not in the catalogue; " +
                                            (near.empty() ? "headroom-cli accelerators lists what is" : near));
        }
        if (!entry->missingFacts().empty())
            wrongUsage("--accelerator", "too little is published about the " + entry->name + " to evaluate it");
        if (entry->id == base.accelerator->id)
            entry = base.accelerator; // with the file's overrides
        all.push_back(planAccelerator(base, entry, askedPrice(question, *entry)));
    }
    return all;
}

/// What the file asks, and over it what the options say.
PlanQuestion questionOf(const PlanOptions& options, const LoadedScenario& loaded)
{
    PlanQuestion question = loaded.scenario.plan.value_or(PlanQuestion());
    for (const PlanRow* row : options.given)
        setNumber(*row, question, numberOf(*row, options.asked));
    question.slowEnd = question.slowEnd || options.asked.slowEnd;
    return question;
}

PlanRequest requestOf(const PlanOptions& options, const LoadedScenario& loaded, Context& context)
{
    const PreparedScenario& base = loaded.prepared;
    const PlanQuestion question = questionOf(options, loaded);
    if (options.asked.users && base.task == Task::Training)
        wrongUsage("--users", "a training run has no users");
    if (options.asked.thinkS != PlanQuestion{}.thinkS && !question.users)
        wrongUsage("--think-time", "it is the pause of users; give --users");
    PlanRequest request = planRequest(question, base, context.catalog());
    if (!options.accelerators.empty()) {
        request.accelerators = accelerators(options, base, question, context);
        if (question.objective == PlanGoal::Cost)
            request.objective = usualObjective(request.accelerators);
    }
    if (!options.gpus.empty()) {
        request.gpuCounts = gpuCounts(options.gpus);
        request.exactCounts = !isRange(options.gpus);
    }
    for (const std::string& key : options.free)
        request.free = request.free.release(dimensionOf("--free", key));
    for (const std::string& text : options.lock)
        lock(request, text);
    const auto objective = std::ranges::find(objectives, options.objective, &NamedValue<PlanGoal>::id);
    if (objective != objectives.end()) {
        request.objective = static_cast<PlanObjective>(objective - objectives.begin());
        request.costIsAsked = false; // it is refused where a price is unknown
    }
    if (base.task == Task::Inference) { // refused by the search: asked for by an option, it is not passed over
        request.limits.costToTrain = options.asked.budget;
        if (options.asked.deadlineDays)
            request.limits.deadlineS = *options.asked.deadlineDays * secondsPerDay;
    }
    request.top = options.top;
    request.threads = options.threads;
    return request;
}

/// Refuses what `holds` is not true of: `wanted` says what would be right.
CLI::Validator number(const std::string& wanted, const std::function<bool(double)>& holds)
{
    return {[wanted, holds](const std::string& text) {
                double value = 0;
                const bool read = CLI::detail::lexical_cast(text, value) && std::isfinite(value);
                return read && holds(value) ? std::string() : fmt::format("must be a number {}, not {}", wanted, text);
            },
            ""};
}

CLI::Validator positive()
{
    return number("above 0", [](double value) { return value > 0; });
}

CLI::Validator within(double least, double most)
{
    return number(fmt::format("from {} to {}", least, most),
                  [least, most](double value) { return value >= least && value <= most; });
}

/// An option that takes the place of what a saved question says: the words and the range are the row's.
void addQuestion(CLI::App& command, const std::shared_ptr<PlanOptions>& options, const std::string& name,
                 std::string_view key, const std::string& type)
{
    const PlanRow& row = planRow(key);
    const bool isLimit = std::holds_alternative<PlanRow::Limit>(row.member);
    const auto usual = numberOf(row, PlanQuestion());
    command
        .add_option_function<double>(
            name,
            [options, &row](double value) {
                setNumber(row, options->asked, value);
                options->given.push_back(&row);
            },
            usual ? fmt::format("{}; default {}", row.tip, *usual) : std::string(row.tip))
        ->check(isLimit ? positive() : within(row.minimum, row.maximum))
        ->type_name(type);
}

/// What a saved question asks of the other task, which no search answers.
std::vector<std::string> notAsked(const PlanQuestion& question, Task task)
{
    std::vector<std::string> notes;
    if (task == Task::Training && question.users)
        notes.emplace_back("plan.users has no effect: a training run has no users");
    if (task == Task::Inference && (question.deadlineDays || question.budget))
        notes.emplace_back("plan.deadline_days and plan.budget have no effect: a service has no end");
    return notes;
}

void runPlan(const PlanOptions& options, Context& context)
{
    const auto loaded = loadOne(options.file, context);
    if (!loaded)
        return;
    const PlanRequest request = requestOf(options, *loaded, context);
    const Interruption interruption;
    auto result = plan(request, interruption.token());
    if (!result) {
        refuseFile(context, options.file, result.error());
        return;
    }
    if (loaded->scenario.plan)
        for (std::string& note : notAsked(*loaded->scenario.plan, request.base.task))
            result->notes.push_back(std::move(note));
    std::vector<PlanGrowthRow> growth;
    if (!options.growth.empty())
        growth = planGrowth(request, options.growth, interruption.token()).value_or(growth); // plan() has refused
    if (const std::string missing = missingMultiples(options.growth, growth);
        interruption.happened() && !missing.empty())
        result->notes.insert(result->notes.begin(), missing);
    if (interruption.happened() && options.format == Format::Csv) // no place in a table
        for (const std::string& note : result->notes)
            if (note.starts_with("Stopped"))
                std::fputs(("headroom-cli: " + note + "\n").c_str(), stderr);
    if (options.format == Format::Json) {
        print(planJson(*result, growth));
        return;
    }
    if (options.format == Format::Csv) {
        print(options.growth.empty() ? planCsv(request.base.task, result->ranked)
                                     : growthCsv(request.base.task, growth));
        return;
    }
    printPlanTable(request, *result);
    printPlanRemarks(request, *result, objectives[static_cast<std::size_t>(request.objective)].id);
    if (!options.growth.empty() && !(growth.empty() && interruption.happened()))
        printGrowth(request.base.task, growth);
}

} // namespace

void addPlan(CLI::App& app, Context& context)
{
    const auto options = std::make_shared<PlanOptions>();
    const auto goals = namesOf(objectives, &NamedValue<PlanGoal>::id);
    CLI::App* command =
        app.add_subcommand("plan", "Find the deployments that fit and meet the targets of a scenario, best first");
    command->footer(
        "The targets are the file's: latency_targets and requests_per_s of inference, training_tokens with\n"
        "--deadline-days or --max-cost of training. TTFT is that of a prompt of the 95th percentile length\n"
        "plus the wait that 95 % of the requests stay under; the 99th where latency_targets say p99. Parallel\n"
        "sizes, sharding, batch, checkpointing are free unless they are locked; number formats (precision,\n"
        "kv_cache, gradients), chunked_loss and offload stay the file's unless they are freed. A question that\n"
        "the file has saved (plan) is asked again; an option takes the place of what it says. Where the\n"
        "objective is a prediction, the smallest deployment that surely fits wins within the 80 % interval.\n"
        "Ctrl+C stops the search: what it has is printed, and how much it had not yet looked at.");
    command->add_option("FILE", options->file, "A scenario file, or - for standard input")->required();
    command
        ->add_option(
            "--gpus", options->gpus,
            "Numbers of GPUs: 8..1024 (doubling, and under a load any number in between); 8..64:+8 or 8,16,24 (these "
            "alone); default the file's question, else 1..1024")
        ->type_name("COUNTS");
    command
        ->add_option("--accelerator", options->accelerators,
                     "Catalogue ids; default: the scenario's and its question's")
        ->delimiter(',')
        ->type_name("ID");
    command
        ->add_option("--objective", options->objective,
                     "What is best: cost, time, energy, gpus, mfu; default cost, or gpus where a price is unknown")
        ->check(CLI::IsMember(std::vector<std::string>(goals.begin(), goals.end())).description(""))
        ->type_name("OBJECTIVE");
    addQuestion(*command, options, "--max-cost-per-hour", "cost_per_hour", "MONEY");
    addQuestion(*command, options, "--max-cost", "budget", "MONEY");
    addQuestion(*command, options, "--deadline-days", "deadline_days", "DAYS");
    addQuestion(*command, options, "--users", "users", "COUNT");
    addQuestion(*command, options, "--think-time", "think_s", "SECONDS");
    command->add_flag("--slow-end", options->asked.slowEnd, std::string(planRow("slow_end").tip));
    command
        ->add_option("--growth", options->growth,
                     "Also the cheapest deployment at these multiples of the load or of the tokens, as in 1,2,5,10 "
                     "(csv: these rows instead of the ranking)")
        ->delimiter(',')
        ->check(positive())
        ->type_name("MULTIPLES");
    command->add_option("--top", options->top, "Rows to list; default 20")->check(within(1, 10000))->type_name("ROWS");
    command->add_option("--lock", options->lock, "Hold a dimension at the file's value (tensor) or another (tensor=8)")
        ->type_name("KEY[=VALUE]")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    command
        ->add_option("--free", options->free,
                     "Let the search choose: precision, kv_cache, gradients, chunked_loss, offload")
        ->type_name("KEY")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    addThreads(*command, options->threads);
    addFormat(*command, options->format, {Format::Text, Format::Json, Format::Csv});
    addEfficiency(*command, context);
    addPrices(*command, context);
    command->callback([options, &context] { runPlan(*options, context); });
}

} // namespace headroom::cli
