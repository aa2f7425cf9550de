// SPDX-License-Identifier: GPL-3.0-or-later
// What serving keeps below the accelerators' memory: weights, and the cache of past prompts.
#include "core/scenario/effective.hpp"
#include "core/scenario/parameter_rows.hpp"

namespace headroom::rows
{

namespace
{

using W = InferenceWorkload;

bool hasHostWeights(const Setup& s)
{
    return s.inference.hostWeightsGb.has_value();
}
bool usesLink(const Setup& s)
{
    return readsFromHost(s.inference);
}
bool hasTiers(const Setup& s)
{
    return usesTiers(s.inference);
}
bool hasNvme(const Setup& s)
{
    return s.inference.tierNvmeGb || s.inference.tierNvmeHits;
}

template <auto Member>
ParameterRow hostRow(ParameterRow row)
{
    row.inference = true;
    row.optional = true;
    return of<access::Field<&Setup::inference, Member>>(row);
}

/// 10^9 bytes for each GPU; automatic: none.
template <auto Member>
ParameterRow bytesRow(std::string_view id, std::string_view path, std::string_view label, std::string_view description,
                      double sliderMaximum)
{
    return hostRow<Member>({.id = id,
                            .path = path,
                            .label = label,
                            .unit = "GB",
                            .description = description,
                            .group = ParameterGroup::Load,
                            .kind = ParameterKind::Real,
                            .format = ValueFormat::Plain,
                            .minimum = 0,
                            .maximum = 1e6,
                            .sliderMinimum = 1,
                            .sliderMaximum = sliderMaximum});
}

/// Share of the prompts' tokens; automatic: none.
template <auto Member>
ParameterRow hitsRow(std::string_view id, std::string_view path, std::string_view label, std::string_view symbol,
                     std::string_view description)
{
    return hostRow<Member>(asReal({.id = id,
                                   .path = path,
                                   .label = label,
                                   .symbol = symbol,
                                   .description = description,
                                   .group = ParameterGroup::Load,
                                   .format = ValueFormat::Percent},
                                  0, 1, 0, 1));
}

ParameterRow rate(ParameterRow row)
{
    row.unit = "GB/s";
    row.group = ParameterGroup::Hardware;
    row.kind = ParameterKind::Real;
    row.format = ValueFormat::Plain;
    row.minimum = 1e-3;
    row.maximum = 1e5;
    row.sliderMinimum = 1;
    row.sliderMaximum = 1000;
    return row;
}

} // namespace

std::span<const ParameterRow> hostMemory()
{
    static const std::array table{
        [] {
            ParameterRow row = bytesRow<&W::hostWeightsGb>(
                "host_weights_gb", "/workload/host_memory/weights_gb", "Weights in host memory",
                "Weights of each GPU that lie in its host's memory and are read over the host link in every pass. "
                "Automatic: none.",
                512);
            row.group = ParameterGroup::Workload;
            return row;
        }(),
        hostRow<&W::hostLinkGbPerS>(
            rate({.id = "host_link_gb_per_s",
                  .path = "/workload/host_memory/gb_per_s",
                  .label = "Host link",
                  .description = "What each GPU gets from its host's memory, sustained, at most what its link is rated "
                                 "for. Automatic: four fifths of the link.",
                  .applies = usesLink})),
        hostRow<&W::hostOverlap>(
            asReal({.id = "host_overlap",
                    .path = "/workload/host_memory/overlap",
                    .label = "Hidden reading of weights",
                    .description = "Share of the reading from host memory that can hide behind a pass: the next layer "
                                   "is fetched meanwhile. Automatic: all of it, none with vLLM.",
                    .group = ParameterGroup::Workload,
                    .format = ValueFormat::Percent,
                    .applies = hasHostWeights,
                    .get = [](const Setup& s) { return effectiveHostOverlap(s.inference); }},
                   0, 1, 0, 1)),
        bytesRow<&W::tierHostGb>("tier_host_gb", "/workload/kv_tiers/host_gb", "Cache in host memory",
                                 "Host memory for the cache of past prompts, for each GPU. Automatic: none.", 1024),
        hitsRow<&W::tierHostHits>(
            "tier_host_hits", "/workload/kv_tiers/host_hit_rate", "Hit rate, host memory", "h_h",
            "Share of the prompts' tokens whose keys and values lie in host memory and are loaded "
            "from there. Automatic: none."),
        bytesRow<&W::tierNvmeGb>("tier_nvme_gb", "/workload/kv_tiers/nvme_gb", "Cache on NVMe",
                                 "Space on drives for the cache of past prompts, for each GPU. Automatic: none.",
                                 16384),
        hitsRow<&W::tierNvmeHits>(
            "tier_nvme_hits", "/workload/kv_tiers/nvme_hit_rate", "Hit rate, NVMe", "h_n",
            "Share of the prompts' tokens whose keys and values lie on drives and are loaded from "
            "there. Automatic: none."),
        hostRow<&W::nvmeGbPerS>(
            rate({.id = "nvme_gb_per_s",
                  .path = "/workload/kv_tiers/nvme_gb_per_s",
                  .label = "NVMe reads",
                  .description = "What the drives of each GPU read, sustained. Automatic: one PCIe 4.0 drive a GPU, "
                                 "6.5 GB/s.",
                  .applies = hasNvme})),
        hostRow<&W::tierLayerwise>(asToggle(
            {.id = "tier_layerwise",
             .path = "/workload/kv_tiers/layerwise",
             .label = "Load layer by layer",
             .description = "Whether prefill begins when the first layer's cache is there, and the others come "
                            "meanwhile. Automatic: off for vLLM, which loads all of it first, else on.",
             .group = ParameterGroup::Software,
             .applies = hasTiers,
             .get = [](const Setup& s) { return effectiveLayerwise(s.inference) ? 1.0 : 0.0; }}))};
    return table;
}

} // namespace headroom::rows
