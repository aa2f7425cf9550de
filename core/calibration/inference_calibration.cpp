// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibration/inference_calibration.hpp"

#include "core/calibration/calibration_reader.hpp"
#include "core/scenario/scenario_names.hpp"
#include "core/support/nearest_name.hpp"
#include "core/support/say.hpp"
#include "core/units/numbers.hpp"

#include <algorithm>
#include <string>
#include <string_view>

namespace headroom
{
namespace
{

constexpr std::array<std::string_view, kernelFamilyCount> familyNames{"a100", "hopper", "blackwell",
                                                                      "ada",  "cdna3",  "other"};
constexpr std::array<std::string_view, weightKindCount> kindNames{"16", "8", "8b", "w8", "w4", "4"};
constexpr std::array<std::string_view, vendorGroupCount> vendorNames{"nv", "amd", "other"};
constexpr std::array<std::string_view, inferenceSoftwareCount> engineNames{
    "tuned",        "vllm",         "vllm-sync", "vllm-2024",         "sglang",   "trt-llm",
    "trt-llm-2024", "trt-llm-2023", "llama.cpp", "llama.cpp-2024",    "gpt-fast", "exllama",
    "mlc",          "tgi",          "deepspeed", "fastertransformer", "megatron", "transformers"};
constexpr std::array<std::string_view, residualClassCount> classNames{
    "consumer",        "modern-moe", "modern-dense", "saturated-moe",
    "saturated-dense", "old-stack",  "tuned-rocm",   "unfitted"};
/// In the order of StateRule.
constexpr std::array<std::string_view, 4> stateRuleNames{"float32", "model", "linear_model", "all_float32"};
constexpr std::array<std::string_view, 4> reserveRuleNames{"batch", "context", "profile", "fraction"};
constexpr double us = 1e-6, ms = 1e-3, mebi = 1024.0 * 1024.0, gibi = 1024 * mebi;

/// Index of a name; 0 and a diagnostic where it is unknown.
template <std::size_t N>
std::size_t indexOf(CalibrationReader& row, std::string_view key, const std::array<std::string_view, N>& names)
{
    const std::string name = row.text(key);
    const auto found = std::ranges::find(names, std::string_view(name));
    if (found != names.end())
        return static_cast<std::size_t>(found - names.begin());
    row.refuse(key, said("is not known"), say("one of {}", listOf(names)));
    return 0;
}

void readMatmul(CalibrationReader section, InferenceCalibration& c)
{
    static_cast<void>(section.text("source"));
    std::array<std::array<bool, weightKindCount>, kernelFamilyCount> given{};
    for (CalibrationReader& row : section.rows("rows")) {
        const std::size_t family = indexOf(row, "family", familyNames), kind = indexOf(row, "kind", kindNames);
        c.matmul[family][kind] = {us * row.number("start_us", 0, 1000), row.number("compute", 0.01, 1),
                                  row.number("memory", 0.01, 1), row.number("exponent", 1, 100)};
        given[family][kind] = true;
        row.finish();
    }
    section.finish();
    const auto index = [](auto e) { return static_cast<std::size_t>(e); };
    const std::size_t other = index(KernelFamily::Other);
    for (std::size_t family = 0; family < kernelFamilyCount; ++family) {
        if (!given[family][index(WeightKind::Bits16)])
            section.refuse("rows", say("lacks the 16-bit row of family {}", familyNames[family]));
        for (std::size_t kind = 0; kind < weightKindCount; ++kind) {
            if (given[family][kind])
                continue;
            // Block scales are a refinement of plain fp8: that row is nearer than another family's.
            if (kind == index(WeightKind::Bits8Block))
                c.matmul[family][kind] = c.matmul[family][index(WeightKind::Bits8)];
            else
                c.matmul[family][kind] =
                    given[other][kind] ? c.matmul[other][kind] : c.matmul[family][index(WeightKind::Bits16)];
        }
    }
}

void readAttention(CalibrationReader section, InferenceCalibration& c)
{
    static_cast<void>(section.text("source"));
    c.cutShare = section.number("cut_share", 0, 1);
    for (CalibrationReader& row : section.rows("rows")) {
        c.attention[indexOf(row, "family", familyNames)] = {
            us * row.number("start_us", 0, 1000), row.number("prefill", 0.01, 1), row.number("decode_memory", 0.01, 1),
            row.number("decode_compute", 0.01, 1), row.number("full_flops", 0, 1e5)};
        row.finish();
    }
    section.finish();
}

/// 2, 4, 8 devices → 0, 1, 2.
std::size_t sizeIndex(CalibrationReader& row)
{
    const double n = row.number("devices", 2, 8);
    if (n != 2 && n != 4 && n != 8)
        row.refuse("devices", said("must be 2, 4 or 8"));
    return n < 3 ? 0 : n < 6 ? 1 : 2;
}

void readAllReduce(CalibrationReader section, InferenceCalibration& c)
{
    static_cast<void>(section.text("source"));
    for (CalibrationReader& row : section.rows("rows")) {
        const std::size_t family = indexOf(row, "family", familyNames);
        c.allReduce[family][sizeIndex(row)] = {
            us * (row.number("latency_us", 0, 1000) + row.number("wait_us", 0, 1000)),
            giga * row.number("gb_per_s", 1, 1e5), us * row.number("bump_us", 0, 1000)};
        row.finish();
    }
    section.finish();
}

void readLinks(CalibrationReader section, InferenceLinkConstants& l)
{
    static_cast<void>(section.text("source"));
    for (CalibrationReader& row : section.rows("pcie")) {
        const std::size_t i = sizeIndex(row);
        l.pcieLatencyS[i] = us * row.number("latency_us", 0, 1000);
        l.pcieShare[i] = row.number("share_of_host_link", 0.01, 1);
        row.finish();
    }
    l.pcieDomain = section.constant("pcie_domain", 1, 64);
    l.defaultHostLink = giga * section.constant("host_link_gb_per_s", 1, 1000);
    l.assumedNic = giga / 8 * section.constant("assumed_nic_gbit_per_s", 1, 10000);
    l.bumpBytes = section.constant("bump_bytes", 1, 1e9);
    l.scaleOutStartS = us * section.constant("scale_out_start_us", 0, 1e4);
    l.scaleOutShare = section.constant("scale_out_share", 0.01, 1);
    l.exchangeStartS = us * section.constant("exchange_start_us", 0, 1e4);
    l.exchangeShare = section.constant("exchange_share", 0.01, 1);
    l.sendStartS = us * section.constant("send_start_us", 0, 1e4);
    l.sendShare = section.constant("send_share", 0.01, 1);
    for (CalibrationReader& row : section.rows("other")) {
        l.otherLatencyS[sizeIndex(row)] = us * row.number("latency_us", 0, 1000);
        row.finish();
    }
    l.otherShare = section.constant("other_all_reduce_share", 0.01, 1);
    section.finish();
}

void readExperts(CalibrationReader section, ExpertConstants& e)
{
    static_cast<void>(section.text("source"));
    for (CalibrationReader& row : section.rows("start")) {
        e.startS[indexOf(row, "family", familyNames)] = us * row.number("start_us", 0, 1000);
        row.finish();
    }
    e.gptFastStartS = us * section.constant("gpt_fast_start_us", 0, 1000);
    e.trtLlmBlackwellStartS = us * section.constant("trt_llm_blackwell_start_us", 0, 1000);
    e.trtLlmHopperStartS = us * section.constant("trt_llm_hopper_start_us", 0, 1000);
    e.compute = section.constant("compute", 0.01, 1);
    e.memory = section.constant("memory", 0.01, 1);
    e.exponent = section.constant("exponent", 1, 100);
    e.tileRows = section.constant("tile_rows", 1, 1024);
    e.mostPadding = section.constant("most_padding", 1, 1024);
    e.smallBatchSkew = section.constant("small_batch_skew", 0.01, 1);
    e.evenRows = section.constant("even_rows_per_expert", 0.01, 1e4);
    e.imbalance = section.constant("imbalance", 0, 10);
    e.imbalanceRanks = section.constant("imbalance_ranks", 2, 1e4);
    e.activationCopies = section.constant("activation_copies", 0, 100);
    e.sharedStartShare = section.constant("shared_start_share", 0, 1);
    section.finish();
}

std::vector<PassSize> readPassSizes(CalibrationReader& section, std::string_view key)
{
    std::vector<PassSize> sizes;
    for (CalibrationReader& row : section.rows(key)) {
        sizes.push_back({gibi * row.number("below_gib", 1, 1e6), row.number("tokens", 1, 1e9),
                         row.number("sequences", 1, 1e9), row.number("sequences_split", 1, 1e9)});
        row.finish();
    }
    if (sizes.empty())
        section.refuse(key, said("must be an array of objects"));
    return sizes;
}

StartConstants readStart(CalibrationReader section)
{
    static_cast<void>(section.text("source"));
    StartConstants c{giga * section.number("communication_gb", 0, 100),
                     section.number("split_tensor", 1, 1e6),
                     mebi * section.number("fraction_base_mib", 0, 1e6),
                     mebi * section.number("fraction_token_mib", 0, 1e3),
                     section.number("fraction_fewest_tokens", 1, 1e9),
                     mebi * section.number("fraction_sequence_mib", 0, 1e3),
                     mebi * section.number("fraction_rank_mib", 0, 1e6),
                     mebi * section.number("fraction_data_mib", 0, 1e3),
                     section.number("fraction_many_graphs", 1, 1e9),
                     mebi * section.number("fraction_least_mib", 0, 1e6),
                     gibi * section.number("fraction_large_gib", 1, 1e6),
                     section.number("fraction_cache_share", 0, 1),
                     readPassSizes(section, "profile"),
                     readPassSizes(section, "fraction")};
    section.finish();
    return c;
}

void readSmallGroups(CalibrationReader& section, InferenceCalibration& c)
{
    CalibrationReader linear = section.object("linear_attention");
    static_cast<void>(linear.text("source"));
    c.linear = {us * linear.number("start_us", 0, 1000), linear.number("compute", 0.01, 1),
                linear.number("memory", 0.01, 1), linear.number("flop_per_state", 1, 100),
                linear.number("bytes_per_state", 1, 100)};
    linear.finish();
    CalibrationReader element = section.object("elementwise");
    static_cast<void>(element.text("source"));
    c.elementwise = {us * element.number("start_us", 0, 1000), element.number("memory", 0.01, 1),
                     element.number("hidden_values", 0, 1000), element.number("ffn_values", 0, 1000)};
    element.finish();
    CalibrationReader small = section.object("small_kernels");
    static_cast<void>(small.text("source"));
    c.smallKernels = {us * small.number("start_us", 0, 100), us * small.number("indexer_us", 0, 1000)};
    small.finish();
    CalibrationReader memory = section.object("memory");
    static_cast<void>(memory.text("source"));
    c.memory = {giga * memory.number("overhead_gb", 0, 100), memory.number("chunk_tokens", 1, 1e9),
                memory.number("logit_sequences", 1, 1e9),    memory.number("utilization", 0.01, 1),
                memory.number("free_share", 0.01, 1),        readStart(memory.object("start"))};
    memory.finish();
    CalibrationReader serving = section.object("serving");
    static_cast<void>(serving.text("source"));
    c.serving = {serving.number("wave_requests", 0.01, 1000),
                 serving.number("burst_phi", 0, 1),
                 ms * serving.number("lonely_first_token_ms", 0, 1e4),
                 serving.number("most_sequences", 1, 1e9),
                 serving.number("transfer_share", 0.01, 1),
                 serving.number("together_tokens", 1, 1e9),
                 serving.number("host_link_share", 0.01, 1),
                 giga * serving.number("nvme_gb_per_s", 0.01, 1000),
                 serving.number("host_slowest", 1, 100)};
    serving.finish();
}

ServingProfile readProfile(CalibrationReader& row)
{
    ServingProfile p;
    p.decode = row.number("decode", 0.01, 100);
    p.prefill = row.number("prefill", 0.01, 100);
    p.launchS = us * row.number("launch_us", 0, 1e4);
    p.stepS = ms * row.number("step_ms", 0, 1e4);
    p.promptLaunchS = us * row.number("prompt_launch_us", 0, 1e4);
    p.sequenceS = us * row.number("sequence_us", 0, 1e4);
    p.firstTokenS = ms * row.number("first_token_ms", 0, 1e5);
    p.phi = row.number("phi", 0, 1);
    return p;
}

void readProfiles(CalibrationReader section, InferenceCalibration& c)
{
    static_cast<void>(section.text("source"));
    CalibrationReader tuned = section.object("tuned");
    const ServingProfile plain = readProfile(tuned);
    tuned.finish();
    for (auto& engine : c.profiles)
        engine.fill(plain);
    for (CalibrationReader& row : section.rows("rows")) {
        ServingProfile& p = c.profiles[indexOf(row, "engine", engineNames)][indexOf(row, "vendor", vendorNames)];
        p = readProfile(row);
        p.rows = row.number("rows", 1, 1e6);
        row.finish();
    }
    section.finish();
    for (auto& engine : c.profiles) { // where it has no run its runs on other hardware say more than `tuned` does
        const ServingProfile most = *std::ranges::max_element(engine, {}, &ServingProfile::rows);
        for (ServingProfile& p : engine)
            if (p.rows <= 0)
                (p = most).rows = 0;
    }
}

void readEngines(CalibrationReader section, InferenceCalibration& c)
{
    static_cast<void>(section.text("source"));
    for (CalibrationReader& row : section.rows("rows")) {
        EngineTraits& e = c.engines[indexOf(row, "engine", engineNames)];
        e.mixesPrompts = row.flag("mixes_prompts");
        e.splitsLayers = row.flag("splits_layers");
        e.freeMemoryRule = row.flag("free_memory_rule");
        e.cachePerQueryHead = row.flag("cache_per_query_head");
        e.quantizesAll = row.flag("quantizes_all");
        e.blockScales = row.flag("block_scales");
        e.accumulates16 = row.flag("accumulates_16");
        e.chunkTokens = row.number("chunk_tokens", 0, 1e9);
        e.memoryUtilization = row.number("memory_utilization", 0, 1);
        e.cacheReadShare = row.number("cache_read_share", 0.01, 1);
        e.quantizeS = us * row.number("quantize_us", 0, 100);
        e.reserve = static_cast<ReserveRule>(indexOf(row, "reserves", reserveRuleNames));
        e.logitBytes = row.number("logit_bytes", 1, 100);
        e.copiesAbsorbed = row.flag("copies_absorbed");
        e.wholePrompts = row.flag("whole_prompts");
        e.wholeWindows = row.flag("whole_windows");
        e.fewestDense = row.number("fewest_dense", 2, 1000);
        e.fewestExperts = row.number("fewest_experts", 2, 1000);
        e.newerReleases = row.number("newer_releases", 1, 4);
        e.overheadBytes = giga * row.number("overhead_gb", 0, 100);
        e.bytesPerClock = row.number("bytes_per_clock", 0, 1000);
        e.only4BytesPerClock = row.number("w4_bytes_per_clock", 0, 1000);
        e.ringHopS = us * row.number("ring_hop_us", 0, 1000);
        e.fusesAttention = row.flag("fuses_attention");
        e.tileHidden = row.number("tile_hidden", 0, 4096);
        e.tileFfn = row.number("tile_ffn", 0, 4096);
        e.states = static_cast<StateRule>(indexOf(row, "states", stateRuleNames));
        row.finish();
    }
    section.finish();
}

void readSpeculation(CalibrationReader section, SpeculationConstants& s)
{
    static_cast<void>(section.text("source"));
    CalibrationReader acceptance = section.object("acceptance");
    for (const auto& method : names::drafting)
        s.acceptance[static_cast<std::size_t>(method.value)] = acceptance.number(method.id, 0, 1);
    acceptance.finish();
    s.acceptanceSpread = section.number("acceptance_spread", 0, 1);
    s.eagle3Vocabulary = section.number("eagle3_vocabulary", 1, 1e9);
    const auto host = [](CalibrationReader& row) {
        return SpeculationHost{ms * row.number("verify_ms", 0, 1e3), ms * row.number("draft_ms", 0, 1e3),
                               us * row.number("sequence_us", 0, 1e5)};
    };
    CalibrationReader tuned = section.object("tuned");
    s.host.fill(host(tuned));
    tuned.finish();
    for (CalibrationReader& row : section.rows("rows")) {
        s.host[indexOf(row, "engine", engineNames)] = host(row);
        row.finish();
    }
    section.finish();
}

void readResiduals(CalibrationReader section, InferenceCalibration& c)
{
    static_cast<void>(section.text("source"));
    for (CalibrationReader& row : section.rows("rows")) {
        Residuals& r = c.residuals[indexOf(row, "class", classNames)];
        r.tpot = {row.number("tpot_low", 0.01, 1), row.number("tpot_high", 1, 100)};
        r.ttft = {row.number("ttft_low", 0.01, 1), row.number("ttft_high", 1, 100)};
        if (row.has("throughput_low"))
            r.throughput = {row.number("throughput_low", 0.01, 1), row.number("throughput_high", 1, 100)};
        row.finish();
    }
    section.finish();
}

} // namespace

void readInferenceCalibration(CalibrationReader section, InferenceCalibration& calibration)
{
    readMatmul(section.object("matmul"), calibration);
    readAttention(section.object("attention"), calibration);
    readAllReduce(section.object("all_reduce"), calibration);
    readLinks(section.object("links"), calibration.links);
    readExperts(section.object("experts"), calibration.experts);
    readSmallGroups(section, calibration);
    readProfiles(section.object("profiles"), calibration);
    readEngines(section.object("engines"), calibration);
    readSpeculation(section.object("speculation"), calibration.speculation);
    readResiduals(section.object("residuals"), calibration);
    readFitRecord(section);
    section.finish();
}

std::string_view toId(ResidualClass residualClass) noexcept
{
    return classNames[static_cast<std::size_t>(residualClass)];
}

KernelFamily kernelFamily(AcceleratorFamily family) noexcept
{
    switch (family) {
    case AcceleratorFamily::A100:
        return KernelFamily::A100;
    case AcceleratorFamily::Hopper:
        return KernelFamily::Hopper;
    case AcceleratorFamily::Blackwell:
        return KernelFamily::Blackwell;
    case AcceleratorFamily::Ada:
        return KernelFamily::Ada;
    case AcceleratorFamily::Cdna3:
    case AcceleratorFamily::Cdna4:
        return KernelFamily::Cdna3;
    case AcceleratorFamily::V100:
    case AcceleratorFamily::Tpu:
    case AcceleratorFamily::Other:
        break;
    }
    return KernelFamily::Other;
}

bool hasKernelConstants(AcceleratorFamily family) noexcept
{
    return family != AcceleratorFamily::Cdna4 && kernelFamily(family) != KernelFamily::Other;
}

} // namespace headroom
