// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/present/stage_sliders.hpp"

#include "ui/parameters/parameter_row_widget.hpp"

#include <QHBoxLayout>

namespace headroom::ui
{

StageSliders::StageSliders(ScenarioStore& store, QWidget* parent)
    : QWidget(parent), m_store(store), m_layout(new QHBoxLayout(this))
{
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(20);
    connect(&store, &ScenarioStore::scenarioChanged, this, &StageSliders::refresh);
    connect(&store, &ScenarioStore::locksChanged, this, &StageSliders::refresh);
}

void StageSliders::setParameters(const std::vector<std::string>& ids)
{
    for (ParameterRowWidget* row : m_rows)
        delete row;
    m_rows.clear();
    for (const std::string& id : ids)
        if (const ParameterRow* row = parameterRow(id)) {
            m_rows.push_back(new ParameterRowWidget(*row, m_store, m_guard, this));
            m_layout->addWidget(m_rows.back(), 1, Qt::AlignTop);
        }
    refresh();
    setVisible(!m_rows.empty());
}

void StageSliders::showBatch(double sequences)
{
    for (ParameterRowWidget* row : m_rows)
        if (row->row().id == "batch")
            row->setInForce(sequences);
}

void StageSliders::refresh()
{
    for (ParameterRowWidget* row : m_rows) {
        const bool applies = row->row().applies(m_store.scenario());
        if (row->isHidden() == applies)
            row->setVisible(applies); // a LoRA rank without LoRA
        row->refresh();
    }
}

} // namespace headroom::ui
