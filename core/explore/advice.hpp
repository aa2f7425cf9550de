// SPDX-License-Identifier: GPL-3.0-or-later
// Advice: edits that make a scenario legal, make it fit or lift its leading metric, each checked by evaluating it.
#pragma once

#include "core/explore/levers.hpp"

#include <optional>
#include <string>

namespace headroom
{

/// Gains below this share of the metric are not worth a sentence or a button (judgement).
inline constexpr double smallestGain = 0.01;

struct Advice {
    Edits edits{};
    std::string change{}; ///< "KV cache fp8", for a button and for undo
    std::string brief{};  ///< of remedies(): "KV cache fp8: 61 of 80 GB"
    std::string text{};   ///< the same, and whether it may not fit
    Evaluation after{};   ///< of remedies() and improvements()
    LeverPrice price = LeverPrice::Speed;
    /// Whether what comes after may not fit: the interval of its memory reaches beyond the device.
    [[nodiscard]] bool mayNotFit() const { return after.warnings.has(WarningCode::MemoryMayNotFit); }
};

/// For a scenario that does not fit: moves of one lever (where none is enough, of two, then of several) after which
/// it does; the cheapest first, among those of one price the fastest per GPU; at most `count`. Empty where it fits
/// already, or where nothing in reach helps.
[[nodiscard]] std::vector<Advice> remedies(const PreparedScenario& prepared, const Evaluation& evaluation,
                                           std::size_t count = 3, const IsHeld& held = {});

/// An advice of these edits, in words that begin a sentence; without text and result.
[[nodiscard]] Advice adviceOf(Edits edits);

/// What a change does to the leading metric: "MFU +4.1 points". Where the scenario was measured, what it does to that
/// run: "measured 38 % → about 40 % (36 to 45)", with the 80 % interval of the prediction; "your 38 %" where the
/// expectation is calibrated to the user's runs.
[[nodiscard]] std::string gainText(const PreparedScenario& prepared, const Evaluation& before, const Evaluation& after);

/// Whether it fits, or has been run: a measured speed that can have been says so, whatever is predicted of its memory.
[[nodiscard]] bool isRunning(const Evaluation& evaluation);

/// For a scenario that runs: the single next steps that lift the leading metric most, best first, at most `count`, each
/// of which still fits (or needs no more memory than what ran) and does the same work in the same formats; those that
/// are out of hand (isOutOfHand()) after all others. Empty where none gains a hundredth of it.
[[nodiscard]] std::vector<Advice> improvements(const PreparedScenario& prepared, const Evaluation& evaluation,
                                               std::size_t count = 3, const IsHeld& held = {});

/// What to change next: improvements() where the scenario runs, else remedies().
[[nodiscard]] std::vector<Advice> whatNext(const PreparedScenario& prepared, const Evaluation& evaluation,
                                           const IsHeld& held = {}, std::size_t count = 3);
/// What stands above it: "What would fit".
[[nodiscard]] std::string adviceHeading(const Evaluation& evaluation);
/// Both as lines of plain text; empty without advice.
[[nodiscard]] std::string whatNextText(const PreparedScenario& prepared, const Evaluation& evaluation);

/// For sizes that do not go together, or not with the model's layers: single edits after which checkSetup() is empty,
/// the cheapest and nearest first, at most `count`. Empty where they do, whatever else is wrong.
[[nodiscard]] std::vector<Advice> legalFixes(const Scenario& scenario, const Catalog& catalog, const IsHeld& held = {},
                                             std::size_t count = 3);

/// The nearest value of `row` at which `code` is not raised and which fits if this does; empty where there is none,
/// where it is held, and where the value is a fact to find out (isAboutAFact()).
[[nodiscard]] std::optional<Advice> withoutWarning(const PreparedScenario& prepared, WarningCode code,
                                                   const ParameterRow& row, const IsHeld& held = {});

/// One sentence on what would move a metric most, or an empty string where nothing moves it.
[[nodiscard]] std::string whatWouldHelp(const PreparedScenario& prepared, const Evaluation& evaluation,
                                        std::string_view metricId);

} // namespace headroom
