// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/focus_ring.hpp"

#include "ui/theme/theme.hpp"

#include <QApplication>
#include <QEvent>
#include <QPainter>
#include <QTabBar>
#include <algorithm>

namespace headroom::ui
{

/// A child of the window, over everything in it; takes neither clicks nor keys.
class RingFrame final : public QWidget
{
public:
    explicit RingFrame(QWidget* window) : QWidget(window)
    {
        setAttribute(Qt::WA_TransparentForMouseEvents);
        setFocusPolicy(Qt::NoFocus);
        setObjectName(QStringLiteral("focus_ring"));
    }

    [[nodiscard]] double thickness() const { return themeOf(palette()).isHighContrast() ? 4 : 2; }

protected:
    void paintEvent(QPaintEvent*) override
    {
        constexpr double radius = 6;
        const double width = thickness();
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(themeOf(palette()).accent, width));
        painter.drawRoundedRect(QRectF(rect()).adjusted(width / 2, width / 2, -width / 2, -width / 2), radius, radius);
    }
};

namespace
{

/// The part of a widget that has the keyboard: of tabs the words of the one in front, without the gap to the next.
QRect handOf(const QWidget& widget)
{
    const auto* tabs = qobject_cast<const QTabBar*>(&widget);
    if (!tabs)
        return widget.rect();
    constexpr int around = 6; // px beside the words, which the tab in front writes bold
    QFont bold = tabs->font();
    bold.setWeight(QFont::DemiBold);
    QRect tab = tabs->tabRect(tabs->currentIndex());
    tab.setWidth(
        std::min(tab.width(), QFontMetrics(bold).horizontalAdvance(tabs->tabText(tabs->currentIndex())) + around));
    return tab;
}

/// What of it is in sight, in the coordinates of its window.
QRect inSight(const QWidget& widget)
{
    QRect rect = handOf(widget);
    for (const QWidget* each = &widget; !each->isWindow(); each = each->parentWidget()) {
        rect = rect.intersected(each->rect()).translated(each->pos());
        if (!each->parentWidget())
            break;
    }
    return rect;
}

} // namespace

FocusRing::FocusRing(QObject* parent) : QObject(parent)
{
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) { follow(now); });
}

FocusRing::~FocusRing()
{
    delete m_frame;
}

QWidget* FocusRing::frame() const
{
    return m_frame && m_frame->isVisible() ? static_cast<QWidget*>(m_frame) : nullptr;
}

void FocusRing::follow(QWidget* focus)
{
    for (const auto& each : m_watched)
        if (each)
            each->removeEventFilter(this);
    m_watched.clear();
    // Where a click went is known to who clicked; a window that opens has not been used by keys yet.
    const bool byKeys = focus && focus->window()->testAttribute(Qt::WA_KeyboardFocusChange) &&
                        QApplication::mouseButtons() == Qt::NoButton;
    m_focus = byKeys ? focus : nullptr;
    if (m_frame && (!m_focus || m_frame->parentWidget() != m_focus->window())) {
        delete m_frame;
        m_frame = nullptr;
    }
    if (!m_focus)
        return;
    for (QWidget* each = m_focus; each; each = each->isWindow() ? nullptr : each->parentWidget()) {
        each->installEventFilter(this);
        m_watched << each;
    }
    disconnect(m_inFront);
    if (const auto* tabs = qobject_cast<const QTabBar*>(m_focus))
        m_inFront = connect(tabs, &QTabBar::currentChanged, this, &FocusRing::place, Qt::QueuedConnection);
    if (!m_frame)
        m_frame = new RingFrame(m_focus->window());
    place();
}

void FocusRing::place()
{
    if (!m_frame || !m_focus)
        return;
    const QRect rect = inSight(*m_focus);
    const bool shown = m_focus->isVisible() && !rect.isEmpty();
    if (shown) {
        const int around = static_cast<int>(m_frame->thickness());
        const QRect frame =
            rect.adjusted(-around, -around, around, around).intersected(m_frame->parentWidget()->rect());
        m_frame->setGeometry(frame);
        m_frame->raise();
    }
    m_frame->setVisible(shown);
}

bool FocusRing::eventFilter(QObject* watched, QEvent* event)
{
    switch (event->type()) {
    case QEvent::Move:
    case QEvent::Resize:
    case QEvent::Show:
    case QEvent::Hide:
    case QEvent::StyleChange:
    case QEvent::PaletteChange:
        // Once what moves has moved.
        QMetaObject::invokeMethod(this, &FocusRing::place, Qt::QueuedConnection);
        break;
    default:
        break;
    }
    return QObject::eventFilter(watched, event);
}

} // namespace headroom::ui
