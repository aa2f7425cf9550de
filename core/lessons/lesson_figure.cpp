// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lessons/lesson_figure.hpp"

#include "core/predict/evaluation_json.hpp"
#include "core/predict/utilization.hpp"
#include "core/support/nearest_name.hpp"
#include "core/units/format.hpp"

#include <algorithm>
#include <numeric>

namespace headroom
{
namespace
{

using Value = std::optional<double>;
Value truth(bool holds)
{
    return holds ? 1.0 : 0.0;
}

template <auto Member>
Value member(const Setup&, const Evaluation& e)
{
    return static_cast<double>(e.*Member);
}

template <BoundBy Bound>
Value boundBy(const Setup&, const Evaluation& e)
{
    return truth(e.boundBy == Bound);
}

template <TimePart Part>
Value timeShare(const Setup&, const Evaluation& e)
{
    const double whole = std::accumulate(e.time.begin(), e.time.end(), 0.0);
    return whole > 0 ? Value(e.part(Part) / whole) : std::nullopt;
}

template <Convention C>
Value underConvention(const Setup&, const Evaluation& e)
{
    return e.conventions[static_cast<std::size_t>(C)];
}

/// Seconds of the profile, where the scenario has one.
template <double MeasuredProfile::*Member>
Value profiled(const Setup& s, const Evaluation&)
{
    const MeasuredProfile& profile = s.measured.profile;
    return profile.any() ? Value(profile.*Member) : std::nullopt;
}

template <TimePart Part>
Value timeOf(const Setup&, const Evaluation& e)
{
    return e.part(Part) > 0 ? Value(e.part(Part)) : std::nullopt;
}

Value perGpu(double amount, const Setup& setup)
{
    return amount / static_cast<double>(setup.hardware.count);
}

constexpr LessonFigure table[] = {
    {"fits", ValueFormat::Integer, [](const Setup&, const Evaluation& e) { return truth(allFits(e)); }},
    {"bound_by_compute", ValueFormat::Integer, boundBy<BoundBy::Compute>},
    {"bound_by_memory", ValueFormat::Integer, boundBy<BoundBy::MemoryBandwidth>},
    {"peak", ValueFormat::FlopPerS, member<&Evaluation::peakFlops>},
    {"job_peak", ValueFormat::FlopPerS,
     [](const Setup& s, const Evaluation& e) { return Value(e.peakFlops * static_cast<double>(s.hardware.count)); }},
    {"bandwidth", ValueFormat::BytesPerS, member<&Evaluation::memoryBandwidth>},
    {"job_bandwidth", ValueFormat::BytesPerS,
     [](const Setup& s, const Evaluation& e) {
         return Value(e.memoryBandwidth * static_cast<double>(s.hardware.count));
     }},
    {"ridge", ValueFormat::FlopPerByte, member<&Evaluation::ridgeFlopPerByte>},
    {"intensity", ValueFormat::FlopPerByte, member<&Evaluation::intensityFlopPerByte>},
    {"tokens_per_step", ValueFormat::Integer, member<&Evaluation::tokensPerStep>},
    {"tokens_per_step_per_gpu", ValueFormat::Integer,
     [](const Setup& s, const Evaluation& e) { return perGpu(e.tokensPerStep, s); }},
    {"flop_per_token", ValueFormat::FlopPerS, member<&Evaluation::modelFlopPerToken>, nullptr, true},
    {"flop_per_step", ValueFormat::FlopPerS,
     [](const Setup&, const Evaluation& e) { return Value(e.modelFlopPerToken * e.tokensPerStep); }, nullptr, true},
    // How long the job's peak would need for the step's model FLOP: MFU is this over the step time.
    {"peak_time_s", ValueFormat::Seconds,
     [](const Setup& s, const Evaluation& e) {
         const double peak = e.peakFlops * static_cast<double>(s.hardware.count);
         return peak > 0 ? Value(e.modelFlopPerToken * e.tokensPerStep / peak) : std::nullopt;
     }},
    {"intensity_over_ridge", ValueFormat::Plain,
     [](const Setup&, const Evaluation& e) {
         return e.ridgeFlopPerByte > 0 ? Value(e.intensityFlopPerByte / e.ridgeFlopPerByte) : std::nullopt;
     }},
    {"mfu_over_mbu", ValueFormat::Plain,
     [](const Setup&, const Evaluation& e) {
         return e.mfu && e.mbu && *e.mbu > 0 ? Value(*e.mfu / *e.mbu) : std::nullopt;
     }},
    {"batch", ValueFormat::Integer, member<&Evaluation::batch>},
    {"bytes_moved", ValueFormat::Bytes, member<&Evaluation::bytesMoved>},
    // The least time in which the memory could move what must move: a bound on a decode step.
    {"memory_time_s", ValueFormat::Seconds,
     [](const Setup&, const Evaluation& e) {
         return e.memoryBandwidth > 0 ? Value(e.bytesMoved / e.memoryBandwidth) : std::nullopt;
     }},
    {"recomputed_share", ValueFormat::Percent,
     [](const Setup&, const Evaluation& e) {
         return e.flops.model > 0 ? Value(e.flops.recompute / e.flops.model) : std::nullopt;
     }},
    {"active_share", ValueFormat::Percent,
     [](const Setup&, const Evaluation& e) {
         return e.totalParameters > 0 ? Value(e.activeParameters / e.totalParameters) : std::nullopt;
     }},
    {"trainable_share", ValueFormat::Percent,
     [](const Setup&, const Evaluation& e) {
         return e.totalParameters > 0 ? Value(e.trainableParameters / e.totalParameters) : std::nullopt;
     }},
    {"cache_per_sequence", ValueFormat::Bytes,
     [](const Setup&, const Evaluation& e) {
         return e.batch > 0 ? Value(e.part(MemoryPart::KvCache) / e.batch) : std::nullopt;
     }},
    // How many times the work would fit into the peak at the measured speed: the headroom.
    {"observed.headroom", ValueFormat::Plain,
     [](const Setup&, const Evaluation& e) {
         return e.observed && e.observed->mfu && *e.observed->mfu > 0 ? Value(1 / *e.observed->mfu) : std::nullopt;
     }},
    {"observed.tokens_per_s_per_gpu", ValueFormat::TokensPerS,
     [](const Setup& s, const Evaluation& e) {
         const Value time = e.observed ? e.observed->stepTimeS : std::nullopt;
         return time && *time > 0 ? perGpu(e.tokensPerStep / *time, s) : std::nullopt;
     }},
    {"profile.step_s", ValueFormat::Seconds, profiled<&MeasuredProfile::stepS>},
    {"profile.matmul_s", ValueFormat::Seconds, profiled<&MeasuredProfile::matmulS>},
    {"profile.attention_s", ValueFormat::Seconds, profiled<&MeasuredProfile::attentionS>},
    {"profile.launch_bound_s", ValueFormat::Seconds, profiled<&MeasuredProfile::launchBoundS>},
    {"profile.busy_s", ValueFormat::Seconds,
     [](const Setup& s, const Evaluation&) {
         const MeasuredProfile& p = s.measured.profile;
         return p.any() ? Value(p.stepS - p.idleS()) : std::nullopt;
     }},
    {"profile.idle_share", ValueFormat::Percent,
     [](const Setup& s, const Evaluation&) {
         const MeasuredProfile& p = s.measured.profile;
         return p.any() ? Value(p.idleS() / p.stepS) : std::nullopt;
     }},
    {"profile.memory_bound_s", ValueFormat::Seconds,
     [](const Setup& s, const Evaluation&) {
         const MeasuredProfile& p = s.measured.profile;
         return p.any() ? Value(p.memoryBoundS()) : std::nullopt;
     }},
    {"part.matmul_s", ValueFormat::Seconds, timeOf<TimePart::Matmul>},
    {"part.attention_s", ValueFormat::Seconds, timeOf<TimePart::Attention>},
    {"part.memory_bound_s", ValueFormat::Seconds, timeOf<TimePart::MemoryBound>},
    {"convention.standard", ValueFormat::Percent, underConvention<Convention::Standard>},
    {"convention.six_n", ValueFormat::Percent, underConvention<Convention::SixN>},
    {"convention.palm", ValueFormat::Percent, underConvention<Convention::Palm>},
    {"convention.causal", ValueFormat::Percent, underConvention<Convention::Causal>},
    {"convention.megatron", ValueFormat::Percent, underConvention<Convention::Megatron>},
    {"convention.exact", ValueFormat::Percent, underConvention<Convention::Exact>},
    {"share.matmul", ValueFormat::Percent, timeShare<TimePart::Matmul>},
    {"share.attention", ValueFormat::Percent, timeShare<TimePart::Attention>},
    {"share.recompute", ValueFormat::Percent, timeShare<TimePart::Recompute>},
    {"share.experts", ValueFormat::Percent, timeShare<TimePart::Experts>},
    {"share.tensor_parallel", ValueFormat::Percent, timeShare<TimePart::TensorParallel>},
    {"share.expert_parallel", ValueFormat::Percent, timeShare<TimePart::ExpertParallel>},
    {"share.data_parallel", ValueFormat::Percent, timeShare<TimePart::DataParallel>},
    {"share.pipeline_bubble", ValueFormat::Percent, timeShare<TimePart::PipelineBubble>},
    {"share.prefill_interference", ValueFormat::Percent, timeShare<TimePart::PrefillInterference>},
};

} // namespace

std::optional<LessonFigure> lessonFigure(std::string_view id)
{
    if (const MetricRow* metric = metricRow(id))
        return LessonFigure{metric->id, metric->format, nullptr, metric};
    const auto figure = std::ranges::find(table, id, &LessonFigure::id);
    return figure == std::end(table) ? std::nullopt : std::optional(*figure);
}

std::vector<std::string_view> lessonFigureIds()
{
    auto ids = namesOf(metricRegistry(), &MetricRow::id);
    for (const LessonFigure& figure : table)
        ids.push_back(figure.id);
    return ids;
}

std::optional<double> valueOf(const LessonFigure& figure, const Setup& setup, const Evaluation& evaluation)
{
    return figure.metric ? figure.metric->value(evaluation) : figure.value(setup, evaluation);
}

std::optional<double> lessonUnit(std::string_view unit)
{
    return unit == "s" ? std::optional(1.0) : unit == "ms" ? std::optional(1e-3) : std::nullopt;
}

std::string textOf(const LessonFigure& figure, double value, std::string_view unit)
{
    if (const auto seconds = lessonUnit(unit))
        return FormattedValue{numberText(value / *seconds), std::string(unit)}.text();
    if (!figure.amount)
        return formatText(value, figure.format);
    std::string text = formatText(value, ValueFormat::FlopPerS);
    constexpr std::string_view perSecond = "/s";
    text.resize(text.size() - perSecond.size());
    return text;
}

} // namespace headroom
