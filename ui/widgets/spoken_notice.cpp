// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/spoken_notice.hpp"

#include "ui/widgets/accessible_role.hpp"

#include <QLabel>

namespace headroom::ui
{

SpokenNotice::SpokenNotice(QWidget* parent) : QWidget(parent), m_words(new QLabel(this))
{
    // One pixel, since what has none does not count as showing; its label holds no text, only a name.
    setFixedSize(1, 1);
    m_words->setFixedSize(1, 1);
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    setAccessibleRole(*this, QAccessible::Notification);
    hide();
}

void SpokenNotice::notify(const QString& words)
{
    hide(); // coming to show is what is heard
    m_words->setAccessibleName(words);
    show();
}

} // namespace headroom::ui
