// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/scenario_json.hpp"

#include "core/scenario/config_words.hpp"
#include "core/scenario/effective.hpp"
#include "core/scenario/field_reader.hpp"
#include "core/scenario/measurement.hpp"
#include "core/scenario/scenario_fields.hpp"
#include "core/scenario/scenario_keys.hpp"
#include "core/scenario/stated_value.hpp"
#include "core/support/say.hpp"

#include <algorithm>
#include <cmath>

namespace headroom
{
namespace
{

constexpr std::string_view formatMarker = "headroom-scenario";
constexpr int newestVersion = 1;
/// A scenario that carries a config.json may be as large as one.
constexpr std::size_t largestWithConfig = 16u << 20;
constexpr std::string_view configKey = "\"hf_config\"";

/// False where nothing further is worth reading: another kind of file, or one from a newer release.
bool readMarkers(ObjectReader& document)
{
    const Json& json = document.json();
    if (!json.contains("format") && (json.contains("model_type") || json.contains("architectures"))) {
        document.error("", "wrong-format", said("this is a model's config.json, not a scenario"),
                       say("put it into a scenario as {}", R"("model": {"hf_config": { … }})"));
        return false;
    }
    return readFormat(document, formatMarker) && readVersion(document, newestVersion);
}

/// Moves the problems of a choice into the document's. Their paths begin at the scenario's root.
template <typename Result>
void addProblems(ObjectReader& reader, const Expected<Result>& result)
{
    if (result)
        return;
    const bool ofMeasurement = reader.pathOf("").starts_with(measuredWithPath);
    for (Diagnostic diagnostic : result.error()) {
        if (ofMeasurement)
            diagnostic.path.insert(0, measuredWithPath);
        if (reader.diagnostics().size() < mostDiagnostics)
            reader.diagnostics().push_back(std::move(diagnostic));
    }
}

/// The id of an object form: of the entry it changes, else "custom".
std::string idOfObject(const Json& object)
{
    const auto id = object.find("id");
    return id != object.end() && id->is_string() ? id->get<std::string>() : "custom";
}

void readModelChoice(ObjectReader& document, ModelChoice& choice, const Catalog& catalog)
{
    const Json* value = document.value("model", Presence::Required);
    if (value == nullptr)
        return;
    if (value->is_object()) {
        choice = {idOfObject(*value), value->dump()};
        addProblems(document, resolveModel(choice, catalog));
    } else if (value->is_string()) {
        const auto& id = value->get_ref<const std::string&>();
        if (const auto entry = catalog.model(id))
            choice = {entry->id, {}};
        else
            addProblems(document, resolveModel({id, {}}, catalog));
    } else {
        document.wrongType("model", *value, said("a catalogue id or an object"));
    }
}

void readAcceleratorChoice(ObjectReader& hardware, AcceleratorChoice& choice, const Catalog& catalog)
{
    const Json* value = hardware.value("accelerator", Presence::Required);
    if (value == nullptr)
        return;
    if (value->is_object()) {
        choice = {idOfObject(*value), value->dump()};
        addProblems(hardware, resolveAccelerator(choice, catalog));
    } else if (value->is_string()) {
        const auto& id = value->get_ref<const std::string&>();
        if (const auto entry = catalog.accelerator(id))
            choice = {entry->id, {}};
        else
            addProblems(hardware, resolveAccelerator({id, {}}, catalog));
    } else {
        hardware.wrongType("accelerator", *value, said("a catalogue id or an object"));
    }
}

void readHardware(ObjectReader& hardware, Scenario& scenario, const Catalog& catalog)
{
    readAcceleratorChoice(hardware, scenario.accelerator, catalog);
    FieldReader keys(hardware, scenario.hardware, scenario.task);
    fields::hardware(keys);
}

/// The lengths of a mix are its means; stated beside it, they have to be.
void settleMix(ObjectReader& workload, InferenceWorkload& w)
{
    if (!w.mix)
        return;
    const auto settle = [&](const char* key, std::int64_t& length, double mean) {
        const std::int64_t whole = std::max<std::int64_t>(1, std::llround(mean));
        if (workload.value(key) != nullptr && length != whole)
            workload.error(key, "out-of-range", say("{} is not the mean of 'mix', {}", length, whole),
                           said("leave it out: it follows"));
        length = whole;
    };
    settle("prompt_tokens", w.promptTokens, w.mix->meanPrompt());
    settle("output_tokens", w.outputTokens, w.mix->meanOutput());
}

TrainingPhase readPhase(ObjectReader& reader)
{
    TrainingPhase phase;
    static_cast<void>(reader.value("tokens", Presence::Required)); // without it the phase has no length
    FieldReader keys(reader, phase, Task::Training);
    fields::phase(keys);
    return phase;
}

void readPhases(ObjectReader& workload, TrainingPhases& phases)
{
    const bool there =
        workload.objects("phases", [&phases](ObjectReader& reader) { phases.push_back(readPhase(reader)); });
    if (there && (phases.empty() || phases.size() > mostPhases))
        workload.error("phases", "out-of-range", say("{} phases", phases.size()),
                       say("use 1 to {}; a run of one piece needs none", mostPhases));
}

/// The other keys of a workload depend on its task: without one they are not judged.
void readWorkload(ObjectReader& document, Scenario& scenario)
{
    const Json* value = document.value("workload", Presence::Required);
    if (value == nullptr)
        return;
    ObjectReader workload(*value, document.pathOf("workload"), document.diagnostics());
    if (!workload.isObject() || !workload.choice("task", scenario.task, names::tasks, Presence::Required))
        return;
    if (scenario.task == Task::Training) {
        FieldReader keys(workload, scenario.training, scenario.task);
        fields::training(keys);
        readPhases(workload, scenario.phases);
        warnOfIdleAdapters(workload, scenario.training);
        for (const std::string_view object : {fields::reliability, fields::rlKey})
            if (workload.value(object) != nullptr)
                askFor(scenario, object);
    } else {
        FieldReader keys(workload, scenario.inference, scenario.task);
        fields::inference(keys);
        settleMix(workload, scenario.inference);
        settleLoad(workload, scenario.inference);
        if (workload.value(fields::autoscale) != nullptr)
            askFor(scenario, fields::autoscale);
    }
    workload.finish();
}

void readParallelism(ObjectReader& document, Scenario& scenario)
{
    document.object("parallelism", [&scenario](ObjectReader& reader) {
        FieldReader keys(reader, scenario.parallelism, scenario.task);
        fields::parallelism(keys);
    });
}

/// The settings of a measurement that are not the scenario's own.
void readMeasuredWith(ObjectReader& document, Scenario& scenario, const Catalog& catalog)
{
    Scenario other;
    const bool there = document.object("measured_with", [&](ObjectReader& reader) {
        readModelChoice(reader, other.model, catalog);
        reader.object(
            "hardware", [&](ObjectReader& hardware) { readHardware(hardware, other, catalog); }, Presence::Required);
        readWorkload(reader, other);
        readParallelism(reader, other);
        reader.choice("accounting", other.accounting, names::conventions);
    });
    if (there)
        scenario.measuredWith = RunSettings{other.setup(), other.model, other.accelerator};
}

void readPlanDevice(ObjectReader& reader, PlanQuestion& question, const Catalog& catalog)
{
    PlanDevice device;
    FieldReader keys(reader, device, Task::Training);
    fields::planDevice(keys);
    const Json* id = reader.value("id");
    if (id == nullptr)
        reader.string("id", device.id, Presence::Required);
    if (id == nullptr || !id->is_string())
        return;
    const auto entry = catalog.accelerator(device.id);
    if (!entry) {
        addDiagnostic(reader.diagnostics(), "unknown-accelerator", reader.pathOf("id"),
                      say("'{}' is not in the catalogue; the plan leaves it out", device.id), {}, Severity::Warning);
        return;
    }
    device.id = entry->id;
    question.accelerators.push_back(std::move(device));
}

/// What a plan asks for.
void readPlan(ObjectReader& document, Scenario& scenario, const Catalog& catalog)
{
    PlanQuestion question;
    const bool there = document.object("plan", [&](ObjectReader& reader) {
        FieldReader keys(reader, question, scenario.task);
        fields::plan(keys);
        reader.objects("accelerators", [&](ObjectReader& device) { readPlanDevice(device, question, catalog); });
    });
    if (there)
        scenario.plan = std::move(question);
}

/// After all else: a measurement of the scenario's own settings needs no others, and none has none.
void settleMeasurement(ObjectReader& document, Scenario& scenario)
{
    if (!scenario.measuredWith)
        return;
    if (!scenario.measured.any())
        addDiagnostic(document.diagnostics(), "not-used", std::string(measuredWithPath),
                      said("these are the settings of a measurement, and there is no 'measured'"),
                      said("leave it out, or state what was measured"), Severity::Warning);
    // Only what decides a run: a price or a target beside it says nothing.
    Scenario run;
    run.setup() = scenario.measuredWith->setup;
    run.model = scenario.measuredWith->model;
    run.accelerator = scenario.measuredWith->accelerator;
    run.measured = scenario.measured;
    scenario.measuredWith = runSettings(run);
    if (!scenario.measured.any() || sameRun(*scenario.measuredWith, runSettings(scenario)))
        scenario.measuredWith.reset();
}

/// The parts of a profile are all of its step.
void checkProfile(ObjectReader& document, const MeasuredProfile& profile)
{
    constexpr double tolerance = 1e-3;
    if (profile == MeasuredProfile() || std::abs(profile.sumS() - profile.stepS) <= tolerance * profile.stepS)
        return;
    addDiagnostic(document.diagnostics(), "parts-differ", "/measured/profile",
                  say("the parts add up to {} s, not to step_s, {} s", profile.sumS(), profile.stepS),
                  said("import the profile again"));
}

void readDocument(ObjectReader& document, Scenario& scenario, ScenarioReading* around, const Catalog& catalog);

/// "2026-11-25T03:40:00Z"
bool isTime(std::string_view text)
{
    constexpr std::string_view form = "dddd-dd-ddTdd:dd:ddZ";
    return text.size() == form.size() && std::ranges::equal(text, form, [](char c, char like) {
               return like == 'd' ? c >= '0' && c <= '9' : c == like;
           });
}

/// Whole scenarios, without pins of their own.
void readPins(ObjectReader& document, std::vector<SavedPin>& pins, const Catalog& catalog)
{
    document.objects("pins", [&](ObjectReader& reader) {
        SavedPin pin;
        reader.string("name", pin.name);
        if (pin.name.size() > longestPinName)
            reader.error("name", "out-of-range", say("a name has at most {} bytes", longestPinName), {});
        if (const auto* found = reader.value("scenario", Presence::Required)) {
            ObjectReader inner(*found, reader.pathOf("scenario"), reader.diagnostics());
            readDocument(inner, pin.scenario, nullptr, catalog);
        }
        if (pins.size() == mostPins)
            addDiagnostic(reader.diagnostics(), "too-many", reader.path(),
                          say("a scenario has at most {} pins", mostPins), said("leave some out"));
        pins.push_back(std::move(pin));
    });
}

/// `around`: what a file holds beside its scenario; null where a scenario alone is asked for.
void readDocument(ObjectReader& document, Scenario& scenario, ScenarioReading* around, const Catalog& catalog)
{
    if (!document.isObject() || !readMarkers(document))
        return;
    FieldReader texts(document, scenario, scenario.task);
    fields::document(texts);
    readModelChoice(document, scenario.model, catalog);
    document.object(
        "hardware", [&](ObjectReader& hardware) { readHardware(hardware, scenario, catalog); }, Presence::Required);
    readWorkload(document, scenario);
    readParallelism(document, scenario);
    readEfficiency(document, scenario.efficiency, scenario.fittedOn);
    document.choice("accounting", scenario.accounting, names::conventions);
    readMeasuredWith(document, scenario, catalog);
    const Task measuredTask = scenario.measuredWith ? scenario.measuredWith->setup.task : scenario.task;
    document.object("measured", [&](ObjectReader& reader) {
        FieldReader keys(reader, scenario.measured, measuredTask);
        fields::measured(keys);
    });
    checkProfile(document, scenario.measured.profile);
    readKernels(document, "profile_kernels", scenario.kernels);
    if (!scenario.measured.profile.any())
        scenario.kernels.clear(); // names of no profile say nothing
    readPlan(document, scenario, catalog);
    if (around) {
        readPins(document, around->pins, catalog);
        if (document.string("recorded", around->recorded) && !isTime(around->recorded))
            document.error("recorded", "bad-time", said("this is no time in UTC"), said("as in 2026-11-25T03:40:00Z"));
    }
    document.finish();
    settleMeasurement(document, scenario);
    if (scenario.task == Task::Training && scenario.training.checkpointing == Checkpointing::Unknown &&
        !scenario.measured.any()) {
        addDiagnostic(document.diagnostics(), "unknown-checkpointing", "/workload/checkpointing",
                      said("'unknown' is for published measurements, and there is no 'measured'"),
                      said("state the mode: none, selective_op, selective_layer, full or attention_only"));
    }
}

/// Only a scenario with a config.json may be larger than 1 MiB.
Expected<Json> parseDocument(std::string_view text)
{
    JsonLimits limits;
    if (text.size() > limits.bytes && text.size() <= largestWithConfig && text.find(configKey) != text.npos)
        limits.bytes = largestWithConfig;
    return parseWithConfig(text, limits);
}

/// A key that another part of the file has is told where it belongs.
void hintToMove(Diagnostics& problems, Task task)
{
    for (Diagnostic& problem : problems) {
        if (problem.code != "unknown-key")
            continue;
        const std::string path = pathOfKey(std::string_view(problem.path).substr(problem.path.rfind('/') + 1), task);
        const bool isOfRl = path.starts_with("/workload/rl/"); // another job: who asks for it says so
        if (!path.empty() && path != problem.path && !isOfRl)
            problem.hint = say("did you mean '{}'?", path);
    }
}

} // namespace

std::string scenarioName(std::string_view text)
{
    const auto json = parseDocument(text);
    if (!json || !json->is_object())
        return {};
    const auto name = json->find("name");
    return name != json->end() && name->is_string() ? name->get<std::string>() : std::string();
}

Expected<ScenarioReading> readScenario(std::string_view text, const Catalog& catalog)
{
    const auto json = parseDocument(text);
    if (!json)
        return tl::unexpected(json.error());
    try {
        ScenarioReading reading;
        ObjectReader document(*json, "", reading.warnings);
        readDocument(document, reading.scenario, &reading, catalog);
        if (!hasErrors(reading.warnings))
            return reading;
        std::erase_if(reading.warnings, [](const Diagnostic& d) { return d.severity != Severity::Error; });
        hintToMove(reading.warnings, reading.scenario.task);
        addLines(reading.warnings, text);
        return tl::unexpected(std::move(reading.warnings));
    } catch (const std::exception& error) {
        return fail("internal", "", say("the scenario could not be read: {}", error.what()));
    }
}

Expected<FittedEfficiency> readEfficiency(std::string_view text)
{
    constexpr std::string_view key = "efficiency";
    auto json = parseDocument(text);
    if (!json)
        return tl::unexpected(json.error());
    const Json scenario{{key, std::move(*json)}};
    Diagnostics problems;
    FittedEfficiency read;
    ObjectReader document(scenario, "", problems);
    readEfficiency(document, read.efficiency, read.fittedOn);
    if (!hasErrors(problems))
        return read;
    for (Diagnostic& problem : problems)
        problem.path.erase(0, key.size() + 1);
    addLines(problems, text);
    return tl::unexpected(std::move(problems));
}

} // namespace headroom
