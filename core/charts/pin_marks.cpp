// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/charts/pin_marks.hpp"

#include <utility>

namespace headroom
{

SeriesRole pinRole(char letter)
{
    return letter == 'A' ? SeriesRole::PinA : letter == 'B' ? SeriesRole::PinB : SeriesRole::PinC;
}

char pinLetter(SeriesRole role)
{
    switch (role) {
    case SeriesRole::PinA:
        return 'A';
    case SeriesRole::PinB:
        return 'B';
    case SeriesRole::PinC:
        return 'C';
    default:
        return 0;
    }
}

std::vector<const PinnedScenario*> comparablePins(const ChartContext& context)
{
    std::vector<const PinnedScenario*> pins;
    for (const PinnedScenario& pin : context.pins)
        if (pin.prepared.task == context.scenario.task)
            pins.push_back(&pin);
    return pins;
}

Series pinSeries(char letter, std::string label, std::string_view chart, std::string_view metric)
{
    Series series;
    series.metric = metric;
    series.id = std::string("pin-") + static_cast<char>(letter - 'A' + 'a') + "." + std::string(chart);
    series.label = std::move(label);
    series.role = pinRole(letter);
    series.slot = letter - 'A' + 1;
    return series;
}

Series pinSeries(const PinnedScenario& pin, std::string_view chart, std::string_view metric)
{
    return pinSeries(pin.letter, pinLabel(pin), chart, metric);
}

Series pinMarks(const PinnedScenario& pin, std::string_view chart, std::string_view metric)
{
    Series series = pinSeries(pin, chart, metric);
    series.kind = SeriesKind::Points;
    return series;
}

Guide pinGuide(const PinnedScenario& pin, double x, double y)
{
    return {GuideKind::OperatingPoint, pinRole(pin.letter), x, y, 0, std::string(1, pin.letter)};
}

} // namespace headroom
