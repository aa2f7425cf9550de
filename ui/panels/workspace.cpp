// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/workspace.hpp"

#include "ui/widgets/card.hpp"

#include <QResizeEvent>
#include <QSplitter>
#include <QStyle>
#include <QVBoxLayout>
#include <utility>

namespace headroom::ui
{
namespace
{

constexpr int leftWidth = 300, rightWidth = 320;
constexpr int drawerWidth = 340, drawerLines = 21;      ///< px, and lines of type: the larger
constexpr int leftLines = 18, rightLines = 19;          ///< of type across the panels beside the charts, at least
constexpr int foldLines = 72;                           ///< Workspace::foldWidth in lines of type
constexpr int heldFoldWidth = 1000, heldFoldLines = 62; ///< both while the right panel is held
constexpr int heldLines = 15;                           ///< of a panel that lies over the charts while they are in use

/// A splitter whose handles are nothing but the gap between cards.
class GapSplitter final : public QSplitter
{
public:
    GapSplitter() : QSplitter(Qt::Horizontal) { setHandleWidth(cardGap); }

protected:
    QSplitterHandle* createHandle() override
    {
        class Gap final : public QSplitterHandle
        {
        public:
            using QSplitterHandle::QSplitterHandle;

        protected:
            void paintEvent(QPaintEvent*) override {}
        };
        return new Gap(orientation(), this);
    }
};

} // namespace

Workspace::Workspace(QWidget* left, QWidget* centre, QWidget* right, QWidget* charts, QWidget* parent)
    : QWidget(parent), m_left(left), m_right(right), m_charts(charts), m_splitter(new GapSplitter)
{
    m_charts->installEventFilter(this);
    m_right->installEventFilter(this);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(cardGap, cardGap, cardGap, cardGap / 2);
    layout->addWidget(m_splitter);
    left->setMaximumWidth(560);
    m_splitter->addWidget(left);
    m_splitter->addWidget(centre);
    m_splitter->addWidget(right);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setStretchFactor(0, 0);
    m_splitter->setStretchFactor(1, 1);
    m_splitter->setStretchFactor(2, 0);
    m_splitter->setSizes({leftWidth, 4 * leftWidth, rightWidth});
    growSides();
}

void Workspace::setRightShown(bool shown)
{
    if (m_held)
        return;
    if (m_folded)
        m_drawerOpen = shown;
    else
        m_wanted = shown;
    arrange();
}

void Workspace::setRightWanted(bool wanted)
{
    m_wanted = wanted;
    arrange();
}

void Workspace::setSidesWanted(bool left, bool right)
{
    m_left->setVisible(left);
    m_rightOfUse = right;
    arrange();
}

void Workspace::setRightHeld(bool held)
{
    m_held = held;
    arrange();
}

bool Workspace::isRightShown() const
{
    return !m_right->isHidden();
}

QByteArray Workspace::saveState() const
{
    return m_splitter->saveState();
}

void Workspace::restoreState(const QByteArray& state)
{
    if (!state.isEmpty() && !m_folded)
        m_splitter->restoreState(state);
    m_splitter->setHandleWidth(cardGap);
}

void Workspace::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() != QEvent::FontChange)
        return;
    arrange();
    growSides();
}

void Workspace::growSides()
{
    QList<int> sizes = m_splitter->sizes();
    if (sizes.size() < 2)
        return;
    constexpr int centreLines = 36; // two charts beside each other
    const auto grow = [&sizes](qsizetype side, int lines, int line) {
        const int least = side == 0 ? 0 : centreLines * line;
        const int wider = std::clamp(lines * line - sizes[side], 0, std::max(0, sizes[1] - least));
        sizes[side] += wider;
        sizes[1] -= wider;
    };
    if (!m_left->isHidden())
        grow(0, leftLines, fontMetrics().height());
    if (sizes.size() > 2 && !m_right->isHidden())
        grow(2, rightLines, fontMetrics().height());
    if (sizes[1] > 0)
        m_splitter->setSizes(sizes);
}

void Workspace::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    arrange();
}

bool Workspace::eventFilter(QObject* watched, QEvent* event)
{
    const bool moved = event->type() == QEvent::Move || event->type() == QEvent::Resize;
    const bool other = watched == m_right && event->type() == QEvent::LayoutRequest; // other words, wider buttons
    if (((watched == m_charts && moved) || other) && m_folded && isRightShown())
        placeDrawer();
    return QWidget::eventFilter(watched, event);
}

void Workspace::placeDrawer()
{
    const int top = m_charts->mapTo(this, QPoint()).y();
    const int line = fontMetrics().height();
    const int wanted = m_held ? std::max(m_right->minimumSizeHint().width(), heldLines * line)
                              : std::max(drawerWidth, drawerLines * line);
    const int wide = std::min(wanted, width() * 3 / 5);
    const QRect drawer(width() - wide - cardGap, top, wide, height() - cardGap / 2 - top);
    m_right->setGeometry(QStyle::visualRect(layoutDirection(), rect(), drawer));
    setCovered(wide + cardGap);
}

void Workspace::setCovered(int px)
{
    if (std::exchange(m_covered, px) != px)
        emit chartsCovered(px);
}

void Workspace::arrange()
{
    const int line = fontMetrics().height();
    const bool folded =
        width() < (m_held ? std::max(heldFoldWidth, heldFoldLines * line) : std::max(foldWidth, foldLines * line));
    if (folded != m_folded) {
        m_folded = folded;
        m_drawerOpen = false;
        if (folded)
            m_right->setParent(this);
        else
            m_splitter->addWidget(m_right);
    }
    const bool shown = m_rightOfUse && (m_held || (m_folded ? m_drawerOpen : m_wanted));
    const bool before = isRightShown();
    m_right->setVisible(shown);
    if (m_folded && shown) {
        placeDrawer();
        if (!before)
            m_right->raise(); // over the charts, and not over a card that came since
    } else {
        setCovered(0);
    }
    if (!before && shown && !m_folded)
        growSides(); // it comes back as wide as it was with smaller type
    if (before != shown && m_rightOfUse)
        emit rightShownChanged(shown);
}

} // namespace headroom::ui
