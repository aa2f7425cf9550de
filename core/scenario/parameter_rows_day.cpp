// SPDX-License-Identifier: GPL-3.0-or-later
// A day of a load that changes, and replicas that follow it. Loads of single hours are for a file to say.
#include "core/scenario/effective.hpp"
#include "core/scenario/parameter_rows.hpp"

namespace headroom::rows
{

namespace
{

using W = InferenceWorkload;

bool changes(const Setup& s)
{
    return s.inference.loadProfile.has_value();
}

/// A row of `autoscale`; automatic: the number of replicas stays.
template <auto Member>
ParameterRow scaleRow(ParameterRow row)
{
    row.group = ParameterGroup::Load;
    row.inference = true;
    row.optional = true;
    row.applies = changes;
    return of<access::Field<&Setup::inference, &W::autoscale, Member>>(row);
}

template <auto Member>
ParameterRow replicasRow(std::string_view id, std::string_view path, std::string_view label,
                         std::string_view description, double minimum, double (*get)(const Setup&))
{
    return scaleRow<Member>({.id = id,
                             .path = path,
                             .label = label,
                             .unit = "replicas",
                             .description = description,
                             .minimum = minimum,
                             .maximum = double(mostReplicas),
                             .sliderMaximum = 1024,
                             .snaps = powersTo1024,
                             .get = get});
}

} // namespace

std::span<const ParameterRow> day()
{
    static const std::array table{
        of<access::Field<&Setup::inference, &W::loadProfile>>(
            {.id = "load_peak_to_trough",
             .path = "/workload/load_profile/peak_to_trough",
             .label = "Load, peak over trough",
             .description = "The busiest hour of the day over the quietest; the load is the day's mean. Automatic: the "
                            "load is the same all day.",
             .group = ParameterGroup::Load,
             .kind = ParameterKind::Real,
             .format = ValueFormat::Plain,
             .minimum = 1,
             .maximum = LoadProfile::steepest,
             .sliderMinimum = 1,
             .sliderMaximum = 20,
             .inference = true,
             .optional = true,
             .applies = [](const Setup& s) { return s.inference.requestsPerS.has_value(); },
             .get = [](const Setup& s) { return changes(s) ? s.inference.loadProfile->ratio() : 1; },
             .set =
                 [](Setup& s, double ratio) {
                     const bool office = changes(s) && s.inference.loadProfile->shape == LoadShape::Office;
                     s.inference.loadProfile = LoadProfile::shaped(office ? LoadShape::Office : LoadShape::Sine, ratio);
                 }}),
        replicasRow<&Autoscale::min>(
            "autoscale_min", "/workload/autoscale/min", "Fewest replicas",
            "Replicas that run however little is asked. Automatic: one, or all where nothing scales.", 0,
            [](const Setup& s) {
                const bool scales = autoscales(s.inference);
                return double(s.inference.autoscale.min.value_or(scales ? 1 : servingReplicas(s)));
            }),
        replicasRow<&Autoscale::max>(
            "autoscale_max", "/workload/autoscale/max", "Most replicas",
            "Replicas that run however much is asked. Automatic: as many as the busiest hour needs.", 1,
            [](const Setup& s) { return double(s.inference.autoscale.max.value_or(servingReplicas(s))); }),
        scaleRow<&Autoscale::target>(
            asReal({.id = "autoscale_target",
                    .path = "/workload/autoscale/target_utilization",
                    .label = "Target utilisation",
                    .symbol = "u",
                    .description = "Share of their capacity that replicas are to be busy: an autoscaler starts more "
                                   "beyond it. Automatic: 70 %, which a fixed deployment has in the busiest hour.",
                    .format = ValueFormat::Percent,
                    .get = [](const Setup& s) { return s.inference.autoscale.target.value_or(usualAutoscaleTarget); }},
                   0.01, 1, 0.1, 1)),
        scaleRow<&Autoscale::lagS>(
            {.id = "autoscale_lag_s",
             .path = "/workload/autoscale/lag_s",
             .label = "Start of a replica",
             .description = "From the need of a replica to its first request: machine, image and weights. It is paid "
                            "for meanwhile. Automatic: five minutes.",
             .kind = ParameterKind::Real,
             .scale = ParameterScale::Linear,
             .format = ValueFormat::Seconds,
             .minimum = 0,
             .maximum = 43200,
             .sliderMinimum = 0,
             .sliderMaximum = 3600,
             .get = [](const Setup& s) { return s.inference.autoscale.lagS.value_or(usualAutoscaleLagS); }})};
    return table;
}

} // namespace headroom::rows
