// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/fit/shift_search.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace headroom
{
namespace
{

/// Two of a machine's own runs differ by so much: what is nearer than that tells nothing.
constexpr double repeatable = 0.01;
/// What predictions of runs that are as they say are off, at the median of the published ones.
constexpr double likely = 0.05;

/// Solves a·x = b of a few unknowns by Gauss's elimination with pivots; false where they are not told apart.
bool solved(std::vector<std::vector<double>> a, std::vector<double> b, std::vector<double>& x)
{
    const std::size_t n = b.size();
    for (std::size_t column = 0; column < n; ++column) {
        std::size_t pivot = column;
        for (std::size_t row = column + 1; row < n; ++row)
            if (std::abs(a[row][column]) > std::abs(a[pivot][column]))
                pivot = row;
        if (std::abs(a[pivot][column]) < 1e-14)
            return false;
        std::swap(a[pivot], a[column]);
        std::swap(b[pivot], b[column]);
        for (std::size_t row = column + 1; row < n; ++row) {
            const double times = a[row][column] / a[column][column];
            for (std::size_t i = column; i < n; ++i)
                a[row][i] -= times * a[column][i];
            b[row] -= times * b[column];
        }
    }
    x.assign(n, 0);
    for (std::size_t row = n; row-- > 0;) {
        double rest = b[row];
        for (std::size_t i = row + 1; i < n; ++i)
            rest -= a[row][i] * x[i];
        x[row] = rest / a[row][row];
    }
    return true;
}

double product(const std::vector<double>& a, const std::vector<double>& b)
{
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        sum += a[i] * b[i];
    return sum;
}

/// What is left of `column` beside the others: what they cannot stand for.
std::vector<double> beside(std::vector<double> column, std::vector<std::vector<double>> others)
{
    for (std::size_t i = 0; i < others.size(); ++i) { // Gram-Schmidt
        const double length = product(others[i], others[i]);
        if (length < 1e-12)
            continue;
        const auto takeFrom = [&](std::vector<double>& from) {
            const double times = product(from, others[i]) / length;
            for (std::size_t j = 0; j < from.size(); ++j)
                from[j] -= times * others[i][j];
        };
        for (std::size_t j = i + 1; j < others.size(); ++j)
            takeFrom(others[j]);
        takeFrom(column);
    }
    return column;
}

double weightOf(double residual)
{
    return std::abs(residual) <= likely ? 1 : likely / std::abs(residual);
}

double largest(const std::vector<double>& values)
{
    double most = 0;
    for (const double value : values)
        most = std::max(most, std::abs(value));
    return most;
}

} // namespace

double robustLoss(const std::vector<double>& residuals)
{
    double sum = 0;
    for (const double residual : residuals)
        sum += std::abs(residual) <= likely ? residual * residual : likely * (2 * std::abs(residual) - likely);
    return sum;
}

double medianError(const std::vector<double>& residuals)
{
    std::vector<double> errors;
    for (const double residual : residuals)
        errors.push_back(std::abs(std::expm1(residual)));
    if (errors.empty())
        return 0;
    std::ranges::sort(errors);
    return (errors[(errors.size() - 1) / 2] + errors[errors.size() / 2]) / 2;
}

bool isNearer(double before, double after)
{
    constexpr double none = 0.001, atMost = 0.95;
    return before <= none || after <= atMost * before;
}

ShiftSearch::ShiftSearch(std::span<const PreparedScenario> runs, Residual residual, const Efficiency& parts)
    : m_residual(residual), m_parts(parts)
{
    for (const PreparedScenario& run : runs)
        m_runs.push_back(run);
}

std::vector<double> ShiftSearch::residualsAt(const std::vector<const Knob*>& knobs,
                                             const std::vector<double>& logs) const
{
    Efficiency efficiency = m_parts;
    for (std::size_t i = 0; i < knobs.size(); ++i)
        knobs[i]->set(efficiency, m_parts, std::exp(logs[i]));
    std::vector<double> values;
    for (PreparedScenario& run : m_runs) {
        run.efficiency = efficiency;
        values.push_back(m_residual(run, evaluate(run)).value_or(0));
    }
    return values;
}

/// Golden-section search on the logarithm.
ShiftSearch::Found ShiftSearch::golden(const Knob& knob) const
{
    constexpr double stay = 1e-6; // where the loss is flat, between runs to either side, nothing is to move
    const auto loss = [&](double log) { return robustLoss(residualsAt({&knob}, {log})) + stay * log * log; };
    const double ratio = (std::sqrt(5.0) - 1) / 2;
    double low = std::log(lowestShift), high = std::log(highestShift);
    double a = high - ratio * (high - low), b = low + ratio * (high - low);
    double lossA = loss(a), lossB = loss(b);
    constexpr double exactEnough = 1e-5, noDifference = 1e-5;
    if (std::abs(loss(low) - loss(high)) + std::abs(lossA - lossB) < noDifference)
        return {{&knob}, {0}, residualsAt({&knob}, {0}), loss(0)}; // it moves nothing here
    while (high - low > exactEnough) {
        if (lossA <= lossB) {
            high = b;
            b = a;
            lossB = lossA;
            a = high - ratio * (high - low);
            lossA = loss(a);
        } else {
            low = a;
            a = b;
            lossA = lossB;
            b = low + ratio * (high - low);
            lossB = loss(b);
        }
    }
    Found found{{&knob}, {(low + high) / 2}};
    found.residuals = residualsAt(found.knobs, found.logs);
    found.loss = robustLoss(found.residuals);
    return found;
}

std::vector<double> ShiftSearch::sensitivity(const Found& at, const Knob& knob) const
{
    constexpr double step = 0.01; // to either side: a transfer that begins to show has a kink
    std::vector<const Knob*> knobs = at.knobs;
    std::vector<double> logs = at.logs;
    auto place = static_cast<std::size_t>(std::ranges::find(knobs, &knob) - knobs.begin());
    if (place == knobs.size()) {
        knobs.push_back(&knob);
        logs.push_back(0);
    }
    const double here = logs[place];
    logs[place] = here + step;
    std::vector<double> change = residualsAt(knobs, logs);
    logs[place] = here - step;
    const std::vector<double> below = residualsAt(knobs, logs);
    for (std::size_t i = 0; i < change.size(); ++i)
        change[i] = (change[i] - below[i]) / (2 * step);
    return change;
}

/// Levenberg's and Marquardt's way down from one place: all multipliers at once, since those that act on the same time
/// settle slowly in turns.
ShiftSearch::Found ShiftSearch::descended(const std::vector<const Knob*>& knobs, double start) const
{
    const std::size_t n = knobs.size();
    Found here{knobs, std::vector<double>(n, start)};
    here.residuals = residualsAt(knobs, here.logs);
    here.loss = robustLoss(here.residuals);
    constexpr int most = 25;
    constexpr double settled = 1e-12;
    double damping = 1e-3;
    for (int round = 0; round < most && here.loss > settled; ++round) {
        std::vector<std::vector<double>> columns;
        std::vector<double> weighted = here.residuals; // the slope of the loss
        for (double& residual : weighted)
            residual = std::clamp(residual, -likely, likely);
        for (const Knob* knob : knobs)
            columns.push_back(sensitivity(here, *knob));
        bool better = false;
        for (int attempt = 0; attempt < 6 && !better; ++attempt, damping *= 8) {
            std::vector<std::vector<double>> normal(n, std::vector<double>(n));
            std::vector<double> right(n), step;
            for (std::size_t i = 0; i < n; ++i) {
                for (std::size_t j = 0; j < n; ++j)
                    for (std::size_t run = 0; run < weighted.size(); ++run)
                        normal[i][j] += columns[i][run] * columns[j][run] * weightOf(here.residuals[run]);
                normal[i][i] += damping * (normal[i][i] + 1e-6);
                right[i] = -product(columns[i], weighted);
            }
            if (!solved(normal, right, step))
                continue;
            Found next{knobs, here.logs};
            for (std::size_t i = 0; i < n; ++i)
                next.logs[i] = std::clamp(next.logs[i] + step[i], std::log(lowestShift), std::log(highestShift));
            next.residuals = residualsAt(knobs, next.logs);
            next.loss = robustLoss(next.residuals);
            if (next.loss >= here.loss)
                continue;
            better = true;
            const bool still = here.loss - next.loss < 1e-9 * here.loss;
            here = std::move(next);
            damping = std::max(damping / 64, 1e-9);
            if (still)
                return here;
        }
        if (!better)
            break;
    }
    return here;
}

ShiftSearch::Found ShiftSearch::found(const std::vector<const Knob*>& knobs) const
{
    Found best;
    if (knobs.size() == 1)
        best = golden(*knobs.front());
    else // a link that is hidden behind compute shows only where it is slower
        for (const double start : {1.0, 0.5, 0.2}) {
            Found next = descended(knobs, std::log(start));
            if (best.knobs.empty() || next.loss < best.loss)
                best = std::move(next);
        }
    constexpr double near = 0.005;
    for (const double log : best.logs)
        best.atEnd = best.atEnd || log < std::log(lowestShift) + near || log > std::log(highestShift) - near;
    return best;
}

bool ShiftSearch::matters(const Knob& knob) const
{
    constexpr double hardly = 0.02;
    const std::vector<double> plain = residualsAt({}, {}), slow = residualsAt({&knob}, {std::log(0.5)});
    for (std::size_t i = 0; i < plain.size(); ++i)
        if (std::abs(slow[i] - plain[i]) > hardly)
            return true;
    return false;
}

/// Runs tell a link where they differ in how long they wait for it, by a tenth of their time that neither compute nor
/// the other link can stand for.
bool ShiftSearch::tells(const Found& at, const Knob& first) const
{
    constexpr double apart = 0.1;
    const std::vector<double> compute = sensitivity(at, first);
    for (const Knob* knob : at.knobs) {
        if (knob == &first)
            continue;
        std::vector<std::vector<double>> others{compute};
        for (const Knob* other : at.knobs)
            if (other != knob && other != &first)
                others.push_back(sensitivity(at, *other));
        const std::vector<double> alone = beside(sensitivity(at, *knob), std::move(others));
        const auto [least, most] = std::ranges::minmax_element(alone);
        if (*most - *least < apart)
            return false;
    }
    return true;
}

/// Schwarz's criterion: what another multiplier brings must be worth it.
double ShiftSearch::score(const Found& found) const
{
    const auto n = static_cast<double>(m_runs.size()), k = static_cast<double>(found.knobs.size());
    return n * std::log(found.loss / n + repeatable * repeatable) + k * std::log(std::max(n, 3.0));
}

ShiftSearch::Found ShiftSearch::chosen(const Knob& first, std::span<const Knob* const> others) const
{
    Found alone = found({&first});
    std::vector<const Knob*> links;
    for (const Knob* knob : others) // what is met already tells nothing of a link
        if (medianError(residualsAt({}, {})) > repeatable && matters(*knob))
            links.push_back(knob);
    constexpr std::size_t fewest = 3; // runs, and one more than multipliers
    std::vector<Found> candidates;
    if (!alone.atEnd)
        candidates.push_back(alone);
    bool told = false;
    for (unsigned set = 1; set < 1u << links.size() && m_runs.size() >= fewest; ++set) {
        std::vector<const Knob*> knobs;
        for (std::size_t i = 0; i < links.size(); ++i)
            if ((set >> i & 1u) != 0)
                knobs.push_back(links[i]);
        Found linksAlone = found(knobs);
        knobs.insert(knobs.begin(), &first);
        Found both = m_runs.size() > knobs.size() ? found(knobs) : Found{};
        // A faster chip beside a slower link has to be seen: else it pays back what the link is made too slow by.
        constexpr double seen = 0.25;
        const auto slow = [](double log) { return log < 0; };
        const bool paysBack = !both.knobs.empty() && both.logs.front() > 0 &&
                              std::any_of(both.logs.begin() + 1, both.logs.end(), slow) &&
                              both.loss + double(m_runs.size()) * repeatable * repeatable > seen * linksAlone.loss;
        for (Found* candidate : {&linksAlone, &both})
            if (!candidate->knobs.empty() && !candidate->atEnd && tells(*candidate, first)) {
                told = true;
                if (candidate != &both || !paysBack)
                    candidates.push_back(std::move(*candidate));
            }
    }
    // What brings half of the runs no nearer is no better than nothing, whatever it does to a few.
    const double before = medianError(residualsAt({}, {}));
    const auto brings = [&](const Found& found) { return isNearer(before, medianError(found.residuals)); };
    if (std::ranges::any_of(candidates, brings))
        std::erase_if(candidates, [&](const Found& found) { return !brings(found); });
    if (candidates.empty())
        return alone;
    Found best = *std::ranges::min_element(candidates, {}, [this](const Found& found) { return score(found); });
    constexpr double waits = 0.05; // of a run's time
    if (!told && !links.empty())
        for (const Knob* link : links)
            best.untold = best.untold || largest(sensitivity(best, *link)) > waits;
    return best;
}

} // namespace headroom
