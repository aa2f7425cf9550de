// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/physics.hpp"

#include "core/catalog/accelerator_json.hpp"
#include "core/catalog/architecture_json.hpp"

#include <fmt/format.h>
#include <rapidcheck.h>

namespace headroom::test
{
namespace
{

using Shares = std::initializer_list<double>;

/// Answers the questions in their order. Every question is asked of every draw, whatever the other answers are: so a
/// smaller answer to one leaves those to the others alone.
class Chooser final
{
public:
    explicit Chooser(const PhysicsDraw& draw) : m_draw(draw) {}

    [[nodiscard]] std::size_t index(std::size_t count) { return next() * count >> 16; }
    template <typename T>
    [[nodiscard]] T of(std::initializer_list<T> values)
    {
        return values.begin()[index(values.size())];
    }
    [[nodiscard]] std::int64_t whole(std::initializer_list<std::int64_t> values) { return of(values); }
    template <typename E>
    [[nodiscard]] E any(E last)
    {
        return static_cast<E>(index(static_cast<std::size_t>(last) + 1));
    }
    /// True in `percent` of all draws, and never at 0.
    [[nodiscard]] bool chance(unsigned percent) { return next() >= 65536 - 65536 * percent / 100; }
    [[nodiscard]] double share() { return static_cast<double>(next()) / 65536; }
    template <typename T>
    [[nodiscard]] std::optional<T> perhaps(unsigned percent, T value)
    {
        return chance(percent) ? std::optional<T>(value) : std::nullopt;
    }

private:
    [[nodiscard]] std::size_t next() { return m_draw.choice.at(m_next++); }

    const PhysicsDraw& m_draw;
    std::size_t m_next = 0;
};

/// What the catalogue offers, the best known first: a shrunk scenario ends there.
struct Offers {
    std::vector<std::shared_ptr<const ModelArchitecture>> models;
    std::vector<std::shared_ptr<const Accelerator>> devices;
};

const Offers& offers()
{
    static const Offers all = [] {
        Offers o;
        const Catalog& catalog = Catalog::builtIn();
        o.models = {catalog.model("llama-3-8b")};
        o.models.insert(o.models.end(), catalog.models().begin(), catalog.models().end());
        o.devices = {catalog.accelerator("h100-sxm-80gb")};
        for (const auto& device : catalog.accelerators())
            if (device->missingFacts().empty())
                o.devices.push_back(device);
        return o;
    }();
    return all;
}

double peakOf16(const Accelerator& a)
{
    return std::max({a.peakFlops(DataType::Bf16), a.peakFlops(DataType::Fp32), a.peakFlops(DataType::Tf32)}) * 1e-12;
}

/// A device of the user's own: another's, with other facts.
std::string ownDevice(const Accelerator& a, Chooser& choose)
{
    const auto factor = [&choose] { return choose.of<double>({1, 2, 0.5, 10, 0.1}); };
    const double memory = factor(), bandwidth = factor(), peak = factor(), link = factor();
    const double narrow = choose.of<double>({1, 2, 4});
    std::string text = fmt::format(R"({{"id": "{}", "memory_gb": {:.3f}, "memory_usable_gib": {:.3f}, )"
                                   R"("memory_bandwidth_gbps_bytes": {:.3f}, "scaleup_domain_size": {})",
                                   a.id, a.memoryGb * memory, a.usableMemoryBytes() / 1073741824 * memory,
                                   a.memoryBandwidthGbPerS * bandwidth, choose.whole({8, 1, 2, 72}));
    if (a.scaleUpGbPerS > 0)
        text += fmt::format(R"(, "scaleup_bandwidth_unidir_gbps_bytes": {:.3f})", a.scaleUpGbPerS * link);
    if (a.hostLinkGbPerS > 0) // which a bridge between devices spares: it is the slower of the two
        text += fmt::format(R"(, "host_link_unidir_gbps_bytes": {:.3f})", a.hostLinkGbPerS * link);
    if (a.tdpWatts > 0)
        text += fmt::format(R"(, "tdp_w": {:.1f})", a.tdpWatts * (peak > 1 ? peak : 1));
    // Narrower formats are no slower, as everywhere.
    text += fmt::format(R"(, "peak_tflops": {{"bf16": {:.3f})", peakOf16(a) * peak);
    for (const auto& [key, rate] : {std::pair{"fp32", a.peak.fp32}, std::pair{"tf32", a.peak.tf32},
                                    std::pair{"fp16", a.peak.fp16}, std::pair{"fp8", a.peak.fp8 * narrow},
                                    std::pair{"int8", a.peak.int8 * narrow}, std::pair{"fp4", a.peak.fp4 * narrow},
                                    std::pair{"fp6", a.peak.fp6 * narrow}, std::pair{"int4", a.peak.int4 * narrow}})
        if (rate > 0)
            text += fmt::format(R"(, "{}": {:.3f})", key, rate * peak);
    text += "}";
    if (const double rate = a.peak.fp16Accumulate16; rate > 0) // the same units
        text += fmt::format(R"(, "peak_fp16_accumulate_tflops": {{"fp16": {:.3f}}})", rate * peak);
    return text + "}";
}

/// A decoder of the user's own; `layers` is what it has.
std::string ownModel(Chooser& choose, std::int64_t& layers)
{
    layers = choose.whole({32, 1, 2, 7, 61, 126});
    const std::int64_t heads = choose.whole({32, 1, 12, 71, 128}), width = choose.whole({128, 16, 64, 80, 256});
    const std::int64_t groups = choose.whole({1, 2, 8}), ffn = choose.whole({4, 1, 3, 9});
    const std::int64_t vocab = choose.whole({128256, 100, 32000, 50257, 262144}),
                       experts = choose.whole({0, 0, 4, 60, 256});
    const std::int64_t hidden = heads * width, top = choose.whole({1, 2, 4});
    std::string text =
        fmt::format(R"({{"name": "Our model", "layers": {}, "hidden": {}, "heads": {}, "kv_heads": {}, )"
                    R"("head_dim": {}, "ffn": {}, "vocab": {})",
                    layers, hidden, heads, heads % groups == 0 ? heads / groups : heads, width, hidden * ffn, vocab);
    if (experts > 0)
        text += fmt::format(R"(, "moe": {{"experts": {}, "top_k": {}, "ffn": {}}}, "schedule": [[{}, "full", "moe"]])",
                            experts, top, std::max<std::int64_t>(16, hidden * ffn / 4), layers);
    return text + "}";
}

void chooseNames(Chooser& choose, Scenario& s, std::int64_t& layers)
{
    const ModelArchitecture& model = *offers().models[choose.index(offers().models.size())];
    const Accelerator& device = *offers().devices[choose.index(offers().devices.size())];
    s.model.id = model.id;
    s.accelerator.id = device.id;
    layers = model.layers;
    std::int64_t ownLayers = 0;
    const bool ownM = choose.chance(8), ownD = choose.chance(15);
    const std::string m = ownModel(choose, ownLayers), d = ownDevice(device, choose);
    if (ownM) {
        s.model = {"custom", m};
        layers = ownLayers;
    }
    if (ownD)
        s.accelerator.object = d;
}

void chooseHardware(Chooser& choose, Scenario& s)
{
    s.hardware.perNode = choose.perhaps<std::int64_t>(30, choose.whole({8, 1, 4, 72}));
    s.hardware.scaleOutGbitPerS = choose.perhaps<double>(30, choose.of<double>({400, 10, 100, 3200}));
    s.hardware.pricePerGpuHour = choose.perhaps<double>(50, choose.of<double>({2, 0.5, 3.5}));
    s.accounting = choose.any(Convention::Exact);
    const bool multiplied = choose.chance(20);
    for (double Efficiency::*factor :
         {&Efficiency::matmul, &Efficiency::attention, &Efficiency::memoryBandwidth, &Efficiency::scaleUp,
          &Efficiency::scaleOut, &Efficiency::host, &Efficiency::prefill, &Efficiency::decode})
        if (const double value = choose.of<double>({1, 1, 0.5, 2, 10, 0.1}); multiplied)
            s.efficiency.*factor = value;
}

/// Where the caller lays the job out over the pipeline.
void choosePipeline(Chooser& choose, Parallelism& p, std::int64_t layers)
{
    p.pipeline = std::min(choose.whole({1, 1, 1, 2, 4, 5, 8}), layers);
    p.virtualPipeline = choose.whole({1, 1, 2, 4});
    const std::int64_t pieces = p.pipeline * p.virtualPipeline;
    if (p.pipeline == 1 || (pieces > layers && pieces != layers + 2))
        p.virtualPipeline = 1;
}

void chooseReliability(Chooser& choose, TrainingWorkload& w)
{
    const bool counted = choose.chance(35);
    Reliability r;
    r.gpuMtbfHours = choose.of<double>({50000, 1e3, 25000, 1e7});
    r.checkpointS = choose.perhaps<double>(30, choose.of<double>({5, 1e-3, 300, 1e7}));
    r.checkpointGbPerS = choose.perhaps<double>(30, choose.of<double>({100, 1e-3, 1e6}));
    r.checkpointIntervalS = choose.perhaps<double>(30, choose.of<double>({3600, 1, 1e7}));
    r.restartS = choose.of<double>({600, 0, 30, 1e7});
    r.spares = choose.whole({0, 8, 1000});
    r.maintenance = choose.of<double>({0, 0.05, 0.5});
    r.stragglerSigma = choose.of<double>({0, 0.02, 1});
    if (counted)
        w.reliability = r;
}

void chooseSite(Chooser& choose, Hardware& h)
{
    const bool counted = choose.chance(30);
    SitePower site;
    site.idleW = choose.perhaps<double>(50, choose.of<double>({60, 0, 1e5}));
    site.hostShare = choose.perhaps<double>(50, choose.of<double>({0.15, 0, 5}));
    site.pue = choose.of<double>({1.2, 1, 3});
    site.electricityPerKwh = choose.perhaps<double>(50, choose.of<double>({0.1, 0.0001, 1e4}));
    site.carbonGPerKwh = choose.perhaps<double>(50, choose.of<double>({400, 0.1, 5000}));
    if (counted)
        h.power = site;
}

void choosePrice(Chooser& choose, Hardware& h)
{
    h.priceKind = choose.perhaps(15, choose.any(PriceKind::Spot));
    h.spotMtbfHours = choose.perhaps<double>(15, choose.of<double>({400, 0.01, 1e7}));
}

void chooseTraining(Chooser& choose, Scenario& s, std::int64_t layers)
{
    Parallelism& p = s.parallelism;
    TrainingWorkload& w = s.training;
    p.tensor = choose.whole({1, 1, 1, 2, 4, 8});
    choosePipeline(choose, p, layers);
    p.context = choose.whole({1, 1, 1, 2, 4});
    const std::int64_t data = choose.whole({1, 1, 2, 4, 8, 16, 64, 256});
    s.hardware.count = p.tensor * p.pipeline * p.context * data;
    p.sharding = choose.perhaps(70, choose.any(Sharding::Fsdp));
    const std::int64_t replicas = choose.whole({2, 4, 8});
    p.replicas = choose.perhaps<std::int64_t>(20, data % replicas == 0 ? replicas : 1);
    p.sequenceParallel = choose.perhaps(30, choose.chance(50));
    p.expert = choose.whole({1, 1, 2, 4, 8, 16});
    w.sequenceLength = choose.whole({4096, 64, 512, 1000, 2048, 8192, 32768, 131072});
    w.microBatch = choose.whole({1, 1, 2, 3, 8});
    const std::int64_t global = w.microBatch * data * choose.whole({1, 1, 2, 4, 8, 32});
    w.globalBatch = choose.perhaps<std::int64_t>(80, global);
    w.method = choose.any(Method::Qlora);
    w.loraRank = choose.whole({16, 1, 4, 64, 256});
    w.loraTargets.bits = choose.of<std::uint8_t>({127, LoraTargets::attention, LoraTargets::qv, 3, 112, 8});
    w.checkpointing = choose.any(Checkpointing::Unknown);
    w.checkpointEvery = choose.whole({2, 1, 3, 4, 8});
    w.precision = choose.of({DataType::Bf16, DataType::Fp32, DataType::Tf32, DataType::Fp16, DataType::Fp8,
                             DataType::Mxfp8, DataType::Fp4});
    w.masterWeights = choose.chance(20) ? MasterWeights::None : MasterWeights::Fp32;
    w.gradients = choose.perhaps(30, choose.any(Gradients::Bf16));
    w.optimizer = choose.any(Optimizer::Muon);
    w.flashAttention = choose.of({FlashAttention::On, FlashAttention::On, FlashAttention::Off, FlashAttention::V1,
                                  FlashAttention::V2, FlashAttention::V3});
    w.packedSampleTokens = choose.perhaps<std::int64_t>(15, choose.whole({1024, 16, 128}));
    w.chunkedLoss = choose.perhaps(30, choose.chance(50));
    w.offload = choose.of({Offload::None, Offload::None, Offload::None, Offload::Optimizer, Offload::Parameters});
    w.expertImbalance = choose.of<double>({1, 1, 1, 1.2, 2});
    w.overlapDataParallel = choose.perhaps<double>(15, choose.share());
    w.overlapTensor = choose.perhaps<double>(15, choose.share());
    w.overlapExpert = choose.perhaps<double>(15, choose.share());
    w.software = choose.chance(60) ? choose.any(TrainingSoftware::JaxEager) : TrainingSoftware::Tuned;
    w.trainingTokens = choose.perhaps<double>(30, 1e12);
    chooseReliability(choose, w);
}

void chooseServing(Chooser& choose, Scenario& s, std::int64_t layers)
{
    Parallelism& p = s.parallelism;
    InferenceWorkload& w = s.inference;
    p.tensor = choose.whole({1, 1, 2, 4, 8, 16});
    choosePipeline(choose, p, layers);
    p.virtualPipeline = 1;
    p.context = choose.whole({1, 1, 1, 1, 2});
    p.attentionData = choose.whole({1, 1, 1, 2, 8});
    const std::int64_t replicas = choose.whole({1, 1, 2, 3, 16});
    s.hardware.count = p.tensor * p.pipeline * p.context * p.attentionData * replicas;
    p.replicas = choose.perhaps<std::int64_t>(50, replicas);
    p.expert = choose.whole({1, 1, 2, 4, 8, 16, 64});
    w.batch = choose.whole({1, 1, 2, 8, 31, 128, 512});
    w.batchMax = choose.chance(12);
    w.promptTokens = choose.whole({1024, 1, 16, 128, 1000, 4096, 32768, 131072});
    w.outputTokens = choose.whole({256, 1, 2, 16, 1024, 4096});
    w.promptTokensP95 = choose.perhaps<std::int64_t>(20, w.promptTokens * 3);
    w.outputTokensP95 = choose.perhaps<std::int64_t>(20, w.outputTokens * 3);
    w.requestsPerS = choose.perhaps<double>(30, choose.of<double>({1, 0.001, 0.1, 10, 1000}));
    w.weights = choose.of({DataType::Bf16, DataType::Bf16, DataType::Fp32, DataType::Fp16, DataType::Fp8,
                           DataType::Int8, DataType::Int4, DataType::Fp4, DataType::Mxfp4, DataType::Native});
    w.weightBits = choose.perhaps<double>(10, choose.of<double>({4.5, 2.5, 6}));
    w.compute = choose.perhaps(30, choose.of({DataType::Bf16, DataType::Fp32, DataType::Tf32, DataType::Fp16,
                                              DataType::Fp8, DataType::Int8, DataType::Fp4}));
    w.kvCache = choose.of({DataType::Bf16, DataType::Bf16, DataType::Fp32, DataType::Fp16, DataType::Fp8,
                           DataType::Int8, DataType::Int4});
    w.scheduling = choose.of({Scheduling::Continuous, Scheduling::Static, Scheduling::Disaggregated});
    w.arrival = choose.perhaps(30, choose.any(Arrival::Burst));
    const double cached = choose.share();
    if (choose.chance(20))
        w.prefixCachedTokens = static_cast<std::int64_t>(cached * static_cast<double>(w.promptTokens));
    w.memoryUtilization = choose.perhaps<double>(20, choose.of<double>({0.8, 0.5, 0.95}));
    w.flashAttention = choose.of({FlashAttention::On, FlashAttention::On, FlashAttention::Off, FlashAttention::V2});
    w.expertImbalance = choose.of<double>({1, 1, 1, 1.2, 2});
    w.software = choose.chance(60) ? choose.any(InferenceSoftware::Transformers) : InferenceSoftware::Tuned;
    w.drafting = choose.perhaps(
        20, choose.of({Drafting::Eagle, Drafting::Eagle3, Drafting::Medusa, Drafting::Ngram, Drafting::Mtp}));
    w.draftTokens = choose.whole({3, 1, 2, 5, 16});
    const double accepted = choose.share();
    if (choose.chance(60))
        w.acceptance = Acceptance::of(accepted);
}

/// Weights in the hosts' memory.
void chooseHostMemory(Chooser& choose, InferenceWorkload& w)
{
    const bool below = choose.chance(15);
    const double gb = choose.of<double>({5, 0.1, 40, 400});
    w.hostLinkGbPerS = choose.perhaps<double>(50, choose.of<double>({64, 1, 20, 900}));
    w.hostOverlap = choose.perhaps<double>(50, choose.share());
    if (below)
        w.hostWeightsGb = gb;
    else
        w.hostLinkGbPerS = w.hostOverlap = std::nullopt;
}

} // namespace

Scenario physicsScenario(const PhysicsDraw& draw)
{
    Scenario s;
    s.task = draw.task;
    Chooser choose(draw);
    std::int64_t layers = 1;
    chooseNames(choose, s, layers);
    chooseHardware(choose, s);
    draw.task == Task::Training ? chooseTraining(choose, s, layers) : chooseServing(choose, s, layers);
    chooseSite(choose, s.hardware);
    choosePrice(choose, s.hardware);
    if (draw.task == Task::Inference)
        chooseHostMemory(choose, s.inference);
    return s;
}

} // namespace headroom::test
