// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/profile_print.hpp"

#include "core/metrics/words.hpp"
#include "core/profile/profile_table.hpp"
#include "core/units/format.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace headroom::profile
{
namespace
{

using Json = nlohmann::ordered_json;

std::string share(double part, double whole)
{
    return formatText(whole > 0 ? part / whole : 0, ValueFormat::Percent);
}

void line(std::string& text, std::string_view name, const std::string& value, const std::string& more = {})
{
    text += fmt::format("  {:<28} {:>12}{}{}\n", name, value, more.empty() ? "" : "  ", more);
}

std::string title(const DeviceProfile& p)
{
    std::string text = p.file;
    if (p.rank)
        text += fmt::format(", rank {}", *p.rank);
    text += fmt::format(", device {}", p.device);
    return p.deviceName.empty() ? text : text + ": " + p.deviceName;
}

std::string stepsText(const DeviceProfile& p)
{
    const int used = p.usedSteps(), warmUp = p.warmUpSteps();
    std::string text = fmt::format("{} of {} {}, by {}", used, p.steps.steps.size(),
                                   p.steps.steps.size() == 1 ? "step" : "steps", label(p.steps.source));
    if (warmUp > 0)
        text += fmt::format("; {} left out as warm-up", warmUp);
    return text;
}

void appendSplit(std::string& text, const DeviceProfile& p)
{
    const TimeSplit& s = p.mean;
    const auto part = [&](std::string_view name, double value) {
        if (value > 0)
            line(text, name, secondsText(value), share(value, s.span));
    };
    for (int i = 0; i < kernelClassCount; ++i)
        if (const auto c = static_cast<KernelClass>(i); c != KernelClass::Communication)
            part(label(c), s.ofClass(c));
    for (int i = 0; i < collectiveCount; ++i)
        part(fmt::format("{}{}", label(static_cast<Collective>(i)),
                         static_cast<Collective>(i) == Collective::Waiting ? "" : ", exposed"),
             s.exposed[static_cast<std::size_t>(i)]);
    part("idle: launch-bound", s.launchBound);
    part("idle: waiting for data", s.waitingForData);
    part("idle: launched, not started", s.queued);
    part("idle: not explained", s.unexplained);
    if (s.communication > 0)
        text += fmt::format("  Communication runs for {}, {} of it exposed.\n", secondsText(s.communication),
                            share(s.exposedCommunication(), s.communication));
}

void appendUnrecognised(std::string& text, const DeviceProfile& p)
{
    constexpr int most = 5;
    constexpr double worthALine = 0.001; // of the step
    int listed = 0;
    for (const KernelTotal& kernel : p.kernels) {
        if (kernel.kernelClass != KernelClass::Other || kernel.seconds < worthALine * p.mean.span || listed == most)
            continue;
        text += listed++ == 0 ? "  Not recognised:\n" : "";
        text += fmt::format("    {:>10}  {}\n", secondsText(kernel.seconds), kernel.name.substr(0, 100));
    }
}

void appendShapes(std::string& text, const DeviceProfile& p)
{
    constexpr std::size_t most = 8;
    if (p.shapes.empty())
        return;
    text += fmt::format("  Matmuls with known shapes: {}, {}\n", secondsText(p.shapedSeconds),
                        formatText(p.matmulFlop / p.shapedSeconds, ValueFormat::FlopPerS));
    for (std::size_t i = 0; i < std::min(most, p.shapes.size()); ++i) {
        const auto& [shape, time, count] = p.shapes[i];
        text += fmt::format("    {:>10}  {} × {} × {}{}, {}, {:.4g} times: {}\n", secondsText(time), shape.m, shape.n,
                            shape.k, shape.batch > 1 ? fmt::format(", batch {}", shape.batch) : "", shape.type, count,
                            formatText(p.shapes[i].flop() / time, ValueFormat::FlopPerS));
    }
}

void appendComparison(std::string& text, const ProfileComparison& c, const std::vector<ProfileAdvice>& advice)
{
    text += fmt::format("\nBeside the prediction\n  {:<28} {:>12} {:>12} {:>12}\n", "part", "predicted", "measured",
                        "difference");
    const auto cell = [](const std::optional<double>& s) { return s ? secondsText(*s) : std::string("none"); };
    for (const ProfilePart& part : c.parts)
        text += fmt::format("  {:<28} {:>12} {:>12} {:>12}\n", part.label, cell(part.predictedS), cell(part.measuredS),
                            signedSeconds(part.differenceS()));
    text += fmt::format("  {:<28} {:>12} {:>12} {:>12}\n", "step", secondsText(c.predictedS), secondsText(c.measuredS),
                        signedSeconds(c.measuredS - c.predictedS));
    text += "  none: this side has no such part\n";
    if (!advice.empty())
        text += "\nWhat it says to change, largest gain first\n";
    for (const ProfileAdvice& each : advice) {
        text += "- " + each.finding.text + "\n";
        if (each.change)
            text += "  " + each.change->text + "\n";
    }
    bool less = false;
    for (const ProfilePart& part : c.parts) {
        if (part.cause.empty() || part.differenceS() > 0)
            continue;
        text += less ? "" : "\nShorter than predicted\n";
        less = true;
        text += fmt::format("- {}, {}: {}.\n", capitalized(std::string(part.label)), signedSeconds(part.differenceS()),
                            part.cause);
    }
    for (const std::string& note : c.notes)
        text += "Note: " + note + '\n';
}

Json jsonOf(const TimeSplit& s)
{
    Json byClass = Json::object(), exposed = Json::object();
    for (std::size_t i = 0; i < kernelClassCount; ++i)
        if (s.sum[i] > 0)
            byClass[std::string(idOf(static_cast<KernelClass>(i)))] = {
                {"sum_s", s.sum[i]}, {"shared_s", s.shared[i]}, {"own_s", s.own[i]}};
    for (std::size_t i = 0; i < collectiveCount; ++i)
        if (s.exposed[i] > 0)
            exposed[std::string(idOf(static_cast<Collective>(i)))] = s.exposed[i];
    return {{"span_s", s.span},
            {"busy_s", s.busy()},
            {"idle_s", s.idle()},
            {"communication_s", s.communication},
            {"exposed_communication_s", s.exposedCommunication()},
            {"classes", byClass},
            {"exposed_s", exposed},
            {"idle",
             {{"launch_bound_s", s.launchBound},
              {"waiting_for_data_s", s.waitingForData},
              {"queued_s", s.queued},
              {"unexplained_s", s.unexplained}}}};
}

template <typename Value>
Json orNull(const std::optional<Value>& value)
{
    return value ? Json(*value) : Json();
}

Json jsonOf(const DeviceProfile& p)
{
    static constexpr std::array<std::string_view, 4> sources{"gpu_annotation", "host_annotation", "repetition",
                                                             "whole_trace"};
    Json steps = Json::array(), kernels = Json::array(), shapes = Json::array();
    for (const FoundStep& step : p.steps.steps)
        steps.push_back({{"number", step.number},
                         {"time_s", double(step.span.length()) * 1e-9},
                         {"warm_up", step.warmUp},
                         {"used", step.used}});
    for (const KernelTotal& k : p.kernels)
        kernels.push_back(
            {{"name", k.name}, {"class", idOf(k.kernelClass)}, {"time_s", k.seconds}, {"count", k.count}});
    for (const ShapeTotal& t : p.shapes)
        shapes.push_back({{"batch", t.shape.batch},
                          {"m", t.shape.m},
                          {"n", t.shape.n},
                          {"k", t.shape.k},
                          {"type", t.shape.type},
                          {"time_s", t.seconds},
                          {"count", t.count},
                          {"flop_per_s", t.flop() / t.seconds}});
    return {{"file", p.file},           {"rank", orNull(p.rank)},
            {"device", p.device},       {"device_name", p.deviceName},
            {"events", p.events},       {"steps_from", sources[static_cast<std::size_t>(p.steps.source)]},
            {"steps", steps},           {"step", jsonOf(p.mean)},
            {"trace", jsonOf(p.whole)}, {"matmul_shapes", shapes},
            {"kernels", kernels}};
}

Json jsonOf(const ProfileComparison& c, const std::vector<ProfileAdvice>& advice)
{
    Json parts = Json::array();
    for (const ProfilePart& part : c.parts)
        parts.push_back({{"part", part.id},
                         {"predicted_s", orNull(part.predictedS)},
                         {"measured_s", orNull(part.measuredS)},
                         {"difference_s", part.differenceS()},
                         {"cause", part.cause.empty() ? Json() : Json(part.cause)}});
    Json findings = Json::array();
    for (const ProfileAdvice& each : advice) {
        Json change;
        if (each.change) {
            const ParameterEdit& edit = each.change->edits.front();
            const auto place = static_cast<std::size_t>(edit.value);
            const bool chosen = !edit.row->choices.empty() && place < edit.row->choices.size();
            change = {{"parameter", edit.row->id},
                      {"value", chosen ? Json(edit.row->choices[place].id) : Json(edit.value)},
                      {"brings_s", each.bringsS},
                      {"text", each.change->text}};
        }
        findings.push_back({{"part", each.finding.part},
                            {"longer_s", each.finding.seconds},
                            {"text", each.finding.text},
                            {"change", change}});
    }
    const ProfilePart* largest = c.largest();
    return {{"predicted_s", c.predictedS},
            {"measured_s", c.measuredS},
            {"matmul_share_of_peak", orNull(c.matmulShare)},
            {"matmul_share_of_shapes", orNull(c.allowedShare)},
            {"hidden_communication", orNull(c.hiddenShare)},
            {"largest", largest != nullptr ? Json(largest->id) : Json()},
            {"parts", parts},
            {"findings", findings},
            {"notes", c.notes}};
}

} // namespace

std::string profileText(const ProfileReading& reading, const ProfileComparison* comparison,
                        const std::vector<ProfileAdvice>& advice)
{
    std::string text = reading.format + '\n';
    for (const DeviceProfile& p : reading.devices) {
        text += fmt::format("{}\n  {}\n", title(p), stepsText(p));
        line(text, "step", secondsText(p.mean.span));
        appendSplit(text, p);
        appendUnrecognised(text, p);
        appendShapes(text, p);
    }
    if (comparison != nullptr)
        appendComparison(text, *comparison, advice);
    return text;
}

std::string profileJson(const ProfileReading& reading, const MeasuredProfile& measured,
                        const ProfileComparison* comparison, const std::vector<ProfileAdvice>& advice)
{
    Json devices = Json::array(), warnings = Json::array();
    for (const DeviceProfile& p : reading.devices)
        devices.push_back(jsonOf(p));
    for (const Diagnostic& warning : reading.warnings)
        warnings.push_back({{"code", warning.code}, {"message", warning.message}, {"hint", warning.hint}});
    Json document{{"format", reading.format},
                  {"step_s", measured.stepS},
                  {"steps", measured.steps},
                  {"ranks", measured.ranks},
                  {"ranks_compared", reading.ranksCompared},
                  {"devices", devices},
                  {"comparison", comparison != nullptr ? jsonOf(*comparison, advice) : Json()},
                  {"warnings", warnings}};
    return document.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

} // namespace headroom::profile
