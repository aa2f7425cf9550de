// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/cost_energy.hpp"
#include "core/predict/evaluate.hpp"
#include "core/predict/inference/inference_bound.hpp"
#include "core/predict/inference/inference_count.hpp"
#include "core/predict/inference/inference_evaluate.hpp"
#include "core/predict/inference/inference_host.hpp"
#include "core/predict/inference/inference_intervals.hpp"
#include "core/predict/inference/inference_mix.hpp"
#include "core/predict/inference/inference_queue.hpp"
#include "core/predict/inference/inference_tail.hpp"
#include "core/predict/utilization.hpp"
#include "core/units/numbers.hpp"

#include <algorithm>
#include <cmath>

namespace headroom
{
namespace
{

using namespace inference;

/// Fills an Evaluation from the parts; one object a call.
class InferenceEvaluation final
{
public:
    InferenceEvaluation(const PreparedScenario& prepared, const Replica& replica, Evaluation& result)
        : p(prepared), w(p.inference), r(result), served(replica), m(replica.m), memory(replica.memory),
          pool(replica.pool), v(replica.serve(p)), others(prepared, replica)
    {
    }

    /// What requests see alone: latencies, waits, classes.
    void seen()
    {
        r.task = Task::Inference;
        latencies();
        if (pool)
            r.pools = describePools(*pool, p, m, v, 0);
        load();
        if (w.mix)
            addMix(p, served, v, others, r);
        if (w.targetPercentile)
            r.tail = tailOf(p, served, v, r, others);
    }

    void run()
    {
        r.task = Task::Inference;
        r.totalParameters = p.model->parameters.total;
        r.activeParameters = p.model->parameters.active;
        r.trainableParameters = 0;
        r.warnings = m.warnings;
        r.peakFlops = m.peak;
        r.memoryBandwidth = m.bandwidth;
        r.replicas = m.sizes.replicas;
        r.data = m.sizes.attentionData;
        r.batch = v.inHand;
        devices = m.sizes.devices() * m.sizes.replicas;
        latencies();
        if (m.speculation.on())
            r.speculation = describeSpeculation(p, served, v);
        reportMemory(memory, w.batchMax ? v.mostBatch : std::max(1.0, real(w.batch)), r);
        utilisation();
        if (pool)
            pools();
        if (m.hostLink > 0)
            addBelowMemory(p, served, v, r);
        observed();
        load();
        if (w.mix)
            addMix(p, served, v, others, r);
        if (countsLateRequests(w))
            r.tail = tailOf(p, served, v, r, others);
        energyAndCost();
        addIntervals(p, served, v, r);
        r.boundBy = memory.maxBatch < 1 ? BoundBy::Capacity : boundOf(m, v, served.engine.prompts());
        warn();
    }

private:
    const PreparedScenario& p;
    const InferenceWorkload& w;
    Evaluation& r;
    const Replica& served;
    const Machine& m;
    const MemoryPlan& memory;
    const PrefillPool* const pool; ///< that reads the prompts, where they are read elsewhere
    const Serving v;
    OtherPrompts others;
    double devices = 1;
    double promptFlop = 0; ///< of one prompt, exactly

    void latencies()
    {
        r.time = v.time;
        r.tpotS = v.tpotS;
        r.ttftS = v.ttftS;
        r.ttftAloneS = v.ttftAloneS;
        r.requestLatencyS = v.ttftS + (answerTokens(w) - 1) * v.tpotS;
        r.tokensPerS = v.tokensPerS * m.sizes.replicas;
        r.requestsPerS = *r.tokensPerS / answerTokens(w);
    }

    /// The pool that reads the prompts, beside the one that decodes, which all other figures are of.
    void pools()
    {
        r.pools = describePools(*pool, p, m, v, promptFlop);
        r.pools->prefill.mfu = r.prefill->mfu;
        PoolResult& decode = r.pools->decode;
        decode.mfu = r.mfu;
        decode.mbu = r.mbu;
        decode.usedBytes = r.usedBytes;
        decode.capacityBytes = r.capacityBytes;
        decode.fits = r.fits;
        r.fits = r.fits && r.pools->prefill.fits;
        if (!r.pools->prefill.fits)
            r.warnings.add(WarningCode::PrefillDoesNotFit, r.pools->prefill.usedBytes - r.pools->prefill.capacityBytes);
        const double busy = v.tokensPerS / v.fullTokensPerS, perS = pool->requestsPerS();
        if (perS < limitOfDecode() && busy < 1) // by what it reads, or by what the links carry
            r.warnings.add(perS < pool->carriedPerS() ? WarningCode::PrefillPoolLimits : WarningCode::TransferLimits,
                           busy);
        for (const WarningCode code :
             {WarningCode::NicAssumed, WarningCode::HostLinkAssumed, WarningCode::HeadsNotDivisible,
              WarningCode::ExpertsNotDivisible, WarningCode::LayersNotDivisible, WarningCode::ExpertGroupTooLarge})
            if (pool->m.warnings.has(code) && !r.warnings.has(code))
                r.warnings.add(code, pool->m.warnings.number(code));
    }

    /// Requests a second that are asked of the decoding pool: by the load, or by its full batch.
    [[nodiscard]] double limitOfDecode() const
    {
        const double full = v.fullTokensPerS / answerTokens(w) * m.sizes.replicas;
        return w.requestsPerS ? std::min(*w.requestsPerS, full) : full;
    }

    /// From the model's FLOP of a token to those that a cycle executes for it.
    void addDrafts()
    {
        const Speculation& s = m.speculation;
        const Drafter& drafter = *served.engine.drafter();
        r.flops.hardware =
            (s.verified() * r.flops.forward + s.passes * drafter.flops(m.contexts, r.tokensPerStep)) / s.tokens;
    }

    /// Bytes that a step of `batch` sequences moves on each device, for a token of each.
    [[nodiscard]] double bytesOf(double batch) const
    {
        const double bytes = decodeBytes(m, *p.model, m.contexts, batch);
        if (!m.speculation.on())
            return bytes;
        const double drafts = m.speculation.passes * served.engine.drafter()->bytes(m.contexts, batch);
        return (bytes + drafts) / m.speculation.tokens;
    }

    void utilisation()
    {
        const double keys = real(w.promptTokens) + answerTokens(w) / 2;
        r.tokensPerStep = v.inHand * m.sizes.replicas;
        r.flops = decodeFlops(*p.model, m.contexts, r.tokensPerStep);
        r.bytesMoved = bytesOf(v.inHand);
        if (m.speculation.on())
            addDrafts();
        const double step = v.tpotS * devices * m.peak;
        ByConvention counted = ForwardFlopPerToken(*p.model, keys).all();
        counted[static_cast<std::size_t>(Convention::Exact)] = r.flops.model / r.tokensPerStep;
        r.modelFlopPerToken = counted[static_cast<std::size_t>(p.accounting)];
        for (std::size_t i = 0; i < counted.size(); ++i)
            if (counted[i] > 0 && step > 0)
                r.conventions[i] = counted[i] * r.tokensPerStep / step;
        r.mfu = r.conventions[static_cast<std::size_t>(p.accounting)];
        r.hfu = executed(r.mfu);
        r.mbu = r.bytesMoved / (v.tpotS * m.bandwidth);
        const MixedPrompts mixed = mixedPrompts(w);
        promptFlop = promptFlopUnder(Convention::Exact, mixed);
        const double prompt = p.accounting == Convention::Exact ? promptFlop : promptFlopUnder(p.accounting, mixed);
        r.prefill = PrefillResult{v.prefillS, {}, v.prefillPrompts};
        const Machine& reader = pool ? pool->m : m;
        if (v.prefillS > 0 && prompt > 0)
            r.prefill->mfu = prompt * v.prefillPrompts / (v.prefillS * reader.sizes.devices() * reader.peak);
        r.ridgeFlopPerByte = m.peak / m.bandwidth;
        r.intensityFlopPerByte = r.bytesMoved > 0 ? r.flops.model / devices / r.bytesMoved : 0;
    }

    /// HFU beside an MFU: decoding executes what the model needs, no more; of drafts some are thrown away.
    [[nodiscard]] std::optional<double> executed(const std::optional<double>& mfu) const
    {
        return mfu && m.speculation.on() ? std::optional(*mfu * r.flops.hardware / r.flops.model) : mfu;
    }

    /// FLOP of a prompt: the head sees its last token only. 0: the convention counts none.
    [[nodiscard]] double promptFlopUnder(Convention convention, const MixedPrompts& mixed) const
    {
        const double length = promptLength(w);
        const double perToken = promptFlopPerToken(*p.model, convention, length * mixed.longer, mixed.cached);
        return perToken > 0 ? perToken * length - 2 * p.model->headWeights * (length - 1) : 0;
    }

    /// Time of one token that the measurement implies, in the order in which measurements are believed.
    [[nodiscard]] std::optional<double> measuredTokenS() const
    {
        if (p.measured.tpotS)
            return p.measured.tpotS;
        if (impliesTokenTime(p)) // the rate holds the prompts' time too: as much of it as is predicted
            return v.tpotS * *r.tokensPerS / *p.measured.tokensPerS;
        // A share of the bandwidth whose count is known is a time; beside the prediction stands our count of it.
        if (const double each = publishedBytesPerS(); each > 0 && p.measured.bandwidthCount != BandwidthCount::Unstated)
            return publishedCount(m, p, v.inHand, 0).bytes / (each * m.speculation.tokens);
        return {};
    }

    /// Of a device, as published; 0 where nothing was.
    [[nodiscard]] double publishedBytesPerS() const
    {
        const auto& stated = p.measured.achievedBandwidthGbPerS;
        return stated ? *stated * giga : p.measured.mbu.value_or(0) * p.accelerator->memoryBandwidth();
    }

    void observed()
    {
        if (!p.measured.any())
            return;
        Observed o;
        o.mbu = p.measured.mbu;
        o.achievedBandwidthGbPerS = p.measured.achievedBandwidthGbPerS;
        o.ttftS = p.measured.ttftS;
        o.tokensPerS = p.measured.tokensPerS;
        o.peakMemoryBytes = p.measured.peakMemoryBytes;
        const std::optional<double> time = measuredTokenS();
        const double excess = tooFast(time);
        o.impossible = excess > 1;
        if (o.impossible)
            r.warnings.add(WarningCode::FasterThanIdeal, excess);
        if (time) {
            const double peak = p.measured.peakTflops ? *p.measured.peakTflops * 1e12 : m.peak;
            o.stepTimeS = time;
            o.mbu = r.bytesMoved / (*time * m.bandwidth);
            o.achievedBandwidthGbPerS =
                publishedCount(m, p, v.inHand, *time).bytes / (*time * m.speculation.tokens) / 1e9;
            const double faster = v.tpotS / *time * (m.peak / peak);
            o.mfu = r.mfu ? std::optional(*r.mfu * faster) : std::nullopt;
            o.hfu = executed(o.mfu);
            for (std::optional<double>* share : {&o.mbu, &o.mfu, &o.hfu})
                if (!o.impossible && *share > 1)
                    share->reset(); // prompts that are alike touch fewer experts than are counted
            for (std::optional<double>& c : r.conventions)
                if (c && !o.impossible)
                    *c *= faster;
            compareMeasurements(*time);
        }
        r.observed = o;
    }

    /// How many times faster than any run of this scenario; at most 1 where one can have been as it says. Whatever the
    /// batch, a token takes its FLOP, and no GPU moves more bytes than its memory can.
    [[nodiscard]] double tooFast(const std::optional<double>& time) const
    {
        const Measured& measured = p.measured;
        const double stated = measured.peakTflops ? *measured.peakTflops * 1e12 : m.peak;
        const double flopPerS = devices * std::min(stated, m.peak);
        double excess = overLight();
        // Predicted are what a batch that memory decides does in a step, and the prompts' share of a rate.
        if (time && !w.batchMax && !impliesTokenTime(p))
            excess = std::max(excess, r.flops.model / (*time * flopPerS));
        if (measured.tokensPerS)
            excess = std::max(excess, *measured.tokensPerS * r.flops.model / r.tokensPerStep / flopPerS);
        excess =
            std::max(excess, measured.achievedBandwidthGbPerS.value_or(0) * 1e9 / p.accelerator->memoryBandwidth());
        return std::max(excess, measured.mbu.value_or(0));
    }

    void compareMeasurements(double time)
    {
        constexpr double tolerance = 0.02;
        if (!p.measured.tpotS || !p.measured.tokensPerS || w.requestsPerS || w.scheduling != Scheduling::Disaggregated)
            return; // elsewhere throughput holds the prompts' time too
        const double other = v.batch * v.decodeShare * m.sizes.replicas / *p.measured.tokensPerS;
        if (std::abs(other / time - 1) > tolerance)
            r.warnings.add(WarningCode::MeasurementsDisagree, std::abs(other / time - 1));
    }

    /// One definition of the capacity: what the replicas serve with their full batch. A request takes one of so many
    /// places for as long as that makes it.
    void load()
    {
        if (!w.requestsPerS)
            return;
        r.queue = queueing(placesOf(p, served, v));
        r.queue->capacityRequestsPerS = v.fullTokensPerS / answerTokens(w) * m.sizes.replicas;
        addReadingWait(p, m, v, *r.queue);
        if (r.pools && r.queue->meanWaitS) // first for the one, then for the other
            waitFirst(r.pools->waitS, r.pools->p95WaitS, r.pools->p99WaitS, r.pools->waitingShare, *r.queue);
        if (r.pools)
            heedNarrowest(*r.pools, *r.queue);
        r.queue->mostBatch = v.mostBatch;
        if (!r.queue->meanWaitS)
            r.warnings.add(WarningCode::LoadBeyondCapacity, r.queue->utilization);
        else
            r.warnings.add(WarningCode::LoadDecidesBatch, v.inFlight);
        if (w.arrivalCv > burstyCv)
            r.warnings.add(WarningCode::ArrivalsBursty, w.arrivalCv);
    }

    void energyAndCost()
    {
        const double replica = m.sizes.devices() * m.peak; // FLOP/s
        const double perToken = r.flops.hardware / r.tokensPerStep;
        const double out = answerTokens(w), decoded = v.tokensPerS * v.written;
        r.activity.compute = decoded * perToken / replica;
        const double bytes = v.passBatch == v.inHand ? r.bytesMoved : bytesOf(v.passBatch);
        r.activity.memory = decoded / v.passBatch * bytes / m.bandwidth;
        r.activity.prompts = pool ? 0 : v.tokensPerS / out * promptFlop / replica;
        r.activity.running = v.busy;
        if (r.pools)
            r.pools->decode.watts = jobWatts(p, double(p.hardware.count), r.activity);
        addCostAndEnergy(p, *r.tokensPerS, {}, r);
    }

    void warn()
    {
        const double longest = real(w.promptTokens + w.outputTokens), context = real(p.model->architecture.maxContext);
        if (context > 0 && longest > context)
            r.warnings.add(WarningCode::BeyondMaxContext, context);
        if (v.limit == BatchLimit::Pass)
            r.warnings.add(WarningCode::BatchLimitedByPass, v.mostBatch);
        else if (v.limit == BatchLimit::Memory)
            r.warnings.add(WarningCode::BatchLimitedByMemory, memory.maxBatch);
        else if (v.limit == BatchLimit::Most && !(r.queue && r.queue->meanWaitS)) // a load needs no more places
            r.warnings.add(WarningCode::BatchAtMost, v.mostBatch);
        if (const auto far = beyondLogNormal(p))
            r.warnings.add(WarningCode::PercentileTooFar, far->times);
        if (v.decodeShare < 1)
            r.warnings.add(WarningCode::PoolsShareGpus, 1 - v.decodeShare);
    }

    /// No figure of a run may be faster than the strict bound: k experts a layer, weights and cache moved once, all
    /// overlapped. Where memory decides the batch, a token takes at least the time of a lone one, and a rate at most
    /// that of a batch without end; a prompt is read no sooner than it would be alone.
    [[nodiscard]] double overLight() const
    {
        const Machine bound = makeMachine(p, true);
        const double wanted = std::max(1.0, real(w.batch)), out = answerTokens(w);
        // Every draft accepted, and none of them cost anything.
        const auto step = [&](double batch) {
            return decodePass(p, bound, batch, Routing::Fewest).total() / bound.speculation.verified();
        };
        double excess = 1;
        const auto compare = [&excess](double least, double measured) {
            excess = std::max(excess, measured > 0 ? least / measured : 1);
        };
        if (p.measured.tpotS) // what does not fit waits, and never decodes together
            compare(step(w.requestsPerS || w.batchMax ? 1 : v.batch), *p.measured.tpotS);
        if (p.measured.ttftS)
            compare(pool ? prefillPass(pool->p, makeMachine(pool->p, true), 1).total()
                         : prefillPass(p, bound, 1).total(),
                    *p.measured.ttftS);
        if (p.measured.tokensPerS) {
            const double rate = *p.measured.tokensPerS / m.sizes.replicas;
            constexpr double endless = 1e6;
            if (w.batchMax)
                compare(step(endless), endless / rate);
            else if (w.scheduling == Scheduling::Static)
                compare(prefillPass(p, bound, wanted).total() + (out - 1) * step(wanted), wanted * out / rate);
            else
                compare(step(wanted), wanted / rate);
        }
        return excess;
    }
};

} // namespace

void inference::evaluateServing(const PreparedScenario& prepared, const Replica& replica, Evaluation& result) noexcept
{
    InferenceEvaluation(prepared, replica, result).run();
}

Evaluation inference::evaluateSeen(const PreparedScenario& prepared, Replica& replica) noexcept
{
    replica.setCount(prepared);
    Evaluation result;
    InferenceEvaluation(prepared, replica, result).seen();
    return result;
}

} // namespace headroom
