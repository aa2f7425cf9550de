// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/training/training_plan.hpp"

#include "core/hardware/bound.hpp"
#include "core/hardware/power.hpp"
#include "core/hardware/roofline.hpp"
#include "core/hardware/sixteen_bit.hpp"
#include "core/predict/device_domain.hpp"
#include "core/predict/rank_heads.hpp"
#include "core/scenario/effective.hpp"
#include "core/scenario/layout_parts.hpp"
#include "core/support/whole_parts.hpp"

#include <algorithm>
#include <cmath>

namespace headroom
{
namespace
{

MatmulClass matmulClass(DataType type) noexcept
{
    switch (type) {
    case DataType::Fp8:
    case DataType::Mxfp8:
    case DataType::Int8:
        return MatmulClass::Bits8;
    case DataType::Fp4:
    case DataType::Mxfp4:
    case DataType::Int4:
        return MatmulClass::Bits4;
    default:
        return MatmulClass::Bits16;
    }
}

/// The next wider format to try where an accelerator has no such mode; Fp32 is the widest.
DataType nextWider(DataType type) noexcept
{
    switch (matmulClass(type)) {
    case MatmulClass::Bits4:
        return DataType::Fp8;
    case MatmulClass::Bits8:
        return DataType::Bf16;
    case MatmulClass::Bits16:
        break;
    }
    return type == DataType::Tf32 || type == DataType::Fp32 ? DataType::Fp32 : DataType::Tf32;
}

double peak16Of(const Accelerator& accelerator) noexcept
{
    for (const DataType type : {DataType::Bf16, DataType::Tf32, DataType::Fp32})
        if (const double peak = accelerator.peakFlops(type); peak > 0)
            return peak;
    return 1e12; // a device without any floating rate: refused by its reader, finite all the same
}

void choosePrecision(TrainingPlan& plan, WarningSet& warnings) noexcept
{
    const DataType wanted = plan.setup->training.precision;
    plan.precision = wanted;
    plan.peak16 = peak16Of(*plan.accelerator);
    plan.peak = plan.accelerator->peakFlops(plan.precision);
    while (plan.peak <= 0 && plan.precision != DataType::Fp32) {
        plan.precision = nextWider(plan.precision);
        plan.peak = plan.accelerator->peakFlops(plan.precision);
    }
    const bool unknown = plan.peak <= 0;
    if (unknown)
        plan.peak = plan.peak16;
    if (unknown || plan.precision != wanted || takesOtherSixteen(*plan.accelerator, plan.precision))
        warnings.add(WarningCode::PrecisionUnavailable, storedBytes(plan.precision) * 8);
    plan.width = matmulClass(plan.precision);
    if (plan.width == MatmulClass::Bits16)
        plan.peak16 = plan.peak;
    plan.ratedPeak = std::max(plan.peak, plan.peak16);
    plan.valueBytes = plan.width == MatmulClass::Bits16 ? std::max(2.0, storedBytes(plan.precision)) : 2;
    plan.inputBytes = plan.width == MatmulClass::Bits8 ? 1 : plan.width == MatmulClass::Bits4 ? 0.5 : plan.valueBytes;
}

void chooseSizes(TrainingPlan& plan) noexcept
{
    const Setup& s = *plan.setup;
    const ModelProfile& model = *plan.model;
    plan.gpus = double(std::max<std::int64_t>(1, s.hardware.count));
    plan.tensor = double(s.parallelism.tensor);
    plan.pipeline = double(s.parallelism.pipeline);
    plan.virtualPipeline = plan.pipeline > 1 ? double(s.parallelism.virtualPipeline) : 1;
    plan.context = double(s.parallelism.context);
    plan.data = double(dataParallelRanks(s));
    plan.sequenceSplit = effectiveSequenceParallel(s) ? plan.tensor : 1;
    plan.repeatsHeads = std::ranges::any_of(
        model.kinds, [&](const LayerKind& k) { return repeatedHeadWeights(k, model.hidden, plan.tensor) != 0; });
    if (model.experts > 0)
        plan.expert = std::clamp(double(s.parallelism.expert), 1.0, plan.tensor * plan.context * plan.data);
    plan.expertTensor = std::max(1.0, std::floor(plan.tensor / plan.expert));
    plan.expertImbalance = std::min(s.training.expertImbalance, plan.expert);
    const double ranks = plan.data * plan.context;
    plan.sharding = plan.gpus > 1 ? effectiveSharding(s) : Sharding::None;
    plan.replicas = std::clamp(double(shardingReplicas(s)), 1.0, ranks);
    // Groups of one rank divide nothing: as without sharding, all ranks reduce their gradients together.
    if (plan.replicas > 1 && plan.replicas >= ranks)
        plan.sharding = Sharding::None;
    if (plan.sharding == Sharding::None)
        plan.replicas = 1; // there are no groups of shards
    plan.shards = std::max(1.0, ranks / plan.replicas);
    const double copies = std::max(1.0, ranks * plan.tensor / (plan.expert * plan.expertTensor)); // of each expert
    plan.expertShards = std::max(1.0, copies / plan.replicas);
    plan.expertReplicas = std::min(copies, plan.replicas);
    plan.microBatch = double(s.training.microBatch);
    plan.sequence = double(s.training.sequenceLength);
    plan.sample = double(effectiveSampleTokens(s.training));
    plan.microBatches = std::max(1.0, std::floor(double(effectiveGlobalBatch(s)) / (plan.microBatch * plan.data)));
    plan.tokens = plan.microBatch * plan.sequence / plan.context;
    plan.layout = PipelineLayout(model, plan.pipeline, plan.virtualPipeline);
    plan.adapters = s.training.method != Method::Full;
    plan.quantized = s.training.method == Method::Qlora;
    plan.flash = s.training.flashAttention != FlashAttention::Off;
}

/// `ideal`: every share of a rate 1, every start 0, every copy that a fused kernel avoids left out.
TrainingConstants speedOfLight(TrainingConstants c) noexcept
{
    for (double TrainingConstants::*share :
         {&TrainingConstants::expertCompute, &TrainingConstants::expertMemory, &TrainingConstants::weightGradientShare,
          &TrainingConstants::unalignedShare, &TrainingConstants::attentionTrafficShare,
          &TrainingConstants::unfusedMatmulShare, &TrainingConstants::scoreShare, &TrainingConstants::elementwiseShare,
          &TrainingConstants::dequantizeShare, &TrainingConstants::scaleUpShare, &TrainingConstants::scaleOutShare,
          &TrainingConstants::exchangeShare, &TrainingConstants::exchangeOverlap, &TrainingConstants::hostLinkShare,
          &TrainingConstants::optimizerShare, &TrainingConstants::hostRecompute, &TrainingConstants::hostAdapters,
          &TrainingConstants::ampereAttentionHopper, &TrainingConstants::fastExponentialAttention})
        c.*share = 1;
    for (double TrainingConstants::*start :
         {&TrainingConstants::expertStart, &TrainingConstants::attentionStartForward,
          &TrainingConstants::attentionStartBackward, &TrainingConstants::attentionShortTokens,
          &TrainingConstants::start, &TrainingConstants::startPerNode, &TrainingConstants::startPerRank,
          &TrainingConstants::slowdown, &TrainingConstants::optimizerStart, &TrainingConstants::pipelineExposed,
          &TrainingConstants::ringExposed, &TrainingConstants::castBytes, &TrainingConstants::lossBytes,
          &TrainingConstants::adapterTraffic}) // what is fused needs no memory
        c.*start = 0;
    // A fused scan moves x and y forward, and x, dy and dx backward: five passes over memory. The backward pass counts
    // twice the forward's.
    constexpr double leastScanPasses = 5.0 / 3;
    c.scanPasses = std::min(c.scanPasses, leastScanPasses);
    return c;
}

/// Bytes that the loss of a release of Transformers takes for a logit at its fullest: where the softmax in 32 bit is
/// made, whose input is there in 32 bit, too. Up to 4.45 a model makes its logits 32 bit and copies them to shift them:
/// 4 + 4 + 4. From 4.46 on the loss is a function (loss/loss_utils.py), and the model still has those of 16 bit: 2
/// more. From 4.49 on labels are shifted in their place (its pull request 35646).
double transformersLogitBytes(const SoftwareVersion& version) noexcept
{
    if (version.before("4.46"))
        return 12;
    return version.before("4.49") ? 14 : 10;
}

TrainingProfile speedOfLight(TrainingProfile profile) noexcept
{
    profile.matmul = profile.elementwise = profile.lossFactor = profile.optimizerFactor = profile.attentionHopper = 1;
    profile.hostPerLayer = profile.hostPerExpert = 0;
    profile.overlapDataParallel = profile.overlapTensor = 1;
    return profile;
}

void limitByPower(TrainingPlan& plan) noexcept
{
    const double watts = plan.accelerator->tdpWatts / (peak16Of(*plan.accelerator) * 1e-12);
    const double before = plan.law16.compute, limit = powerLimitShare(plan.setup->hardware, *plan.accelerator);
    for (MatmulLaw* law : {&plan.law, &plan.law16})
        law->compute = shareUnderLimit(sustainedShare(law->compute, law->wattsPerTflops, watts), limit);
    plan.attention.forward *= plan.law16.compute / before;
    plan.attention.backward *= plan.law16.compute / before;
}

/// Special function units at twice the rate of Blackwell's 16 exponentials a clock: softmax holds up the matrix units
/// less (Blackwell Ultra).
bool hasFastExponentials(const Accelerator& accelerator) noexcept
{
    constexpr double usual = 16;
    return accelerator.exponentialsPerClockPerUnit > usual;
}

void chooseRates(TrainingPlan& plan, const TrainingCalibration& calibration) noexcept
{
    const Setup& s = *plan.setup;
    const Efficiency& user = s.efficiency;
    plan.ideal = user.base == EfficiencyBase::Ideal;
    plan.family = trainingFamily(plan.accelerator->family);
    plan.constants = calibration.constants;
    plan.profile = calibration.profile(s.training.software);
    if (s.training.softwareVersion && s.training.software == TrainingSoftware::Transformers)
        plan.profile.logitBytes = transformersLogitBytes(*s.training.softwareVersion);
    plan.law = calibration.law(plan.family, plan.width);
    plan.law16 = calibration.law(plan.family, MatmulClass::Bits16);
    plan.attention = calibration.attention[static_cast<std::size_t>(plan.family)];
    if (plan.ideal) {
        plan.law = plan.law16 = MatmulLaw{0, 1, 1, hardRoofline};
        plan.attention = {1, 1};
        plan.constants = speedOfLight(plan.constants);
        plan.profile = speedOfLight(plan.profile);
        if (plan.precision == DataType::Fp16) // GeForce: sums of 16 bits; those of bf16 have 32 (PTX ISA, mma)
            plan.peak = plan.peak16 = plan.ratedPeak =
                std::max(plan.peak, plan.accelerator->peak.fp16Accumulate16 * 1e12);
    } else {
        plan.profile.overlapDataParallel = s.training.overlapDataParallel.value_or(plan.profile.overlapDataParallel);
        plan.profile.overlapTensor = s.training.overlapTensor.value_or(plan.profile.overlapTensor);
        plan.constants.exchangeOverlap = s.training.overlapExpert.value_or(plan.constants.exchangeOverlap);
    }
    plan.fusesExperts = !plan.ideal && fusesExperts(s.training);
    plan.fusesDispatch = !plan.ideal && s.training.fusedDispatch.value_or(false);
    plan.chunkedLoss = s.training.chunkedLoss.value_or(plan.profile.chunkedLoss);
    plan.mayChunkLoss = !s.training.chunkedLoss && !plan.chunkedLoss && plan.profile.chunksLossToFit;
    plan.mayNarrowStore = plan.width != MatmulClass::Bits16 && plan.profile.savesToFit;
    const bool wideGradients =
        !plan.adapters && plan.valueBytes <= 2 && s.training.masterWeights == MasterWeights::Fp32;
    plan.mayNarrowGradients =
        plan.profile.savesToFit && wideGradients && !s.training.gradients && plan.sharding != Sharding::Fsdp;
    plan.mayProjectAgain = plan.profile.savesToFit && s.training.checkpointing == Checkpointing::Unknown;
    plan.attention.forward *= plan.hopperAttention();
    plan.attention.backward *= plan.hopperAttention();
    if (plan.family == TrainingFamily::B200 && madeForAmpere(s.training.flashAttention) && !plan.ideal)
        plan.attention = {plan.constants.ampereAttentionForward, plan.constants.ampereAttentionBackward};
    else if (plan.family == TrainingFamily::B200 && hasFastExponentials(*plan.accelerator))
        for (double* share : {&plan.attention.forward, &plan.attention.backward})
            *share *= plan.constants.fastExponentialAttention;
    if (!plan.ideal)
        limitByPower(plan);
    plan.law.compute = boundedShare(plan.law.compute * plan.profile.matmul * user.matmul);
    plan.law16.compute = boundedShare(plan.law16.compute * plan.profile.matmul * user.matmul);
    plan.attention.forward = boundedShare(plan.attention.forward * user.attention);
    plan.attention.backward = boundedShare(plan.attention.backward * user.attention);
    plan.bandwidth = plan.accelerator->memoryBandwidth();
    TrainingConstants& c = plan.constants;
    const double memory = plan.ideal ? 1 : memoryUnderLimit(powerLimitShare(plan.setup->hardware, *plan.accelerator));
    for (double* share : {&plan.law.memory, &plan.law16.memory, &c.expertMemory, &c.elementwiseShare, &c.optimizerShare,
                          &c.weightGradientShare, &c.attentionTrafficShare, &c.scoreShare, &c.dequantizeShare})
        *share = boundedShare(*share * user.memoryBandwidth * memory);
    plan.profile.hostPerLayer *= user.host;
    plan.profile.hostPerExpert *= user.host;
    if (s.training.compile && mayCompile(s.training.software) && !plan.ideal) {
        const double traffic = *s.training.compile ? c.compiledElementwise : c.eagerElementwise;
        plan.profile.elementwise *= traffic;
        plan.profile.lossFactor *= traffic;
    }
    plan.elementwiseSecondsPerByte = 1 / sustained(plan.bandwidth, c.elementwiseShare / plan.profile.elementwise);
}

/// Whether the result reads the rate of the link to the host, which joins the GPUs of a node where nothing else does.
bool countsHostLink(const TrainingPlan& plan, const DeviceDomain& domain) noexcept
{
    const TrainingWorkload& t = plan.setup->training;
    const bool joinsGpus = domain.pcie && plan.gpus > 1 && domain.size > 1;
    const bool saves = countsFailures(t) && !t.reliability.checkpointS && !t.reliability.checkpointGbPerS;
    return joinsGpus || saves || plan.offload != Offload::None;
}

void chooseLinks(TrainingPlan& plan, const PreparedScenario& prepared, WarningSet& warnings) noexcept
{
    const Accelerator& a = *plan.accelerator;
    const Hardware& hardware = plan.setup->hardware;
    const TrainingConstants& c = plan.constants;
    const Efficiency& user = plan.setup->efficiency;
    const DeviceDomain domain = domainOf(prepared, plan.gpus);
    const double host = hostLinkRate(prepared);
    plan.domain = domain.size;
    double gbit = hardware.scaleOutGbitPerS.value_or(a.scaleOutGbitPerS);
    if (gbit <= 0) {
        gbit = c.assumedNicGbit;
        if (plan.gpus > plan.domain)
            warnings.add(WarningCode::NicAssumed, gbit);
    }
    plan.links.scaleOut = sustained(gbit * 1e9 / 8, c.scaleOutShare * user.scaleOut);
    // A node whose inner link is slower than its network uses the network.
    plan.links.scaleUp = std::max(sustained(domain.link, c.scaleUpShare * user.scaleUp), plan.links.scaleOut);
    plan.links.exchange = std::max(sustained(domain.link, c.exchangeShare * user.scaleUp), plan.links.scaleOut);
    plan.links.start = c.start;
    plan.links.perNode = c.startPerNode;
    plan.links.perRank = c.startPerRank;
    plan.links.light = plan.ideal;
    plan.hostLink = sustained(host, c.hostLinkShare);
    if (a.hostLinkGbPerS <= 0 && countsHostLink(plan, domain))
        warnings.add(WarningCode::HostLinkAssumed, host / 1e9);
}

void warnAboutSizes(const TrainingPlan& plan, WarningSet& warnings) noexcept
{
    const ModelProfile& model = *plan.model;
    const Parallelism& parallelism = plan.setup->parallelism;
    if (plan.layout.uneven())
        warnings.add(WarningCode::LayersNotDivisible, plan.layout.mostLayers());
    if (model.attentionLayers > 0 && !dividesInto(double(model.architecture.heads), plan.tensor))
        warnings.add(WarningCode::HeadsNotDivisible, std::ceil(double(model.architecture.heads) / plan.tensor));
    if (model.experts > 0) {
        if (!dividesInto(model.experts, plan.expert))
            warnings.add(WarningCode::ExpertsNotDivisible, std::ceil(model.experts / plan.expert));
        const double ranks = plan.tensor * plan.context * plan.data;
        if (double(parallelism.expert) > ranks)
            warnings.add(WarningCode::ExpertGroupTooLarge);
        else if (!dividesInto(ranks, plan.expert))
            warnings.add(WarningCode::ExpertGroupTooLarge, ranks);
    }
    if (model.architecture.maxContext > 0 && plan.sample > double(model.architecture.maxContext))
        warnings.add(WarningCode::BeyondMaxContext, double(model.architecture.maxContext));
    if (lacksParts(*plan.setup))
        warnings.add(WarningCode::SoftwareLacks);
    if (isOfUnfittedFamily(plan) && !plan.ideal)
        warnings.add(WarningCode::FamilyWithoutFit);
    if (isWithoutRuns(plan) && !plan.ideal)
        warnings.add(WarningCode::SoftwareWithoutFit);
}

} // namespace

void setCheckpointing(TrainingPlan& plan, Checkpointing checkpointing, double every) noexcept
{
    plan.checkpointing = checkpointing;
    plan.again = recomputeShares(checkpointing, every, plan.flash);
}

bool isOfUnfittedFamily(const TrainingPlan& plan) noexcept
{
    return plan.family == TrainingFamily::Pcie || plan.family == TrainingFamily::V100;
}

bool isWithoutRuns(const TrainingPlan& plan) noexcept
{
    return plan.setup->training.software != TrainingSoftware::Tuned && !plan.profile.fitted;
}

bool buffersGradients(const TrainingProfile& profile, Sharding sharding) noexcept
{
    return profile.gradientBuffers || sharding == Sharding::Zero1 || sharding == Sharding::Zero2;
}

bool trainsPrediction(const PreparedScenario& prepared) noexcept
{
    const TrainingWorkload& t = prepared.training;
    return prepared.model->predicting && t.method == Method::Full && !isRl(prepared) &&
           t.multiTokenPrediction.value_or(t.software == TrainingSoftware::Megatron);
}

bool updatesInBackward(const PreparedScenario& prepared) noexcept
{
    const TrainingWorkload& t = prepared.training;
    if (!t.optimizerInBackward.value_or(false) || t.method != Method::Full || isRl(prepared))
        return false;
    return !buffersGradients(prepared.calibration->training.profile(t.software), effectiveSharding(prepared));
}

TrainingPlan planTraining(const PreparedScenario& prepared, WarningSet& warnings) noexcept
{
    TrainingPlan plan;
    plan.setup = &prepared;
    plan.model = trainsPrediction(prepared) ? prepared.model->predicting.get() : prepared.model.get();
    plan.accelerator = prepared.accelerator.get();
    plan.offload = effectiveOffload(prepared, *plan.accelerator);
    chooseSizes(plan);
    choosePrecision(plan, warnings);
    chooseRates(plan, prepared.calibration->training);
    chooseLinks(plan, prepared, warnings);
    if (prepared.training.optimizerInBackward) [[unlikely]]
        plan.updatesInBackward = updatesInBackward(prepared);
    const Checkpointing mode = prepared.training.checkpointing;
    setCheckpointing(plan, mode == Checkpointing::Unknown ? Checkpointing::None : mode,
                     double(prepared.training.checkpointEvery));
    warnAboutSizes(plan, warnings);
    if (plan.model->predictionLayers > 0 && !prepared.training.multiTokenPrediction)
        warnings.add(WarningCode::TrainsPrediction, prepared.model->parameters.mtp);
    return plan;
}

} // namespace headroom
