// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/random_scenario.hpp"

#include "core/scenario/parameter_registry.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace headroom::test
{

namespace
{

/// Rows of core/scenario/parameter_rows_traffic.cpp, parameter_rows_mix.cpp and parameter_rows_day.cpp.
bool isTraffic(std::string_view id)
{
    return id == "arrival_cv" || id == "prefix_hit_rate" || id == "target_percentile" || id == "max_tokens_per_pass" ||
           id.starts_with("mix_") || id.ends_with("_tokens_p50") || id.ends_with("_tokens_p99") ||
           id.ends_with("_tokens_cv") || id == "load_peak_to_trough" || id.starts_with("autoscale_");
}

/// A day for every other load; replicas that follow it, for some.
void addDay(InferenceWorkload& w, std::mt19937_64 bits)
{
    const auto next = [&bits](std::uint64_t most) { return static_cast<std::int64_t>(bits() % most); };
    if (!w.requestsPerS || next(2) == 0)
        return;
    w.loadProfile = LoadProfile::shaped(next(2) == 0 ? LoadShape::Sine : LoadShape::Office, double(1 + next(10)));
    if (next(3) == 0)
        return;
    w.autoscale.target = 0.1 * double(2 + next(9));
    w.autoscale.lagS = 600.0 * double(next(20));
    if (next(2) == 0)
        w.autoscale.min = 1 + next(4);
    if (next(2) == 0)
        w.autoscale.max = 4 + next(60);
}

/// Rows of core/scenario/parameter_rows_host.cpp.
bool isBelowMemory(std::string_view path)
{
    return path.starts_with("/workload/host_memory/") || path.starts_with("/workload/kv_tiers/");
}

/// For some, a cache below the memory or weights there.
void addBelowMemory(InferenceWorkload& w, std::mt19937_64 bits)
{
    const auto next = [&bits](std::uint64_t most) { return static_cast<std::int64_t>(bits() % most); };
    if (next(4) > 0)
        return;
    if (next(2) == 0)
        w.hostWeightsGb = double(1 + next(80));
    if (next(3) == 0)
        w.hostLinkGbPerS = double(1 + next(400));
    if (w.hostWeightsGb && next(3) == 0)
        w.hostOverlap = 0.25 * double(next(5));
    const double own =
        w.prefixHitRate.value_or(double(w.prefixCachedTokens) / double(std::max<std::int64_t>(1, w.promptTokens)));
    const double room = std::max(0.0, 1 - own);
    if (next(2) == 0) {
        w.tierHostGb = double(next(512));
        w.tierHostHits = room / 2 * 0.25 * double(next(5));
    }
    if (next(3) == 0) {
        w.tierNvmeGb = double(next(4096));
        w.tierNvmeHits = room / 2 * 0.25 * double(next(5));
        w.nvmeGbPerS = double(1 + next(20));
    }
    if (next(3) == 0)
        w.tierLayerwise = next(2) == 0;
}

/// Two classes of requests with the means that are there.
void addClasses(InferenceWorkload& w)
{
    RequestMix mix;
    mix.count = 2;
    mix.all[0] = {0.5, (w.promptTokens + 1) / 2, w.outputTokens + w.outputTokens / 3};
    mix.all[1] = {0.5, 2 * w.promptTokens - mix.all[0].promptTokens, w.outputTokens - w.outputTokens / 3};
    w.mix = mix;
}

} // namespace

RandomScenarios::RandomScenarios(std::uint64_t seed)
    : m_bits(seed), m_poolBits(seed), m_phaseBits(seed), m_rlBits(seed), m_catalog(Catalog::builtIn()),
      m_calibration(Calibration::builtIn())
{
}

double RandomScenarios::share()
{
    return static_cast<double>(m_bits() >> 11) * 0x1p-53;
}

void RandomScenarios::addTraffic(Scenario& s)
{
    const auto next = [this](std::uint64_t most) { return static_cast<std::int64_t>(m_poolBits() % most); };
    if (next(3) > 0)
        return;
    InferenceWorkload& w = s.inference;
    if (next(2) == 0)
        w.promptTokensCv = 0.3 * double(next(10));
    if (next(2) == 0)
        w.outputTokensP99 = std::max(w.outputTokens, w.outputTokensP95.value_or(1)) * (1 + next(5));
    if (next(3) == 0)
        w.arrivalCv = 0.5 * double(next(8));
    if (next(2) == 0) {
        w.prefixHitRate = 0.1 * double(next(11));
        w.prefixCachedTokens = 0;
    }
    if (next(3) == 0)
        w.maxTokensPerPass = 1024 << next(6);
    if (next(2) == 0)
        w.targetPercentile = next(2) == 0 ? TargetPercentile::P95 : TargetPercentile::P99;
}

void RandomScenarios::addPool(Scenario& s)
{
    const auto next = [this](std::uint64_t most) { return static_cast<std::int64_t>(m_poolBits() % most); };
    if (next(3) > 0)
        return;
    InferenceWorkload& w = s.inference;
    w.prefillPool.tensor = std::int64_t{1} << next(4);
    if (next(2) == 0)
        w.prefillPool.count = *w.prefillPool.tensor * s.parallelism.pipeline * s.parallelism.context *
                              s.parallelism.attentionData * (1 + next(6));
    if (next(3) == 0)
        w.prefillPool.batch = 1 + next(8);
    if (next(2) == 0)
        w.transferGbitPerS = 100.0 * double(1 + next(16));
    w.transferOverlap = 0.25 * double(next(5));
    if (next(2) == 0)
        w.prefillPool.pricePerGpuHour = 0.5 * double(1 + next(8));
}

Scenario RandomScenarios::draw(Task task)
{
    Scenario scenario;
    scenario.task = task;
    const auto models = m_catalog.models();
    const auto devices = m_catalog.accelerators();
    scenario.model.id = models[static_cast<std::size_t>(share() * static_cast<double>(models.size()))]->id;
    scenario.accelerator.id = devices[static_cast<std::size_t>(share() * static_cast<double>(devices.size()))]->id;

    constexpr std::array<double, 4> degrees{1, 2, 4, 8};
    const auto degree = [&](double often) {
        return share() < often ? degrees[static_cast<std::size_t>(share() * degrees.size())] : 1.0;
    };
    for (const ParameterRow& row : parameterRegistry()) {
        if (row.path.starts_with("/workload/prefill_pool/") || row.path.starts_with("/workload/kv_transfer/") ||
            row.path.starts_with("/workload/rl/") || row.id == "optimizer_in_backward" || row.id == "host_memory_gb" ||
            isTraffic(row.id) || isBelowMemory(row.path))
            continue; // below, apart
        if (!(task == Task::Training ? row.training : row.inference) || row.group == ParameterGroup::Parallelism ||
            row.id == "count" || share() < 0.4)
            continue;
        if (row.group == ParameterGroup::Measured && share() < 0.8)
            continue;
        const bool choice = !row.choices.empty() || row.kind == ParameterKind::Toggle;
        const double low = choice ? row.minimum : row.sliderMinimum, high = choice ? row.maximum : row.sliderMaximum;
        double value = low + share() * (high - low);
        if (choice)
            value = low + std::floor(share() * (high - low + 1));
        else if (row.scale == ParameterScale::Log && low > 0)
            value = low * std::pow(high / low, share());
        row.set(scenario, row.kind == ParameterKind::Real ? value : std::round(value));
    }
    Parallelism& parallelism = scenario.parallelism;
    parallelism.tensor = static_cast<std::int64_t>(degree(0.6));
    parallelism.pipeline = static_cast<std::int64_t>(degree(0.2));
    parallelism.expert = static_cast<std::int64_t>(degree(0.2));
    scenario.hardware.count = parallelism.tensor * parallelism.pipeline * static_cast<std::int64_t>(degree(0.7));
    if (share() < 0.5)
        scenario.training.globalBatch.reset();
    addPool(scenario);
    addTraffic(scenario);
    if (auto bits = m_poolBits; bits() % 6 == 0) // a copy: what is drawn next stays as it was
        addClasses(scenario.inference);
    addDay(scenario.inference, m_poolBits);
    addBelowMemory(scenario.inference, m_poolBits);
    if (auto bits = m_poolBits; task == Task::Training && scenario.training.offload != Offload::None && bits() % 3 == 0)
        scenario.hardware.hostMemoryGb = double(64 << bits() % 7);
    return scenario;
}

PreparedScenario RandomScenarios::next(Task task)
{
    for (;;)
        // A device whose maker publishes no bandwidth can be looked at, not computed with.
        if (auto prepared = prepare(draw(task), m_catalog, m_calibration);
            prepared && checkSetup(*prepared).empty() && prepared->accelerator->memoryBandwidthGbPerS > 0) {
            if (task == Task::Training) {
                addPhases(*prepared);
                addRl(*prepared);
                if (auto bits = m_rlBits; bits() % 3 == 0 && !prepared->training.globalBatch && !prepared->phases)
                    prepared->training.optimizerInBackward = true;
            }
            return *std::move(prepared);
        }
}

void RandomScenarios::addPhases(PreparedScenario& prepared)
{
    if (m_phaseBits() % 4 != 0)
        return;
    TrainingPhases phases(2);
    phases[0].name = "short";
    phases[0].tokens = 1e9 * static_cast<double>(1 + m_phaseBits() % 1000);
    phases[1].tokens = 1e9 * static_cast<double>(1 + m_phaseBits() % 1000);
    phases[1].sequenceLength = 2 * prepared.training.sequenceLength;
    prepared.phases = std::make_shared<const TrainingPhases>(std::move(phases));
}

void RandomScenarios::addRl(PreparedScenario& prepared)
{
    const auto next = [this](std::uint64_t most) { return static_cast<std::int64_t>(m_rlBits() % most); };
    if (next(4) != 0)
        return;
    RlWorkload& w = prepared.training.rl;
    w.prompts = 1 + next(1024);
    w.samples = 1 + next(32);
    w.promptTokens = 1 + next(2000);
    w.outputTokens = 1 + next(8000);
    if (next(2) == 0)
        w.outputTokensP99 = w.outputTokens * (1 + next(6));
    if (next(2) == 0)
        w.maxOutputTokens = w.outputTokensP99.value_or(w.outputTokens) * (1 + next(3));
    w.epochs = 1 + next(3);
    w.oldLogProb = next(2) == 0;
    w.reference = next(2) == 0;
    w.critic = next(3) == 0;
    w.rewardModel = next(3) == 0;
    w.rewardS = 10.0 * double(next(4));
    if (next(2) == 0) {
        w.placement = RlPlacement::Separate;
        w.staleness = next(5);
        w.rolloutTensor = std::int64_t{1} << next(4);
        w.rolloutCount = *w.rolloutTensor * (1 + next(8));
    }
    if (next(3) == 0)
        w.rolloutBatch = 1 + next(300);
}

ChartContext RandomScenarios::nextContext(Task task, int pins)
{
    ChartContext context;
    context.scenario = next(task);
    context.evaluation = evaluate(context.scenario);
    for (int i = 0; i < pins; ++i) {
        PinnedScenario pin;
        pin.letter = static_cast<char>('A' + i);
        pin.name = std::string("Pin ") + pin.letter;
        pin.prepared = next(task);
        pin.evaluation = evaluate(pin.prepared);
        context.pins.push_back(std::move(pin));
    }
    return context;
}

} // namespace headroom::test
