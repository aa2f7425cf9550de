// SPDX-License-Identifier: GPL-3.0-or-later
// What can be done with a parameter besides setting it: its menu and the ends of its slider.
#include "ui/parameters/bounds_editor.hpp"

#include "core/metrics/words.hpp"
#include "core/support/language.hpp"
#include "ui/base/text.hpp"
#include "ui/parameters/parameter_row_widget.hpp"
#include "ui/parameters/value_control.hpp"

#include <QContextMenuEvent>
#include <QMenu>
#include <QToolButton>

namespace headroom::ui
{

void ParameterRowWidget::fillMenu(QMenu& menu)
{
    const QString id = toQString(m_row.id), name = toQString(say(m_row.label));
    const bool locked = m_store.isLocked(m_row.id);
    menu.addAction(m_reset->accessibleName(), m_control, &ValueControl::reset)
        ->setEnabled(m_row.isSet(m_store.scenario()) && !locked);
    menu.addAction(locked ? tr("Unlock") : tr("Lock"), this, [this, locked] { m_store.setLocked(m_row.id, !locked); });
    menu.addSeparator();
    if (m_row.kind != ParameterKind::Toggle && m_row.group != ParameterGroup::Measured)
        menu.addAction(tr("Draw charts over %1").arg(toQString(inSentence(m_row.label))), this,
                       [this, id] { emit sweepRequested(id); });
    if (slider()) {
        menu.addAction(tr("Play"), this, [this, id] { emit playRequested(id); })->setEnabled(!locked);
        if (!slider()->scale().isStepped())
            menu.addAction(tr("Slider from %1 to %2…")
                               .arg(toQString(parameterText(m_row, slider()->scale().minimum())),
                                    toQString(parameterText(m_row, slider()->scale().maximum()))),
                           this, &ParameterRowWidget::editBounds);
    }
    menu.addSeparator();
    menu.addAction(tr("What is %1?").arg(name), this, [this, id] { emit glossaryRequested(id); });
}

void ParameterRowWidget::contextMenuEvent(QContextMenuEvent* event)
{
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    fillMenu(*menu);
    menu->popup(event->globalPos());
}

void ParameterRowWidget::editBounds()
{
    const QPoint under = slider()->mapToGlobal(slider()->rect().bottomLeft());
    auto* editor = new BoundsEditor(m_row, slider()->scale(), under, this);
    connect(editor, &BoundsEditor::chosen, this, [this](const std::optional<SliderBounds>& bounds) {
        setBounds(bounds);
        emit boundsChosen(toQString(m_row.id), bounds);
    });
}

void ParameterRowWidget::setBounds(const std::optional<SliderBounds>& bounds)
{
    if (slider())
        slider()->setBounds(bounds);
}

} // namespace headroom::ui
