// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/phases.hpp"
#include "core/support/language.hpp"
#include "core/units/format.hpp"
#include "ui/base/text.hpp"
#include "ui/parameters/row_list.hpp"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

namespace headroom::ui
{
namespace
{

constexpr double usualTokens = 1e12; ///< of a first phase where the scenario states no tokens of its run

/// Words of the phases' table.
class PhaseWords final
{
    Q_DECLARE_TR_FUNCTIONS(headroom::ui::PhaseRows)
};

RowColumn whole(const char* parameter, std::optional<std::int64_t> TrainingPhase::*member)
{
    RowColumn column;
    column.parameter = parameterRow(parameter);
    column.title = toQString(say(column.parameter->label));
    column.tip = toQString(say(column.parameter->description));
    column.number = [member](const Scenario& s, std::size_t at) -> std::optional<double> {
        const auto& stated = s.phases[at].*member;
        return stated ? std::optional<double>(double(*stated)) : std::nullopt;
    };
    column.setNumber = [member](Scenario& s, std::size_t at, std::optional<double> value) {
        (s.phases[at].*member) = value ? std::optional<std::int64_t>(std::llround(*value)) : std::nullopt;
    };
    return column;
}

RowColumn name()
{
    RowColumn column;
    column.title = PhaseWords::tr("Name");
    column.tip = PhaseWords::tr("What charts and tables call the phase. Empty: its number.");
    column.text = [](const Scenario& s, std::size_t at) { return toQString(s.phases[at].name); };
    column.setText = [](Scenario& s, std::size_t at, const QString& text) { s.phases[at].name = toUtf8(text); };
    return column;
}

RowColumn tokens()
{
    RowColumn column;
    column.parameter = parameterRow("training_tokens");
    column.needed = true;
    column.title = PhaseWords::tr("Tokens");
    column.tip = PhaseWords::tr("Tokens that the phase trains on.");
    column.number = [](const Scenario& s, std::size_t at) { return std::optional<double>(s.phases[at].tokens); };
    column.setNumber = [](Scenario& s, std::size_t at, std::optional<double> value) {
        if (value)
            s.phases[at].tokens = *value;
    };
    return column;
}

/// Like the phase before it, under no name; the first one is the whole run.
void insertPhase(Scenario& s, std::size_t at)
{
    TrainingPhase phase;
    phase.tokens = s.training.trainingTokens.value_or(usualTokens);
    if (!s.phases.empty())
        phase = s.phases[at > 0 ? at - 1 : 0];
    phase.name.clear();
    s.phases.insert(s.phases.begin() + static_cast<std::ptrdiff_t>(at), phase);
}

QStringList resultOf(const PhaseResult& phase)
{
    QStringList cells{toQString(secondsText(phase.seconds))};
    cells << (phase.cost ? toQString(formatText(*phase.cost, ValueFormat::Money)) : QStringLiteral("–"));
    if (!phase.fits)
        cells.front() = PhaseWords::tr("%1, does not fit").arg(cells.front());
    return cells;
}

} // namespace

RowList phaseRows()
{
    RowList list;
    list.title = PhaseWords::tr("Phases of the training");
    list.hint = PhaseWords::tr("Phases run one after the other. An empty cell is as in the scenario, in grey. A global "
                               "batch counts sequences: a phase with longer ones states its own.");
    list.add = PhaseWords::tr("Add phase");
    list.remove = PhaseWords::tr("Remove phase");
    list.move = PhaseWords::tr("Move phase");
    list.set = PhaseWords::tr("%1 of %2", "undo step: column, name of a phase");
    list.most = mostPhases;
    list.columns = {name(),
                    tokens(),
                    whole("sequence_length", &TrainingPhase::sequenceLength),
                    whole("micro_batch", &TrainingPhase::microBatch),
                    whole("global_batch", &TrainingPhase::globalBatch),
                    whole("count", &TrainingPhase::count),
                    whole("tensor", &TrainingPhase::tensor),
                    whole("pipeline", &TrainingPhase::pipeline),
                    whole("context", &TrainingPhase::context),
                    whole("expert", &TrainingPhase::expert)};
    list.results = {PhaseWords::tr("Time"), PhaseWords::tr("Cost")};
    list.count = [](const Scenario& s) { return s.phases.size(); };
    list.name = [](const Scenario& s, std::size_t at) { return toQString(phaseName(s.phases[at], at)); };
    list.insert = insertPhase;
    list.erase = [](Scenario& s, std::size_t at) {
        s.phases.erase(s.phases.begin() + static_cast<std::ptrdiff_t>(at));
    };
    list.swap = [](Scenario& s, std::size_t from, std::size_t to) { std::swap(s.phases[from], s.phases[to]); };
    list.compute = [](const ChartContext& context) {
        std::vector<QStringList> rows;
        for (const PhaseResult& phase : evaluatePhases(context.scenario))
            rows.push_back(resultOf(phase));
        return rows;
    };
    list.summary = [](const ChartContext& context) {
        return context.scenario.phases ? toQString(chartRow("phases")->build(context).reading) : QString();
    };
    return list;
}

} // namespace headroom::ui
