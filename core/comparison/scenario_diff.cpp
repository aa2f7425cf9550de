// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/comparison/scenario_diff.hpp"

#include "core/scenario/parameter_registry.hpp"
#include "core/support/say.hpp"

namespace headroom
{

namespace
{

std::string valueText(const ParameterRow& row, const Setup& setup)
{
    if (!isOffered(row, setup)) // GPUs of a prefill pool, where nothing is disaggregated
        return "—";
    const bool automatic = row.optional && !row.isSet(setup);
    const bool number = row.kind == ParameterKind::Integer || row.kind == ParameterKind::Real;
    if (automatic && number && row.get(setup) <= 0) // nothing fills the gap: a price
        return said("not stated");
    if ((automatic && row.decidedElsewhere) || isOverruled(row, setup))
        return said("automatic");
    const std::string value = parameterText(row, row.get(setup));
    return automatic ? value + said(" (automatic)") : value;
}

/// What was measured is no setting: it has rows of its own.
bool isMeasurement(const ParameterRow& row)
{
    return row.path.starts_with("/measured/");
}

void addParameters(std::vector<ScenarioDifference>& found, const Setup& before, const Setup& after)
{
    for (const ParameterRow& row : parameterRegistry()) {
        if (isMeasurement(row) || !appliesTo(row, before.task) || !appliesTo(row, after.task) ||
            (!isOffered(row, before) && !isOffered(row, after)))
            continue;
        // What is automatic on both sides follows from the differences that are listed.
        const bool follows = row.optional && !row.isSet(before) && !row.isSet(after);
        const bool overruled = isOverruled(row, before) || isOverruled(row, after);
        const bool same =
            overruled ? isOverruled(row, before) == isOverruled(row, after) : row.get(before) == row.get(after);
        if (follows || same)
            continue;
        found.push_back({said(row.label), valueText(row, before), valueText(row, after), std::string(row.id)});
    }
}

/// Keys of text, which have no row.
void addTexts(std::vector<ScenarioDifference>& found, const Setup& before, const Setup& after)
{
    const auto version = [](const Setup& setup) -> std::string {
        const auto& stated =
            setup.task == Task::Training ? setup.training.softwareVersion : setup.inference.softwareVersion;
        return stated ? std::string(stated->text()) : said("not stated");
    };
    if (before.task == after.task && version(before) != version(after))
        found.push_back({said("Software version"), version(before), version(after), {}});
}

/// "main: 14.8 T tokens · 4,096 tokens; long: …": of each phase what it states of itself.
std::string phasesText(const TrainingPhases& phases)
{
    if (phases.empty())
        return said("none");
    std::string text;
    for (const TrainingPhase& phase : phases) {
        text += (text.empty() ? "" : "; ") + phase.name + ": " +
                parameterText(*parameterRow("training_tokens"), phase.tokens);
        const auto add = [&text](const char* id, const std::optional<std::int64_t>& value) {
            if (value)
                text += " · " + parameterText(*parameterRow(id), static_cast<double>(*value));
        };
        add("sequence_length", phase.sequenceLength);
        add("global_batch", phase.globalBatch);
        add("count", phase.count);
    }
    return text;
}

void addPhases(std::vector<ScenarioDifference>& found, const TrainingPhases& before, const TrainingPhases& after)
{
    if (before != after)
        found.push_back({said("Phases"), phasesText(before), phasesText(after), {}});
}

void addTask(std::vector<ScenarioDifference>& found, const Setup& before, const Setup& after)
{
    const auto name = [](Task task) { return task == Task::Training ? said("training") : said("inference"); };
    if (before.task != after.task)
        found.push_back({said("Task"), name(before.task), name(after.task), {}});
}

} // namespace

std::vector<ScenarioDifference> differences(const PreparedScenario& before, const PreparedScenario& after)
{
    std::vector<ScenarioDifference> found;
    addTask(found, before, after);
    if (before.model->architecture.id != after.model->architecture.id ||
        before.model->architecture.name != after.model->architecture.name)
        found.push_back({said("Model"), before.model->architecture.name, after.model->architecture.name, {}});
    if (before.accelerator->id != after.accelerator->id || before.accelerator->name != after.accelerator->name)
        found.push_back({said("Accelerator"), before.accelerator->name, after.accelerator->name, {}});
    addParameters(found, before, after);
    addTexts(found, before, after);
    const TrainingPhases none;
    addPhases(found, before.phases ? *before.phases : none, after.phases ? *after.phases : none);
    return found;
}

std::vector<ScenarioDifference> differences(const Scenario& before, const Scenario& after)
{
    std::vector<ScenarioDifference> found;
    addTask(found, before, after);
    if (before.model.id != after.model.id)
        found.push_back({said("Model"), before.model.id, after.model.id, {}});
    if (before.accelerator.id != after.accelerator.id)
        found.push_back({said("Accelerator"), before.accelerator.id, after.accelerator.id, {}});
    addParameters(found, before, after);
    addTexts(found, before, after);
    addPhases(found, before.phases, after.phases);
    return found;
}

} // namespace headroom
