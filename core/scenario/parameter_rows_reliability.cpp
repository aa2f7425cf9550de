// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/effective.hpp"
#include "core/scenario/parameter_rows.hpp"

namespace headroom::rows
{

namespace
{

/// Published rates, rounded: OPT-175B, the default, large clusters that are well kept (docs/method/goodput.md).
constexpr std::array<double, 3> mtbfSnaps{25000, 50000, 80000};
constexpr std::array<double, 9> secondSnaps{1, 5, 30, 60, 300, 600, 1800, 3600, 10800};

bool counted(const Setup& setup)
{
    return countsFailures(setup.training);
}

template <auto Member>
ParameterRow reliabilityRow(ParameterRow row)
{
    row.group = ParameterGroup::Hardware;
    row.training = true;
    return of<access::Field<&Setup::training, &TrainingWorkload::reliability, Member>>(row);
}

/// A time on a logarithmic slider, s.
ParameterRow asSeconds(ParameterRow row, double minimum, double sliderMinimum, double sliderMaximum)
{
    row.unit = "s";
    row.kind = ParameterKind::Real;
    row.format = ValueFormat::Plain;
    row.minimum = minimum;
    row.maximum = 1e7;
    row.sliderMinimum = sliderMinimum;
    row.sliderMaximum = sliderMaximum;
    row.snaps = secondSnaps;
    return row;
}

} // namespace

std::span<const ParameterRow> reliability()
{
    using R = Reliability;
    static const std::array table{
        reliabilityRow<&R::gpuMtbfHours>(
            {.id = "gpu_mtbf_hours",
             .path = "/workload/reliability/gpu_mtbf_hours",
             .label = "GPU-hours per failure",
             .symbol = "H",
             .unit = "h",
             .description = "Hours that one GPU trains between two interruptions of the job, whatever their cause. "
                            "Automatic: failures are not counted, or 50,000 h where another key of reliability is set.",
             .kind = ParameterKind::Real,
             .format = ValueFormat::Plain,
             .minimum = 1e3,
             .maximum = 1e7,
             .sliderMinimum = 1e3,
             .sliderMaximum = 1e6,
             .snaps = mtbfSnaps,
             .optional = true,
             .get = [](const Setup& s) { return s.training.reliability.gpuMtbfHours.value_or(usualGpuMtbfHours); }}),
        reliabilityRow<&R::checkpointS>(
            asSeconds({.id = "checkpoint_s",
                       .path = "/workload/reliability/checkpoint_s",
                       .label = "Checkpoint time",
                       .symbol = "δ",
                       .description = "How long a checkpoint stops the training. Automatic: its size over the stated "
                                      "rate, else the copy to the hosts' memory.",
                       .optional = true,
                       .applies = counted},
                      1e-3, 0.1, 3600)),
        reliabilityRow<&R::checkpointGbPerS>(
            {.id = "checkpoint_gb_per_s",
             .path = "/workload/reliability/checkpoint_gb_per_s",
             .label = "Checkpoint rate",
             .symbol = "w",
             .unit = "GB/s",
             .description = "How fast the whole job writes a checkpoint while training waits. Automatic: it waits for "
                            "the copy to the hosts' memory alone.",
             .kind = ParameterKind::Real,
             .format = ValueFormat::Plain,
             .minimum = 1e-3,
             .maximum = 1e6,
             .sliderMinimum = 0.1,
             .sliderMaximum = 10000,
             .optional = true,
             .applies = [](const Setup& s) { return counted(s) && !s.training.reliability.checkpointS; }}),
        reliabilityRow<&R::checkpointIntervalS>(
            asSeconds({.id = "checkpoint_interval_s",
                       .path = "/workload/reliability/checkpoint_interval_s",
                       .label = "Checkpoint interval",
                       .symbol = "τ",
                       .description = "Training between two checkpoints. Automatic: the interval that loses least.",
                       .optional = true,
                       .applies = counted},
                      1, 1, 86400)),
        reliabilityRow<&R::restartS>(
            asSeconds({.id = "restart_s",
                       .path = "/workload/reliability/restart_s",
                       .label = "Restart time",
                       .symbol = "R",
                       .description = "From a failure to training again: noticing it, replacing what broke, loading "
                                      "the checkpoint.",
                       .applies = counted},
                      0, 1, 86400)),
        reliabilityRow<&R::spares>({.id = "spares",
                                    .path = "/workload/reliability/spares",
                                    .label = "Spare GPUs",
                                    .unit = "GPUs",
                                    .description = "GPUs that stand by to replace failed ones. They are paid for and "
                                                   "train nothing.",
                                    .scale = ParameterScale::Linear,
                                    .minimum = 0,
                                    .maximum = 1048576,
                                    .sliderMinimum = 0,
                                    .sliderMaximum = 1024,
                                    .applies = counted}),
        reliabilityRow<&R::maintenance>(
            asReal({.id = "maintenance",
                    .path = "/workload/reliability/maintenance",
                    .label = "Planned pauses",
                    .symbol = "m",
                    .description = "Share of the calendar in which nothing runs: planned work, pauses, evaluations.",
                    .format = ValueFormat::Percent,
                    .applies = counted},
                   0, 0.5, 0, 0.5)),
        reliabilityRow<&R::stragglerSigma>(
            asReal({.id = "straggler_sigma",
                    .path = "/workload/reliability/straggler_sigma",
                    .label = "Straggler spread",
                    .symbol = "σ",
                    .description = "Standard deviation of the data-parallel ranks' step times over their mean; each "
                                   "step waits for the slowest. The predicted step contains what is usual.",
                    .format = ValueFormat::Percent,
                    .applies = counted},
                   0, 1, 0, 0.2)),
    };
    return table;
}

} // namespace headroom::rows
