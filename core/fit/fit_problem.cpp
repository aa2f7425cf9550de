// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/fit/fit_problem.hpp"

#include "core/fit/at_once.hpp"
#include "core/validation/run_notes.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace headroom
{
namespace
{

/// Below this a share counts as this for its prior: the logarithm of nothing is no distance.
constexpr double smallestShare = 0.05;

constexpr std::size_t worthAThread = 200; ///< runs; fewer are quicker on one

} // namespace

FitProblem::FitProblem(FitTask task, CalibrationDocument document, const std::vector<FitRun>& runs,
                       const FitProblem* same)
    : m_task(std::move(task)), m_document(std::move(document)), m_calibration(std::make_shared<Calibration>())
{
    m_document.passOverRecords();
    if (auto calibration = m_document.read())
        *m_calibration = *std::move(calibration);
    for (std::size_t i = 0; i < runs.size(); ++i) {
        FitRun run = runs[i];
        if (run.prepared.task != m_task.task)
            continue;
        run.prepared.calibration = m_calibration;
        if (m_task.campaign != nullptr)
            run.origin = m_task.campaign(run.origin, run.prepared);
        const Evaluation evaluation = evaluate(run.prepared);
        if (m_task.credible != nullptr && !m_task.credible(run.prepared, evaluation))
            continue;
        const std::size_t first = m_samples.size();
        const std::string& model = run.prepared.model->architecture.name;
        for (std::size_t metric = 0; metric < m_task.metrics.size(); ++metric)
            if (m_task.metrics[metric].ratio(run.prepared, evaluation) &&
                runNote(m_task.metrics[metric].name, run.name, model).empty())
                m_samples.push_back({m_runs.size(), metric, 0, 0, 1});
        if (m_samples.size() == first)
            continue;
        m_firstSample.push_back(first);
        m_all.push_back(m_runs.size());
        m_given.push_back(i);
        m_runs.push_back(std::move(run));
    }
    m_firstSample.push_back(m_samples.size());
    for (const FittedFactor& factor : m_task.factors)
        m_values.push_back(m_document.number(factor.path).value_or(factor.prior));
    leaveOut("");
    predict(m_all);
    if (same != nullptr)
        m_touched = same->m_touched;
    else
        findTouched();
}

std::string documentOf(std::string_view source)
{
    return std::string(source.substr(0, source.find(" line ")));
}

void FitProblem::leaveOut(std::string_view origin, std::string_view document)
{
    leaveOut([&](const FitRun& run) { return run.origin == origin && (document.empty() || run.document == document); });
}

void FitProblem::leaveOut(const std::function<bool(const FitRun&)>& which)
{
    m_leftOut.clear();
    for (const FitRun& run : m_runs)
        m_leftOut.push_back(which(run));
    std::map<std::string_view, double> rows; // of each source, by the weight of its figures
    for (const FitSample& sample : m_samples)
        rows[m_runs[sample.run].origin] += m_task.metrics[sample.metric].weight;
    double sum = 0;
    for (FitSample& sample : m_samples) {
        const FitRun& run = m_runs[sample.run];
        const double weight = m_task.metrics[sample.metric].weight;
        sample.weight = m_leftOut[sample.run] ? 0 : weight * std::pow(rows[run.origin], m_task.sourceExponent - 1);
        sum += sample.weight;
    }
    for (FitSample& sample : m_samples)
        sample.weight /= sum > 0 ? sum : 1;
}

void FitProblem::predict(std::span<const std::size_t> runs)
{
    const auto part = [this, runs](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const std::size_t run = runs[i];
            const Evaluation evaluation = evaluate(m_runs[run].prepared);
            for (std::size_t s = m_firstSample[run]; s < m_firstSample[run + 1]; ++s) {
                FitSample& sample = m_samples[s];
                const auto ratio = m_task.metrics[sample.metric].ratio(m_runs[run].prepared, evaluation);
                sample.ratio = ratio.value_or(1);
                sample.loss = ratio ? std::min(m_task.clip, std::abs(std::log(*ratio))) : m_task.clip;
            }
        }
    };
    if (runs.size() < worthAThread)
        return part(0, runs.size());
    atOnce([&] { part(0, runs.size() / 2); }, [&] { part(runs.size() / 2, runs.size()); });
}

bool FitProblem::put(std::size_t factor, double value)
{
    const FittedFactor& f = m_task.factors[factor];
    for (const std::string& path : f.same)
        m_document.setNumber(path, value);
    return m_document.setNumber(f.path, value);
}

bool FitProblem::apply(std::size_t factor, double value)
{
    const double before = m_document.number(m_task.factors[factor].path).value_or(value);
    if (!put(factor, value))
        return false;
    if (m_document.readAgain(m_task.task, *m_calibration))
        return true;
    put(factor, before); // a value that the document itself refuses
    return false;
}

double FitProblem::pull(std::size_t factor, double value) const
{
    const FittedFactor& f = m_task.factors[factor];
    const double least = f.scale == FitScale::Share ? smallestShare : 1e-300;
    return m_task.pull * std::abs(std::log(std::max(value, least) / std::max(f.prior, least)));
}

double FitProblem::objective() const
{
    double sum = 0;
    for (const FitSample& sample : m_samples)
        sum += sample.weight * sample.loss;
    for (std::size_t i = 0; i < m_values.size(); ++i)
        sum += pull(i, m_values[i]);
    return sum;
}

void FitProblem::setValues(std::span<const double> values)
{
    for (std::size_t i = 0; i < values.size() && i < m_values.size(); ++i) {
        if (put(i, values[i]))
            m_values[i] = *m_document.number(m_task.factors[i].path);
    }
    static_cast<void>(m_document.readAgain(m_task.task, *m_calibration));
    predict(m_all);
}

bool FitProblem::tryValue(std::size_t factor, double value)
{
    const std::vector<std::size_t>& runs = m_touched[factor];
    std::vector<FitSample> kept;
    double before = pull(factor, m_values[factor]);
    for (const std::size_t run : runs)
        for (std::size_t s = m_firstSample[run]; s < m_firstSample[run + 1]; ++s) {
            kept.push_back(m_samples[s]);
            before += m_samples[s].weight * m_samples[s].loss;
        }
    if (!apply(factor, value))
        return false;
    predict(runs);
    double after = pull(factor, value);
    for (const std::size_t run : runs)
        for (std::size_t s = m_firstSample[run]; s < m_firstSample[run + 1]; ++s)
            after += m_samples[s].weight * m_samples[s].loss;
    if (after < before - 1e-9) {
        m_values[factor] = *m_document.number(m_task.factors[factor].path);
        return true;
    }
    apply(factor, m_values[factor]);
    std::size_t next = 0;
    for (const std::size_t run : runs)
        for (std::size_t s = m_firstSample[run]; s < m_firstSample[run + 1]; ++s)
            m_samples[s] = kept[next++];
    return false;
}

void FitProblem::findTouched()
{
    m_touched.assign(m_task.factors.size(), {});
    const std::vector<FitSample> kept = m_samples;
    for (std::size_t factor = 0; factor < m_task.factors.size(); ++factor) {
        const FittedFactor& f = m_task.factors[factor];
        const double now = m_values[factor];
        std::vector<bool> moved(m_runs.size());
        const auto look = [&](double value) {
            if (!apply(factor, value))
                return;
            predict(m_all);
            for (std::size_t s = 0; s < kept.size(); ++s)
                if (std::abs(m_samples[s].ratio / kept[s].ratio - 1) > 1e-9)
                    moved[m_samples[s].run] = true;
        };
        look(std::max(f.low, f.scale == FitScale::Share ? now - 0.5 : now / 2));
        look(std::min(f.high, f.scale == FitScale::Share ? now + 0.5 : now * 2));
        apply(factor, now);
        for (std::size_t run = 0; run < moved.size(); ++run)
            if (moved[run])
                m_touched[factor].push_back(run);
    }
    m_samples = kept;
}

std::vector<std::size_t> FitProblem::touched(std::size_t factor) const
{
    std::vector<std::size_t> result;
    for (const std::size_t run : m_touched[factor])
        if (!m_leftOut[run])
            result.push_back(run);
    return result;
}

double fit(FitProblem& problem, int rounds, bool lookAgain)
{
    const std::vector<FittedFactor>& factors = problem.task().factors;
    std::vector<double> step(factors.size(), 0.15);
    constexpr double smallestStep = 0.0015;
    for (int round = 0; round < rounds; ++round) {
        if (lookAgain && (round == 4 || round == 16))
            problem.findTouched();
        bool alive = false;
        for (std::size_t i = 0; i < factors.size(); ++i) {
            if (std::abs(step[i]) < smallestStep)
                continue;
            alive = true;
            const FittedFactor& f = factors[i];
            const double now = problem.values()[i];
            const auto moved = [&](double by) {
                const double value = f.scale == FitScale::Share ? now + by : now * std::exp(by);
                const double kept = std::clamp(value, f.low, f.high);
                return kept != now && problem.tryValue(i, kept);
            };
            if (moved(step[i])) {
                step[i] *= 1.6;
            } else if (moved(-step[i])) {
                step[i] *= -1; // that way first, the next time
            } else {
                step[i] *= 0.4;
            }
        }
        if (!alive) { // a last look around from where all came to rest, while rounds are left
            if (round + 1 >= rounds)
                break;
            const double before = problem.objective();
            std::ranges::fill(step, 0.05);
            if (round > rounds / 2 || before <= 0)
                break;
        }
    }
    return problem.objective();
}

} // namespace headroom
