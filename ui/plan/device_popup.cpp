// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plan/device_popup.hpp"

#include "ui/widgets/nothing_found.hpp"
#include "ui/widgets/thin_scroll_bar.hpp"

#include <QLineEdit>
#include <QListWidget>
#include <QScreen>
#include <QScrollBar>
#include <QVBoxLayout>
#include <algorithm>

namespace headroom::ui
{
namespace
{

constexpr int lines = 16, letters = 34; // of type: how large the popup is, or as wide as its names
constexpr int padding = 8;

} // namespace

DevicePopup::DevicePopup(DeviceSearch search, QWidget* parent)
    : PopupCard(parent), m_search(std::move(search)), m_field(new QLineEdit), m_list(new QListWidget),
      m_nothing(new NothingFound(*m_list, *m_field))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(padding, padding, padding, padding);
    column->addWidget(m_field);
    column->addWidget(m_list);
    m_field->setPlaceholderText(tr("Search accelerators"));
    m_field->setAccessibleName(tr("Accelerators to compare: search, Enter ticks, Escape closes"));
    m_field->setClearButtonEnabled(true);
    m_field->installEventFilter(this);
    m_list->setAccessibleName(tr("Accelerators to compare"));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setFocusPolicy(Qt::NoFocus); // the field keeps the keyboard; arrows are passed on
    m_list->setVerticalScrollBar(new ThinScrollBar);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff); // a screen that is too narrow elides names
    m_list->setProperty("fromCore", true);
    connect(m_field, &QLineEdit::textChanged, this, &DevicePopup::fill);
    // By name or by box, a click ticks; the list stays.
    connect(m_list, &QListWidget::itemClicked, this, &DevicePopup::toggle);
}

void DevicePopup::openBelow(const QRect& place)
{
    const QSignalBlocker blocked(m_field);
    m_field->clear();
    fill();
    const QFontMetrics metrics = fontMetrics();
    const QRect room = screen()->availableGeometry();
    const int usual = letters * metrics.averageCharWidth() + 60;
    const int names = m_list->sizeHintForColumn(0) + m_list->verticalScrollBar()->sizeHint().width() + 2 * padding;
    QRect box(place.bottomLeft() + QPoint(0, 2),
              QSize(std::min(std::max(usual, names), room.width()), lines * metrics.height()));
    box.moveBottom(std::min(box.bottom(), room.bottom()));
    box.moveRight(std::min(box.right(), room.right()));
    setGeometry(box);
    show();
    m_field->setFocus(Qt::PopupFocusReason);
}

void DevicePopup::fill()
{
    const QString current = m_list->currentItem() ? m_list->currentItem()->data(Qt::UserRole).toString() : QString();
    std::vector<DeviceEntry> entries = m_search(m_field->text().trimmed());
    if (m_field->text().trimmed().isEmpty())
        std::stable_partition(entries.begin(), entries.end(), [](const DeviceEntry& entry) { return entry.ticked; });
    m_list->clear();
    for (const DeviceEntry& entry : entries) {
        auto* item = new QListWidgetItem(entry.name, m_list);
        item->setData(Qt::UserRole, entry.id);
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
        item->setCheckState(entry.ticked ? Qt::Checked : Qt::Unchecked);
        if (entry.id == current)
            m_list->setCurrentItem(item);
    }
    if (!m_list->currentItem())
        m_list->setCurrentRow(0); // what Enter ticks
    m_nothing->tell(!entries.empty());
}

void DevicePopup::toggle(QListWidgetItem* item)
{
    if (!item)
        return;
    const bool on = item->checkState() != Qt::Checked;
    item->setCheckState(on ? Qt::Checked : Qt::Unchecked);
    emit ticked(item->data(Qt::UserRole).toString(), on);
    m_field->selectAll(); // the next search takes the place of this one
}

bool DevicePopup::eventFilter(QObject* watched, QEvent* event)
{
    return steer(event, m_list, [this] { toggle(m_list->currentItem()); }) || PopupCard::eventFilter(watched, event);
}

} // namespace headroom::ui
