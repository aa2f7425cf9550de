// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/inference/inference_reading.hpp"

#include "core/hardware/roofline.hpp"
#include "core/predict/inference/inference_queue.hpp"

#include <algorithm>
#include <cmath>

namespace headroom::inference
{
namespace
{

/// Lambert's W of a positive number, within a few thousandths (Winitzki 2003).
double lambertW(double x)
{
    const double log = std::log1p(x);
    return log * (1 - std::log1p(log) / (2 + log));
}

/// Passes that may take any number of prompts.
struct Passes {
    double meanS = 0, squareS = 0, cubeS = 0; ///< moments of a pass
    double reading = 0;                       ///< share of them that read
    /// As whoever comes finds it: until the pass under way ends, in the mean.
    [[nodiscard]] double restS() const { return squareS / (2 * meanS); }
};

/// n prompts come in a pass and are read in the next, which lasts s where n is 0 and s' + b·n else. `adds` is b·λ;
/// `poisson` what the scatter of n and of the prompts' lengths is of that of equal prompts and Poisson arrivals.
Passes passesOf(const ReadingQueue& q, double adds, double poisson)
{
    constexpr double nothing = 1e-9; // of a pass: no sooner does the next one begin
    const double base = q.basePassS, s = std::max(q.emptyPassS, nothing * (base + q.promptS));
    // A pass that reads takes (s' + b·λ·s·y) ÷ (1 − b·λ) with y that read nothing for each that reads. One of those
    // follows where nothing came: y·(1 − e^(−λ·s)) = e^(−λ·that).
    const double none = -std::expm1(-q.requestsPerS * s), grows = q.requestsPerS * adds * s / (1 - adds);
    const double atFirst = std::exp(-q.requestsPerS * base / (1 - adds)) / none;
    const double empties = grows > 0 ? lambertW(grows * atFirst) / grows : atFirst;
    const double readS = (base + adds * s * empties) / (1 - adds);
    Passes p;
    p.reading = 1 / (1 + empties);
    const double empty = empties * p.reading;
    p.meanS = empty * s + p.reading * readS;
    p.squareS = (empty * s * s + p.reading * base * base + (2 * base + poisson * q.promptS) * adds * p.meanS) /
                (1 - adds * adds);
    // Those that read are spread like a gamma distribution.
    const double spread = std::max(0.0, (p.squareS - empty * s * s) / (p.reading * readS * readS) - 1);
    p.cubeS = empty * s * s * s + p.reading * readS * readS * readS * (1 + spread) * (1 + 2 * spread);
    return p;
}

/// What queues beyond the passes that take all: `free` is the wait without a limit, `full` a full pass, `busy` how much
/// of full passes the load needs.
double queuedS(const ReadingQueue& q, double busy, double fullS, double freeS, double poisson)
{
    // Prompts that take as long together as one by one are one queue, in which only the order of reading differs; where
    // a full pass takes as long as one with a single prompt, its places are servers, with Sakasegawa's exponent.
    const double oneByOne = (busy * fullS / q.most * poisson + (1 - busy) * q.emptyPassS) / (2 * (1 - busy)) - freeS;
    const double servers =
        poisson * fullS / 2 * powerOfShare(busy, std::sqrt(2 * (q.most + 1)) - 0.5) / (q.most * (1 - busy));
    const double like = (q.promptS + q.basePassS / (q.most * q.most)) / (q.promptS + q.basePassS / q.most);
    return std::lerp(servers, std::max(0.0, oneByOne) * powerOfShare(busy, 2 * (q.most - 1)), like * like);
}

/// Of those that come while a prompt waits, before it or behind it, as many as there is room for: the more room, the
/// less often one pass has none and the next too much.
double besideOne(double come, double room)
{
    if (!(room > 0))
        return 0;
    return come * room / softMaximum(come, room, 1 + std::sqrt(room));
}

} // namespace

ReadingWait waitToBeRead(const ReadingQueue& q) noexcept
{
    const double fullS = q.fullPassS(), busy = q.requestsPerS / q.capacityPerS();
    const double adds = q.requestsPerS * q.promptS;
    ReadingWait r;
    if (!(fullS > 0)) // prompts that take no time wait for none
        return r;
    if (!(busy < 1)) {
        r.meanS = std::numeric_limits<double>::infinity();
        r.beside = q.most - 1;
        r.readers = q.most;
        r.ownPassS = fullS;
        return r;
    }
    const double prompts = q.most * q.promptS / fullS; // of a full pass, the part that varies with their lengths
    const double poisson = 2 * variationFactor(busy, q.arrivals, q.lengths);
    const double fullPoisson = 2 * variationFactor(busy, q.arrivals, q.lengths * prompts * prompts);
    const Passes passes = passesOf(q, adds, poisson);
    const double freeS = passes.restS(), queued = queuedS(q, busy, fullS, freeS, fullPoisson);
    r.meanS = freeS + queued;
    r.beside = besideOne(q.requestsPerS * (freeS + r.meanS), q.most - 1);
    r.readers = std::clamp(q.requestsPerS * passes.meanS / passes.reading, 1.0, q.most);
    r.ownPassS = q.basePassS + q.promptS * (1 + r.beside);
    // Half of those that are read beside it came before it.
    r.leftBehind = std::max(0.0, q.requestsPerS * r.meanS - r.beside / 2) + q.requestsPerS * r.ownPassS;

    // The pass that is met, by its length: a share of it, even, and the prompts that come in it. What queues beyond is
    // exponential.
    const double metS = 2 * freeS, metVariance = std::max(0.0, passes.cubeS / passes.meanS - metS * metS);
    const double shared = r.beside / (q.requestsPerS * metS), perS = 0.5 + std::min(1.0, shared) * adds;
    const double free = (metS * metS + metVariance) / 12 + perS * perS * metVariance +
                        poisson * std::min(1.0, shared * shared) * q.promptS * adds * metS;
    const double late = fullS / (2 * q.most * (1 - busy)) * fullPoisson;
    const double allS = r.meanS + r.beside * q.promptS;
    r.variation = (free + queued * std::max(0.0, 2 * late - queued)) / (allS * allS);
    return r;
}

} // namespace headroom::inference
