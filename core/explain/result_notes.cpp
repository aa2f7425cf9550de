// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/explain/result_notes.hpp"

#include "core/explore/warning_parameter.hpp"
#include "core/metrics/words.hpp"
#include "core/predict/phases.hpp"

namespace headroom
{

namespace
{

/// Of a phase's own sizes: no row of the scenario's mends it.
bool isOfPhase(WarningCode code, const PreparedScenario& prepared)
{
    return code == WarningCode::BeyondMaxContext && longestPhase(prepared);
}

} // namespace

bool saysWhatDoesNotFit(WarningCode code)
{
    return code == WarningCode::PrefillDoesNotFit || code == WarningCode::RolloutDoesNotFit ||
           code == WarningCode::RlUpdateDoesNotFit || code == WarningCode::PhaseDoesNotFit;
}

bool isGrave(WarningCode code)
{
    return saysWhatDoesNotFit(code) || code == WarningCode::LoadBeyondCapacity ||
           code == WarningCode::PeakBeyondCapacity || code == WarningCode::FailsBeforeRestart;
}

std::vector<ResultNote> resultNotes(const PreparedScenario& prepared, const Evaluation& evaluation)
{
    std::vector<ResultNote> notes;
    evaluation.warnings.forEach([&](WarningCode code, double number) {
        const ParameterRow* row = warningParameter(code, prepared);
        notes.push_back({code, capitalized(withLabels(warningText(code, number, prepared))),
                         row && isOffered(*row, prepared) && !isOfPhase(code, prepared) ? row : nullptr,
                         isGrave(code)});
    });
    return notes;
}

std::vector<std::string> noteTexts(const PreparedScenario& prepared, const Evaluation& evaluation)
{
    std::vector<std::string> texts;
    for (ResultNote& note : resultNotes(prepared, evaluation))
        texts.push_back(std::move(note.text));
    return texts;
}

} // namespace headroom
