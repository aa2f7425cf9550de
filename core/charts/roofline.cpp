// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/charts/axis.hpp"
#include "core/charts/chart_registry.hpp"
#include "core/charts/pin_marks.hpp"
#include "core/charts/run_points.hpp"
#include "core/charts/sweep_curves.hpp"
#include "core/metrics/words.hpp"
#include "core/profile/profile_comparison.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

namespace headroom::charts
{

namespace
{

/// Formats whose roofs are drawn where the device has them.
constexpr std::array roofTypes{DataType::Bf16, DataType::Fp8, DataType::Fp4};

double decadeFloor(double value)
{
    return std::pow(10, std::floor(std::log10(value) + 1e-9));
}
double decadeCeil(double value)
{
    return std::pow(10, std::ceil(std::log10(value) - 1e-9));
}

/// FLOP/s and bytes/s of a GPU, which meet at the ridge.
struct Roofs {
    double peak = 0, bandwidth = 0;
    [[nodiscard]] double ridge() const { return peak / bandwidth; } ///< FLOP per byte
};

Series roof(std::string name, double peak, double bandwidth, double low, double high, bool current)
{
    Series series{.id = "roof-" + name,
                  .label = std::move(name),
                  .role = current ? SeriesRole::Current : SeriesRole::Roof,
                  .metric = "mfu"};
    const double ridge = peak / bandwidth;
    series.points.push_back({.x = low, .y = std::min(peak, low * bandwidth)});
    if (ridge > low && ridge < high)
        series.points.push_back({.x = ridge, .y = peak, .label = said("ridge")});
    series.points.push_back({.x = high, .y = std::min(peak, high * bandwidth)});
    return series;
}

/// The peak is the rate of FP16 whose sums have 16 bits, and other 16-bit work has half of it.
bool sumsIn16Bits(const Accelerator& device, double peak)
{
    const double rate = device.peak.fp16Accumulate16 * 1e12;
    return rate > 1.001 * device.peakFlops(DataType::Bf16) && std::abs(rate - peak) <= 1e-6 * peak;
}

/// FLOP/s of a GPU, what is computed again among them; 0 where utilisation is not defined.
double executedRate(const Evaluation& e)
{
    return e.hfu.value_or(e.mfu.value_or(0)) * e.peakFlops;
}

/// FLOP per byte and FLOP/s of a whole step.
struct StepPoint {
    double intensity = 0, rate = 0;
};

StepPoint stepPoint(const std::vector<OperatorCost>& operators, const Evaluation& e)
{
    double flop = 0, time = 0;
    for (const OperatorCost& cost : operators) {
        flop += cost.flop;
        time += cost.timeS;
    }
    // The evaluation's intensity, as pins, MBU and lessons have it: the operators' bytes hold activations too, which
    // would put a decode step that arithmetic limits left of the ridge.
    if (flop > 0 && time > 0 && e.intensityFlopPerByte > 0)
        return {e.intensityFlopPerByte, flop / time};
    return {e.intensityFlopPerByte, executedRate(e)};
}

/// Which roof is above it, and what binds it: the same resource that the status line names.
std::string reading(const StepPoint& step, double ridge, bool training, BoundBy bound)
{
    const std::string what = training ? said("the step") : said("decode");
    if (step.intensity <= 0)
        return say("Below {} FLOP per byte memory is the limit, above it arithmetic.", wholeText(ridge));
    const bool left = step.intensity < ridge;
    // The intensity is the mean of all operators: some may lie on the other side and take longer.
    if (bound == (left ? BoundBy::Compute : BoundBy::MemoryBandwidth))
        return say("At {} FLOP per byte {} sits {} of the ridge ({}), yet {} takes the largest share of its time.",
                   numberText(step.intensity), what, left ? said("left") : said("right"), wholeText(ridge),
                   say(resource(bound)));
    return say("At {} FLOP per byte {} sits {} of the ridge ({}) and is bound by {}.", numberText(step.intensity), what,
               left ? said("left") : said("right"), wholeText(ridge), say(resource(bound)));
}

/// What is done a second time is called after the first.
std::string operatorName(const OperatorCost& cost)
{
    return cost.repeats ? say("{}, again", said(cost.name)) : said(cost.name);
}

Series operatorPoints(const std::vector<OperatorCost>& operators)
{
    Series series{.id = "operators",
                  .label = said("operators"),
                  .role = SeriesRole::Secondary,
                  .kind = SeriesKind::Points,
                  .slot = 1,
                  .metric = "mfu"};
    double longest = 0;
    for (const OperatorCost& cost : operators)
        longest = std::max(longest, cost.timeS);
    // Without FLOP or bytes an operator has no place on logarithmic axes.
    for (const OperatorCost& cost : operators)
        if (cost.flop > 0 && cost.bytes > 0 && cost.timeS > 0)
            series.points.push_back({.x = cost.flop / cost.bytes,
                                     .y = cost.flop / cost.timeS,
                                     .size = cost.timeS / longest,
                                     .label = operatorName(cost)});
    return series;
}

/// What the matmuls of the scenario's profile reached, a point for each of their shapes: of the FLOP and of the bytes
/// that the shape cannot do without.
Series profiledMatmuls(const MeasuredProfile& profile)
{
    Series series{.id = "profiled_matmuls",
                  .label = said("matmuls, profiled"),
                  .role = SeriesRole::Measured,
                  .kind = SeriesKind::Points,
                  .slot = 2,
                  .metric = "mfu"};
    if (!profile.any() || !profile.shapes)
        return series;
    double longest = 0;
    for (const MeasuredShape& shape : profile.shapes->shapes())
        longest = std::max(longest, shape.seconds);
    for (const MeasuredShape& shape : profile.shapes->shapes()) {
        const std::string batch = shape.batch > 1 ? fmt::format("{} × ", shape.batch) : std::string();
        series.points.push_back(
            {.x = shape.flop() / shape.bytes(),
             .y = shape.count * shape.flop() / shape.seconds,
             .size = shape.seconds / longest,
             .label = fmt::format("{}({} × {}) · ({} × {}), {}", batch, shape.m, shape.k, shape.k, shape.n,
                                  toId(shape.type)),
             .detail = say("{} of a step, {} of them", secondsText(shape.seconds), numberText(shape.count)),
             .origin = {PointOrigin::Kind::Shape, profile::shapeId(shape)}});
    }
    return series;
}

/// The roof of the precision under way, and those of formats with other rates.
std::vector<Series> roofs(const Accelerator& device, const Roofs& of, const Axis& x, std::string_view current)
{
    // GeForce cards have two rates of 16 bits: each roof is named by the sums that it allows.
    const bool shortSums = sumsIn16Bits(device, of.peak);
    std::string name(shortSums ? say("{}, 16-bit sums", toId(DataType::Fp16)) : std::string(current));
    std::vector<Series> series{roof(std::move(name), of.peak, of.bandwidth, x.minimum, x.maximum, true)};
    series.front().id = "roof";
    std::vector<double> drawn{of.peak};
    for (const DataType type : roofTypes) {
        const double rate = device.peakFlops(type);
        if (rate <= 0 || std::ranges::any_of(drawn, [rate](double d) { return std::abs(rate - d) <= 1e-6 * d; }))
            continue;
        drawn.push_back(rate);
        series.push_back(roof(std::string(toId(type)), rate, of.bandwidth, x.minimum, x.maximum, false));
        if (shortSums && type == DataType::Bf16)
            series.back().label = say("{}, 32-bit sums", toId(type));
    }
    return series;
}

/// In whole decades, so that the picture holds still while a slider moves.
Axis decades(Axis axis, const DataRange& range)
{
    axis.minimum = decadeFloor(range.low);
    axis.maximum = decadeCeil(range.high);
    return axis;
}

/// Of the step, of what is drawn at it, and of the pins.
Axis intensityAxis(const ChartContext& context, const StepPoint& step, double ridge, const std::vector<Series>& drawn)
{
    DataRange x;
    for (const double value : {1.0, 3 * ridge})
        x.add(value);
    if (step.intensity > 0)
        x.add(step.intensity);
    for (const Series& series : drawn)
        for (const Point& point : series.points)
            x.add(point.x);
    for (const PinnedScenario& pin : context.pins)
        if (pin.evaluation.intensityFlopPerByte > 0)
            x.add(pin.evaluation.intensityFlopPerByte);
    return decades(
        logAxis("intensity", said("Arithmetic intensity"), said("FLOP per byte"), ValueFormat::FlopPerByte, x), x);
}

/// Marks the pins' steps, the ridge and the step; `y` gets the rates of them all.
void addMarks(ChartSpec& spec, const ChartContext& context, const StepPoint& step, double ridge, DataRange& y)
{
    for (const PinnedScenario& pin : context.pins) {
        const Evaluation& e = pin.evaluation;
        const double rate = executedRate(e);
        if (e.intensityFlopPerByte <= 0 || rate <= 0)
            continue;
        y.add(rate);
        spec.guides.push_back(pinGuide(pin, e.intensityFlopPerByte, rate));
    }
    spec.guides.push_back({GuideKind::Vertical, SeriesRole::Limit, ridge, 0, 0, say("ridge {}", wholeText(ridge))});
    if (step.intensity <= 0 || step.rate <= 0)
        return;
    y.add(step.rate);
    spec.guides.push_back({GuideKind::OperatingPoint, SeriesRole::Current, step.intensity, step.rate, 0,
                           context.scenario.task == Task::Training ? said("step") : said("decode")});
}

} // namespace

ChartSpec roofline(const ChartContext& context)
{
    const Evaluation& now = context.evaluation;
    const Accelerator& device = *context.scenario.accelerator;
    const auto operators = operatorCosts(context.scenario);
    const StepPoint step = stepPoint(operators, now);
    const Roofs of{now.peakFlops > 0 ? now.peakFlops : device.peakFlops(DataType::Bf16),
                   now.memoryBandwidth > 0 ? now.memoryBandwidth : device.memoryBandwidth()};

    ChartSpec spec;
    spec.id = "roofline";
    spec.title = said("Roofline");
    ChartSpec runs;
    addRunPoints(runs, context, rooflinePlacement(context));
    std::vector<Series> points{operatorPoints(operators), profiledMatmuls(context.scenario.measured.profile)};
    std::ranges::move(runs.series, std::back_inserter(points));
    std::erase_if(points, [](const Series& series) { return series.points.empty(); });

    spec.x = intensityAxis(context, step, of.ridge(), points);
    spec.series = roofs(device, of, spec.x, toId(operators.empty() ? roofTypes[0] : operators.front().precision));
    std::ranges::move(points, std::back_inserter(spec.series));
    DataRange y;
    y.add(spec.series);
    addMarks(spec, context, step, of.ridge(), y);
    spec.y = decades(logAxis("flop_per_s_per_gpu", said("Rate per GPU"), "FLOP/s", ValueFormat::FlopPerS, y), y);
    spec.reading = reading(step, of.ridge(), context.scenario.task == Task::Training, now.boundBy);
    spec.summary = say("Roofline of one {}: {} over {}/s, ridge at {} FLOP per byte. {}", device.name,
                       formatText(of.peak, ValueFormat::FlopPerS), formatText(of.bandwidth, ValueFormat::Bytes),
                       wholeText(of.ridge()), spec.reading);
    return spec;
}

} // namespace headroom::charts
