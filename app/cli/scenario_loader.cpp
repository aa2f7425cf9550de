// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/scenario_loader.hpp"

#include "core/comparison/other_measurement.hpp"
#include "core/explore/advice.hpp"
#include "core/metrics/words.hpp"
#include "core/scenario/measurement.hpp"
#include "core/scenario/scenario_json.hpp"

namespace headroom::cli
{
namespace
{

void place(Diagnostics& messages, const ScenarioText& text, const std::string& file)
{
    for (Diagnostic& message : messages) {
        message.file = file;
        message.line = text.line + std::max(message.line, 1) - 1;
    }
}

} // namespace

LoadedScenario load(const ScenarioText& text, const std::string& file, Context& context)
{
    LoadedScenario loaded; // the only thing returned: some kB that are made in place
    const auto refuse = [&](Diagnostics messages) {
        loaded.refused = true;
        loaded.messages = std::move(messages);
        if (loaded.name.empty() && !text.tooLarge)
            loaded.name = scenarioName(text.text);
        place(loaded.messages, text, file);
    };
    if (text.tooLarge) {
        refuse(fail("too-large", "", "the text is longer than 16 MiB",
                    "a scenario has at most 1 MiB, with a config.json 16 MiB")
                   .value());
        return loaded;
    }
    auto reading = readScenario(text.text, context.catalog());
    if (!reading) {
        refuse(std::move(reading.error()));
        return loaded;
    }
    loaded.name = reading->scenario.name;
    if (context.efficiency) {
        reading->scenario.efficiency = context.efficiency->efficiency;
        reading->scenario.fittedOn = context.efficiency->fittedOn;
    }
    if (context.asMeasured)
        reading->scenario = atMeasuredSettings(std::move(reading->scenario));
    else if (const auto other = otherMeasurement(reading->scenario, context.catalog(), context.calibration()))
        loaded.note = other->sentence();
    auto prepared = prepare(reading->scenario, context.catalog(), context.calibration());
    if (!prepared) {
        Diagnostics messages = std::move(prepared.error());
        std::string& hint = messages.front().hint;
        for (const Advice& fix : legalFixes(reading->scenario, context.catalog(), {}, 1))
            hint += (hint.empty() ? "for example " : "; for example ") + inSentence(fix.change);
        refuse(std::move(messages));
        return loaded;
    }
    loaded.scenario = std::move(reading->scenario);
    loaded.prepared = std::move(*prepared);
    loaded.messages = std::move(reading->warnings);
    place(loaded.messages, text, file);
    return loaded;
}

namespace
{

/// Empty, and said, where the file cannot be read.
std::optional<ScenarioSource> openSource(const std::string& file, Context& context)
{
    auto source = ScenarioSource::open(file);
    if (source)
        return std::move(*source);
    refuse(context, source.error());
    return std::nullopt;
}

/// Empty, and said, where the scenario is refused.
std::optional<LoadedScenario> loadText(const ScenarioText& text, const ScenarioSource& source, Context& context)
{
    LoadedScenario loaded = load(text, source.name(), context);
    printMessages(loaded.messages);
    if (!loaded.refused)
        return loaded;
    context.refused();
    return std::nullopt;
}

} // namespace

void loadEach(const std::string& file, Context& context,
              const std::function<void(LoadedScenario&, const ScenarioText&, const std::string& name)>& use)
{
    auto source = openSource(file, context);
    if (!source)
        return;
    while (const auto text = source->next())
        if (auto loaded = loadText(*text, *source, context))
            use(*loaded, *text, source->name());
}

std::optional<LoadedScenario> loadOne(const std::string& file, Context& context)
{
    auto source = openSource(file, context);
    if (!source)
        return std::nullopt;
    const auto text = source->next();
    if (!text) {
        refuse(context, fail("syntax", "", source->name() + " holds no scenario").value());
        return std::nullopt;
    }
    auto loaded = loadText(*text, *source, context);
    if (loaded && source->next()) {
        refuse(context, fail("too-many", "", source->name() + " holds more than one scenario", "give one").value());
        return std::nullopt;
    }
    return loaded;
}

} // namespace headroom::cli
