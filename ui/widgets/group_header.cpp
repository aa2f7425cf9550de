// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/group_header.hpp"

#include "ui/theme/fonts.hpp"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

namespace headroom::ui
{
namespace
{

QToolButton* linkButton(QWidget* parent)
{
    auto* button = new QToolButton(parent);
    button->setAutoRaise(true);
    button->setToolButtonStyle(Qt::ToolButtonTextOnly);
    button->setForegroundRole(QPalette::Link);
    button->setFocusPolicy(Qt::TabFocus);
    return button;
}

} // namespace

GroupHeader::GroupHeader(const QString& id, const QString& title, QWidget* parent)
    : QWidget(parent), m_id(id), m_title(title), m_more(linkButton(this)), m_reset(linkButton(this))
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(4, 12, 0, 2);
    layout->setSpacing(0);
    m_label = new QLabel(title.toUpper());
    m_label->setForegroundRole(QPalette::PlaceholderText);
    m_label->setAccessibleName(title);
    layout->addWidget(m_label, 1);
    layout->addWidget(m_reset);
    layout->addWidget(m_more);
    m_reset->setText(tr("Reset"));
    m_reset->setAccessibleName(tr("Reset group %1").arg(title));
    m_reset->setToolTip(tr("Back to the defaults of this group"));
    connect(m_more, &QToolButton::clicked, this, [this] {
        setOpen(!m_open);
        emit openChanged(m_open);
    });
    connect(m_reset, &QToolButton::clicked, this, &GroupHeader::resetRequested);
    restyle();
    updateMore();
}

void GroupHeader::restyle()
{
    const QFont caption = styled(font(), TextStyle::Caption);
    QFont title = caption;
    title.setWeight(QFont::DemiBold);
    title.setLetterSpacing(QFont::AbsoluteSpacing, 0.4);
    m_label->setFont(title);
    QPalette link = palette();
    link.setColor(QPalette::ButtonText, link.color(QPalette::Link));
    for (QToolButton* button : {m_more, m_reset}) {
        button->setFont(caption);
        button->setPalette(link);
    }
}

void GroupHeader::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (m_label && (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange))
        restyle();
}

void GroupHeader::setOpen(bool open)
{
    m_open = open;
    updateMore();
}

void GroupHeader::setRareRows(int count)
{
    m_rare = count;
    updateMore();
}

void GroupHeader::setResettable(bool resettable)
{
    m_reset->setVisible(resettable);
}

void GroupHeader::updateMore()
{
    m_more->setVisible(m_rare > 0);
    m_more->setText(m_open ? tr("Less") : tr("%1 more").arg(m_rare));
    m_more->setAccessibleName(m_open ? tr("Fewer rows in %1").arg(m_title) : tr("More rows in %1").arg(m_title));
}

} // namespace headroom::ui
