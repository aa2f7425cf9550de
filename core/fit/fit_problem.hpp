// SPDX-License-Identifier: GPL-3.0-or-later
// FitProblem: the runs of one task under constants that can be moved, and how well they are met.
#pragma once

#include "core/fit/fit_task.hpp"

#include <functional>

namespace headroom
{

struct FitRun {
    std::string name, origin; ///< origin: the source, as validation groups it
    PreparedScenario prepared;
    std::string document{}; ///< which of the source's publications; "" where it has one
};

/// What a publication's name is in a source text: the text up to the line of a table.
[[nodiscard]] std::string documentOf(std::string_view source);

/// One figure of one run.
struct FitSample {
    std::size_t run = 0, metric = 0;
    double weight = 0; ///< of its loss in the objective; all add up to 1, 0 where its source is left out
    double loss = 0;   ///< |ln(predicted ÷ measured)|, clipped
    double ratio = 1;
};

/// Values move through setValues() and tryValue(); only the runs that a value touches are predicted anew.
class FitProblem final
{
public:
    /// Keeps the runs of the task that have a figure. The document must be readable. A problem of the same task,
    /// document and runs, where there is one, tells which runs each factor moves: to find that out is most of a short
    /// fit's work.
    FitProblem(FitTask task, CalibrationDocument document, const std::vector<FitRun>& runs,
               const FitProblem* same = nullptr);
    FitProblem(const FitProblem&) = delete;
    FitProblem& operator=(const FitProblem&) = delete;

    [[nodiscard]] const FitTask& task() const { return m_task; }
    [[nodiscard]] const CalibrationDocument& document() const { return m_document; }
    [[nodiscard]] const std::vector<FitRun>& runs() const { return m_runs; }
    [[nodiscard]] const std::vector<FitSample>& samples() const { return m_samples; }
    [[nodiscard]] const std::vector<double>& values() const { return m_values; }
    /// Index of the run among those that were given.
    [[nodiscard]] std::size_t given(std::size_t run) const { return m_given[run]; }

    /// The named source weighs nothing from now on, or one document of it; "" for none.
    void leaveOut(std::string_view origin, std::string_view document = {});
    /// The runs that `which` names weigh nothing from now on.
    void leaveOut(const std::function<bool(const FitRun&)>& which);
    void setValues(std::span<const double> values);
    /// Weighted mean loss and the pull of the priors.
    [[nodiscard]] double objective() const;
    /// Moves one factor where that lowers the objective.
    bool tryValue(std::size_t factor, double value);
    /// Runs whose prediction the factor moves, of sources that weigh something.
    [[nodiscard]] std::vector<std::size_t> touched(std::size_t factor) const;
    /// Looks again which runs each factor moves. Call when many factors have moved.
    void findTouched();

private:
    void predict(std::span<const std::size_t> runs);
    bool put(std::size_t factor, double value);
    bool apply(std::size_t factor, double value);
    [[nodiscard]] double pull(std::size_t factor, double value) const;

    FitTask m_task;
    CalibrationDocument m_document;
    std::shared_ptr<Calibration> m_calibration; ///< what all runs read
    std::vector<FitRun> m_runs;
    std::vector<std::size_t> m_given;
    std::vector<FitSample> m_samples;
    std::vector<std::size_t> m_firstSample; ///< of each run, and one past the last
    std::vector<std::size_t> m_all;
    std::vector<std::vector<std::size_t>> m_touched; ///< runs, by factor
    std::vector<double> m_values;
    std::vector<bool> m_leftOut; ///< by run
};

/// Coordinate search: each factor steps up or down while that helps, with steps that grow on success and shrink on
/// failure, until none moves. Deterministic. Returns the final objective.
/// `lookAgain`: which runs each factor moves is found anew on the way, as it must be when factors may move far.
double fit(FitProblem& problem, int rounds = 60, bool lookAgain = true);

} // namespace headroom
