// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/thin_scroll_bar.hpp"

#include "ui/theme/theme.hpp"

#include <QPainter>
#include <QProxyStyle>
#include <QScrollArea>
#include <QStyleOptionSlider>
#include <QTableView>
#include <QTextBrowser>

namespace headroom::ui
{
namespace
{

constexpr int extent = 10, shortestHandle = 28;

/// Fusion without the arrow buttons: the whole length is groove, a click on it pages.
class NoArrows final : public QProxyStyle
{
public:
    NoArrows() : QProxyStyle(QStringLiteral("Fusion")) {}
    QRect subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl part,
                         const QWidget* widget) const override
    {
        const auto* bar = qstyleoption_cast<const QStyleOptionSlider*>(option);
        if (control != CC_ScrollBar || !bar)
            return QProxyStyle::subControlRect(control, option, part, widget);
        const bool upright = bar->orientation == Qt::Vertical;
        const int length = upright ? bar->rect.height() : bar->rect.width();
        const int width = upright ? bar->rect.width() : bar->rect.height(), range = bar->maximum - bar->minimum;
        const int handle =
            range > 0 ? std::max(shortestHandle, length * bar->pageStep / (range + bar->pageStep)) : length;
        const int begin = sliderPositionFromValue(bar->minimum, bar->maximum, bar->sliderPosition, length - handle);
        const auto piece = [&](int from, int size) {
            return upright ? QRect(0, from, width, size) : QRect(from, 0, size, width);
        };
        switch (part) {
        case SC_ScrollBarGroove:
            return bar->rect;
        case SC_ScrollBarSlider:
            return piece(begin, handle);
        case SC_ScrollBarSubPage:
            return piece(0, begin);
        case SC_ScrollBarAddPage:
            return piece(begin + handle, length - begin - handle);
        default:
            return {};
        }
    }
};

} // namespace

ThinScrollBar::ThinScrollBar(Qt::Orientation orientation, QWidget* parent) : QScrollBar(orientation, parent)
{
    auto* style = new NoArrows;
    style->setParent(this);
    setStyle(style);
    setAttribute(Qt::WA_Hover);
    setAttribute(Qt::WA_OpaquePaintEvent, false);
}

QSize ThinScrollBar::sizeHint() const
{
    constexpr int shortest = 60;
    return orientation() == Qt::Vertical ? QSize(extent, shortest) : QSize(shortest, extent);
}

void ThinScrollBar::paintEvent(QPaintEvent*)
{
    if (maximum() == minimum())
        return; // nothing to scroll
    QStyleOptionSlider option;
    initStyleOption(&option);
    const QRect handle = style()->subControlRect(QStyle::CC_ScrollBar, &option, QStyle::SC_ScrollBarSlider, this);
    const Theme& colours = themeOf(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(mixed(colours.surface, colours.muted, underMouse() || isSliderDown() ? 0.7 : 0.35));
    painter.drawRoundedRect(QRectF(handle).adjusted(2.5, 2.5, -2.5, -2.5), 2.5, 2.5);
}

void makeQuiet(QScrollArea& area)
{
    area.setVerticalScrollBar(new ThinScrollBar);
    area.setFrameShape(QFrame::NoFrame);
    area.setFocusPolicy(Qt::NoFocus);
    area.setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area.viewport()->setAutoFillBackground(false);
}

void makeQuiet(QTextBrowser& text)
{
    text.setVerticalScrollBar(new ThinScrollBar);
    text.setFrameShape(QFrame::NoFrame);
    text.viewport()->setAutoFillBackground(false);
    text.setOpenLinks(false);
}

void makeQuiet(QTableView& table)
{
    table.setVerticalScrollBar(new ThinScrollBar);
    table.setHorizontalScrollBar(new ThinScrollBar(Qt::Horizontal));
    table.setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    table.setFrameShape(QFrame::NoFrame);
    table.setShowGrid(false);
    table.setTabKeyNavigation(false);
    table.setWordWrap(false);
}

} // namespace headroom::ui
