// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/nothing_found.hpp"

#include <QAbstractScrollArea>
#include <QEvent>
#include <QLineEdit>

namespace headroom::ui
{

NothingFound::NothingFound(QAbstractScrollArea& list, QLineEdit& field)
    : QLabel(list.viewport()), m_list(list), m_field(field)
{
    constexpr int margin = 12;
    setMargin(margin);
    setWordWrap(true);
    setTextFormat(Qt::PlainText); // somebody typed it
    setAlignment(Qt::AlignHCenter | Qt::AlignTop);
    setForegroundRole(QPalette::PlaceholderText);
    setAttribute(Qt::WA_TransparentForMouseEvents);
    list.viewport()->installEventFilter(this);
    hide();
}

void NothingFound::tell(bool found)
{
    const QString wanted = m_field.text().simplified();
    const bool missed = !found && !wanted.isEmpty();
    setText(missed ? tr("Nothing found for “%1”.").arg(wanted) : QString());
    m_field.setAccessibleDescription(text()); // a screen reader speaks it while one types
    setGeometry(m_list.viewport()->rect());
    setVisible(missed);
}

bool NothingFound::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize)
        setGeometry(m_list.viewport()->rect());
    return QLabel::eventFilter(watched, event);
}

} // namespace headroom::ui
