// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/segmented_control.hpp"

#include "ui/theme/theme.hpp"

#include <QAbstractButton>
#include <QButtonGroup>
#include <QHBoxLayout>
#include <QPainter>
#include <QPainterPath>

namespace headroom::ui
{
namespace
{

constexpr double radius = 4;

class Segment final : public QAbstractButton
{
public:
    explicit Segment(const QString& label, QWidget* parent) : QAbstractButton(parent)
    {
        setText(label);
        setCheckable(true);
        setAutoExclusive(true); // the group sees to it; this makes it a radio button to screen readers
        setFocusPolicy(Qt::StrongFocus);
        setAttribute(Qt::WA_Hover);
        setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    }
    bool first = false, last = false, compact = false;

    [[nodiscard]] QSize sizeHint() const override
    {
        QFont bold = font();
        bold.setWeight(QFont::DemiBold); // the width a choice needs does not change when it is taken
        return {QFontMetrics(bold).horizontalAdvance(text()) + (compact ? 16 : 20),
                std::max(compact ? 24 : 30, fontMetrics().height() + (compact ? 6 : 12))};
    }
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent*) override
    {
        const Theme& colours = themeOf(palette());
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const QRectF box = QRectF(rect()).adjusted(first ? 0.5 : -radius, 0.5, last ? -0.5 : radius, -0.5);
        QColor fill = mixed(colours.surface, colours.window, 0.7);
        if (isChecked())
            fill = isEnabled() ? colours.accent : colours.muted;
        else if (underMouse() && isEnabled())
            fill = mixed(colours.surface, colours.accent, 0.1);
        painter.setPen(QPen(isChecked() ? fill : colours.border, 1));
        painter.setBrush(fill);
        painter.drawRoundedRect(box, radius, radius);
        if (!first && !isChecked()) {
            painter.setPen(colours.border);
            painter.drawLine(QPointF(0.5, 5), QPointF(0.5, height() - 5));
        }
        if (hasFocus()) {
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(isChecked() ? colours.onAccent : colours.accent, 1.5));
            painter.drawRoundedRect(QRectF(rect()).adjusted(3, 3, -3, -3), radius - 1, radius - 1);
        }
        QFont label = font();
        label.setWeight(isChecked() ? QFont::DemiBold : QFont::Normal);
        painter.setFont(label);
        painter.setPen(isChecked() ? colours.onAccent : isEnabled() ? colours.text : colours.muted);
        painter.drawText(rect(), Qt::AlignCenter, text());
    }
};

} // namespace

SegmentedControl::SegmentedControl(const QStringList& labels, QWidget* parent)
    : QWidget(parent), m_group(new QButtonGroup(this))
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    for (int i = 0; i < labels.size(); ++i) {
        auto* segment = new Segment(labels[i], this);
        segment->first = i == 0;
        segment->last = i + 1 == labels.size();
        m_group->addButton(segment, i);
        layout->addWidget(segment);
    }
    keepProxy();
    connect(m_group, &QButtonGroup::idToggled, this, [this](int id, bool checked) {
        keepProxy();
        if (checked && !signalsBlocked())
            emit chosen(id);
    });
}

void SegmentedControl::setCurrent(int index)
{
    if (current() == index)
        return;
    const QSignalBlocker blocked(m_group);
    if (QAbstractButton* button = m_group->button(index)) {
        button->setChecked(true);
    } else if (QAbstractButton* checked = m_group->checkedButton()) {
        m_group->setExclusive(false);
        checked->setChecked(false);
        m_group->setExclusive(true);
    }
    for (QAbstractButton* button : m_group->buttons())
        button->update();
    keepProxy();
}

void SegmentedControl::keepProxy()
{
    setFocusProxy(m_group->checkedButton() ? m_group->checkedButton() : m_group->buttons().value(0));
}

int SegmentedControl::current() const
{
    return m_group->checkedId();
}

void SegmentedControl::setName(const QString& name)
{
    setAccessibleName(name);
    for (QAbstractButton* button : m_group->buttons())
        button->setAccessibleName(tr("%1: %2").arg(name, button->text()));
}

void SegmentedControl::setCompact(bool compact)
{
    for (QAbstractButton* button : m_group->buttons()) {
        static_cast<Segment*>(button)->compact = compact;
        button->updateGeometry();
    }
}

} // namespace headroom::ui
