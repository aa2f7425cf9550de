// SPDX-License-Identifier: GPL-3.0-or-later
// The notices under the rows of the parameter panel: they come and go without moving what is under the pointer.
#include "core/explore/advice.hpp"
#include "ui/base/text.hpp"
#include "ui/parameters/parameter_panel.hpp"
#include "ui/parameters/row_notice.hpp"
#include "ui/widgets/steady_scroll.hpp"

namespace headroom::ui
{

void ParameterPanel::refreshWarnings()
{
    if (m_store.isHeld()) // it would jump about under the hand; when it lets go, they come
        return;
    struct Notice {
        QString text;
        std::optional<Advice> fix;
    };
    QHash<QString, Notice> notices;
    const ChartContext* context = m_recalculator.isRefused() ? nullptr : m_recalculator.context();
    for (const ResultNote& note : m_recalculator.notes()) {
        if (!context || !note.row)
            continue; // the status line has them all
        Notice& notice = notices[toQString(note.row->id)];
        notice.text += (notice.text.isEmpty() ? QString() : QStringLiteral(" ")) + toQString(note.text);
        if (!notice.fix)
            notice.fix = withoutWarning(context->scenario, note.code, *note.row, m_store.locks());
    }
    m_scroll->keepInHand([this, &notices] {
        SteadyScroll::Rows changed;
        for (auto each = m_rows.cbegin(); each != m_rows.cend(); ++each) {
            RowNotice& shown = each.value()->notice();
            const QString said = shown.words();
            const Notice notice = notices.value(each.key());
            if (said.isEmpty() && notice.text.isEmpty())
                continue;
            shown.setPlaceHeld(m_scroll->underMouse());
            shown.warn(notice.text, notice.fix);
            if (shown.words() != said)
                changed.push_back(each.value());
        }
        return changed;
    });
}

void ParameterPanel::leaveEvent(QEvent* event)
{
    Card::leaveEvent(event);
    for (ParameterRowWidget* row : std::as_const(m_rows))
        row->notice().setPlaceHeld(false);
    m_scroll->letGo();
}

} // namespace headroom::ui
