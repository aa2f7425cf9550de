// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/goodput.hpp"

#include <algorithm>
#include <cmath>

namespace headroom
{

double bestCheckpointInterval(const FailureModel& model) noexcept
{
    const double m = model.mtbf, d = model.checkpoint;
    if (d >= 2 * m)
        return m;
    const double x = std::sqrt(d / (2 * m));
    return std::sqrt(2 * d * m) * (1 + x / 3 + x * x / 9) - d;
}

double effectiveTrainingTimeRatio(const FailureModel& model, double interval) noexcept
{
    // By logarithms: e^x of a job that fails within a second overflows. From here on e^x − 1 is e^x to the last digit.
    constexpr double largest = 40;
    const double x = (interval + model.checkpoint) / model.mtbf;
    const double growth = x < largest ? std::log(std::expm1(x)) : x;
    const double ratio = std::exp(std::log(interval / model.mtbf) - model.restart / model.mtbf - growth);
    return std::clamp(ratio, leastTrainingTimeRatio, 1.0);
}

double stragglerFactor(double sigma, double ranks) noexcept
{
    if (ranks <= 1)
        return 1;
    const double beyond = 0.625 / (ranks + 0.25); // 1 − (n − 0.375) ÷ (n + 0.25)
    const double t = std::sqrt(-2 * std::log(beyond));
    // Hastings's approximation, off by less than 4.5e-4 (Abramowitz and Stegun, Handbook of Mathematical Functions).
    const double normal =
        t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
    return 1 + sigma * normal;
}

void divideCalendar(Goodput& g, const FailureModel& model) noexcept
{
    const double up = 1 - g.maintenance, useful = up * g.ettr;
    g.share = useful / g.stragglers;
    g.stragglerLoss = useful - g.share;
    // To first order each failure costs a restart and half an interval of work: scaled to what is lost exactly.
    const double checkpoint = model.checkpoint / g.intervalS, restart = model.restart / model.mtbf,
                 work = g.intervalS / (2 * model.mtbf);
    const double scale = (up - useful) / (checkpoint + restart + work);
    g.checkpointLoss = scale * checkpoint;
    g.restartLoss = scale * restart;
    g.lostWork = scale * work;
}

std::optional<double> lostSeconds(const Evaluation& e) noexcept
{
    if (e.phases)
        return e.phases->lostS;
    if (!e.goodput || !e.secondsToTrain)
        return std::nullopt;
    return *e.secondsToTrain * (1 - e.goodput->share);
}

} // namespace headroom
