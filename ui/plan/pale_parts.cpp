// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plan/pale_parts.hpp"

#include "ui/widgets/veil.hpp"

#include <QEvent>
#include <algorithm>
#include <utility>

namespace headroom::ui
{
namespace
{

constexpr int momentMs = 200;

} // namespace

PaleParts::PaleParts(QObject* parent) : QObject(parent)
{
    m_moment.setObjectName(QStringLiteral("moment"));
    m_moment.setParent(this);
    m_moment.setSingleShot(true);
    m_moment.setInterval(momentMs);
    connect(&m_moment, &QTimer::timeout, this, [this] {
        for (const Part& part : m_parts) {
            part.veil->setGeometry(part.widget->rect());
            part.veil->setVisible(part.question != m_question);
            part.veil->raise();
        }
        tell();
    });
}

void PaleParts::add(const QList<QWidget*>& parts)
{
    for (QWidget* part : parts) {
        m_parts.push_back({part, new Veil(part)});
        part->installEventFilter(this);
    }
}

void PaleParts::begin()
{
    ++m_question;
    m_moment.start();
}

void PaleParts::answer(const QList<QWidget*>& parts)
{
    for (Part& each : m_parts)
        if (parts.contains(each.widget)) {
            each.question = m_question;
            each.veil->hide();
        }
    tell();
}

void PaleParts::end()
{
    m_moment.stop();
    for (const Part& each : m_parts)
        each.veil->hide();
    tell();
}

bool PaleParts::belongTogether(const QWidget* one, const QWidget* other) const
{
    const auto question = [this](const QWidget* part) {
        const auto found = std::ranges::find(m_parts, part, &Part::widget);
        return found == m_parts.end() ? m_question : found->question;
    };
    return question(one) == question(other);
}

void PaleParts::tell()
{
    const bool pale = std::ranges::any_of(m_parts, [](const Part& each) { return !each.veil->isHidden(); });
    if (pale != std::exchange(m_told, pale))
        emit changed(pale);
}

bool PaleParts::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize)
        for (const Part& part : m_parts)
            if (part.widget == watched)
                part.veil->setGeometry(part.widget->rect());
    return QObject::eventFilter(watched, event);
}

} // namespace headroom::ui
