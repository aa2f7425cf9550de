// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/parameter_groups.hpp"

#include <QCoreApplication>

namespace headroom::ui
{

const std::array<ParameterGroupRow, 9>& parameterGroups()
{
#define TEXT(words) QT_TRANSLATE_NOOP("headroom::ui::ParameterPanel", words)
    static constexpr std::array<ParameterGroupRow, 9> table{{
        {ParameterGroup::Workload, "workload", TEXT("Workload")},
        {ParameterGroup::Hardware, "hardware", TEXT("Hardware")},
        {ParameterGroup::Precision, "precision", TEXT("Precision")},
        {ParameterGroup::Memory, "memory", TEXT("Memory")},
        {ParameterGroup::Parallelism, "parallelism", TEXT("Parallelism")},
        {ParameterGroup::Load, "load", TEXT("Load and targets")},
        {ParameterGroup::Software, "software", TEXT("Software")},
        {ParameterGroup::Assumptions, "assumptions", TEXT("Assumptions")},
        {ParameterGroup::Measured, "measured", TEXT("Measured")},
    }};
#undef TEXT
    return table;
}

QString groupTitle(const ParameterGroupRow& row)
{
    return QCoreApplication::translate("headroom::ui::ParameterPanel", row.title);
}

} // namespace headroom::ui
