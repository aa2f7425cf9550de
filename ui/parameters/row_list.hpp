// SPDX-License-Identifier: GPL-3.0-or-later
// RowList: what a table needs to know of a key of the scenario that holds a list of rows, such as phases.
#pragma once

#include "core/charts/chart_registry.hpp"
#include "core/scenario/parameter_registry.hpp"

#include <QString>
#include <QStringList>
#include <functional>
#include <optional>
#include <vector>

namespace headroom::ui
{

/// One thing that a row states. A number, or words where `setText` is there.
struct RowColumn {
    QString title, tip;
    const ParameterRow* parameter = nullptr; ///< range, form and the scenario's own value; null: words
    bool needed = false;                     ///< an empty cell is refused; else the scenario's own value holds
    std::function<std::optional<double>(const Scenario&, std::size_t)> number{};
    std::function<void(Scenario&, std::size_t, std::optional<double>)> setNumber{};
    std::function<QString(const Scenario&, std::size_t)> text{};
    std::function<void(Scenario&, std::size_t, const QString&)> setText{};
};

/// The list and what may be done to it. Every row is at an index below count().
struct RowList {
    QString title, hint;            ///< of the window; what the list is for
    QString add, remove, move, set; ///< undo steps
    std::size_t most = 1;
    std::vector<RowColumn> columns;
    QStringList results; ///< titles of columns that are computed
    std::function<std::size_t(const Scenario&)> count;
    std::function<QString(const Scenario&, std::size_t)> name; ///< of a row, for people
    std::function<void(Scenario&, std::size_t)> insert;        ///< a new row before that one, like its neighbour
    std::function<void(Scenario&, std::size_t)> erase;
    std::function<void(Scenario&, std::size_t, std::size_t)> swap;
    std::function<std::vector<QStringList>(const ChartContext&)> compute; ///< by row, as `results`
    std::function<QString(const ChartContext&)> summary;                  ///< of all rows, a sentence
};

/// The phases of a training (`workload.phases`).
[[nodiscard]] RowList phaseRows();

} // namespace headroom::ui
