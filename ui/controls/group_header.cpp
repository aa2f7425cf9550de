// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls/group_header.hpp"

#include "ui/theme/fonts.hpp"

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
    button->setFont(styled(button->font(), TextStyle::Caption));
    button->setForegroundRole(QPalette::Link);
    button->setFocusPolicy(Qt::TabFocus);
    QPalette palette = button->palette();
    palette.setColor(QPalette::ButtonText, palette.color(QPalette::Link));
    button->setPalette(palette);
    return button;
}

} // namespace

GroupHeader::GroupHeader(const QString& id, const QString& title, QWidget* parent)
    : QWidget(parent), m_id(id), m_title(title), m_more(linkButton(this)), m_reset(linkButton(this))
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(4, 12, 0, 2);
    layout->setSpacing(0);
    auto* label = new QLabel(title.toUpper());
    QFont font = styled(label->font(), TextStyle::Caption);
    font.setWeight(QFont::DemiBold);
    font.setLetterSpacing(QFont::AbsoluteSpacing, 0.4);
    label->setFont(font);
    label->setForegroundRole(QPalette::PlaceholderText);
    label->setAccessibleName(title);
    layout->addWidget(label, 1);
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
    updateMore();
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
