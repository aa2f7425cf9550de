// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/command_palette.hpp"

#include "ui/theme/theme.hpp"
#include "ui/widgets/nothing_found.hpp"
#include "ui/widgets/thin_scroll_bar.hpp"

#include <QKeyEvent>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QStandardItemModel>
#include <QStyledItemDelegate>
#include <QVBoxLayout>
#include <algorithm>

namespace headroom::ui
{
namespace
{

constexpr int rowHeight = 28, mostRows = 12, margin = 8;
constexpr std::size_t mostShown = 200; // a longer list is searched, not read
constexpr int detailRole = Qt::UserRole, kindRole = Qt::UserRole + 1;

/// Text at the left, its detail muted behind it, the kind at the right.
class PaletteDelegate final : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override { return {200, rowHeight}; }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const Theme& colours = themeOf(option.palette);
        const bool chosen = option.state.testFlag(QStyle::State_Selected);
        if (chosen)
            painter->fillRect(option.rect, colours.accent);
        const QColor text = chosen ? colours.onAccent : colours.text;
        const QColor muted = chosen ? colours.onAccent : colours.muted;
        QRect room = option.rect.adjusted(10, 0, -10, 0);
        const QFontMetrics& metrics = option.fontMetrics;
        const QString kind = index.data(kindRole).toString();
        painter->setPen(muted);
        painter->drawText(room, Qt::AlignRight | Qt::AlignVCenter, kind);
        room.setRight(room.right() - metrics.horizontalAdvance(kind) - 16);
        const QString name = metrics.elidedText(index.data().toString(), Qt::ElideRight, room.width());
        painter->setPen(text);
        painter->drawText(room, Qt::AlignLeft | Qt::AlignVCenter, name);
        room.setLeft(room.left() + metrics.horizontalAdvance(name) + 12);
        painter->setPen(muted);
        painter->drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
                          metrics.elidedText(index.data(detailRole).toString(), Qt::ElideRight, room.width()));
    }
};

} // namespace

std::vector<const PaletteEntry*> paletteMatches(const std::vector<PaletteEntry>& entries, const QString& query)
{
    const QStringList words = query.split(u' ', Qt::SkipEmptyParts);
    std::vector<std::pair<int, const PaletteEntry*>> found;
    for (const PaletteEntry& entry : entries) {
        const QString all = QStringList{entry.text, entry.detail, entry.kind}.join(u' ');
        if (!std::all_of(words.begin(), words.end(),
                         [&all](const QString& word) { return all.contains(word, Qt::CaseInsensitive); }))
            continue;
        // Equal, beginning with it, in the name, elsewhere.
        const int rank =
            entry.text.compare(query, Qt::CaseInsensitive) == 0 ? 0
            : entry.text.startsWith(query, Qt::CaseInsensitive) ? 1
            : std::all_of(words.begin(), words.end(),
                          [&entry](const QString& word) { return entry.text.contains(word, Qt::CaseInsensitive); })
                ? 2
                : 3;
        found.emplace_back(rank, &entry);
    }
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<const PaletteEntry*> matches;
    for (const auto& [rank, entry] : found)
        matches.push_back(entry);
    return matches;
}

CommandPalette::CommandPalette(QWidget* window)
    : PopupCard(window), m_field(new QLineEdit), m_list(new QListView), m_model(new QStandardItemModel(this)),
      m_nothing(new NothingFound(*m_list, *m_field))
{
    setObjectName(QStringLiteral("palette"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(margin, margin, margin, margin);
    column->setSpacing(6);
    column->addWidget(m_field);
    column->addWidget(m_list, 1);
    m_field->setPlaceholderText(tr("Find a command, a model, a GPU, a parameter, a metric, a lesson or a term"));
    m_field->setAccessibleName(tr("Find anything"));
    m_field->installEventFilter(this);
    m_list->setModel(m_model);
    m_list->setItemDelegate(new PaletteDelegate(m_list));
    m_list->setAccessibleName(tr("What was found"));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setFocusPolicy(Qt::NoFocus); // the field keeps the keyboard
    m_list->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_list->setUniformItemSizes(true);
    m_list->setVerticalScrollBar(new ThinScrollBar);
    connect(m_field, &QLineEdit::textChanged, this, &CommandPalette::fill);
    connect(m_list, &QListView::clicked, this, [this](const QModelIndex& index) { run(index.row()); });
}

void CommandPalette::open(std::vector<PaletteEntry> entries)
{
    m_shown.clear();
    m_entries = std::move(entries);
    m_field->clear();
    fill();
    constexpr int widest = 640, fromTop = 64;
    const QWidget* window = parentWidget();
    const int width = std::min(widest, window->width() - 2 * margin);
    resize(width, m_field->sizeHint().height() + mostRows * rowHeight + 2 * margin + 6);
    move(window->mapToGlobal(QPoint((window->width() - width) / 2, std::min(fromTop, window->height() / 8))));
    show();
    m_field->setFocus();
}

int CommandPalette::rows() const
{
    return m_model->rowCount();
}

QString CommandPalette::rowText(int row) const
{
    return m_model->index(row, 0).data().toString();
}

void CommandPalette::fill()
{
    m_shown = paletteMatches(m_entries, m_field->text().simplified());
    m_shown.resize(std::min(m_shown.size(), mostShown));
    m_model->clear();
    for (const PaletteEntry* entry : m_shown) {
        auto* item = new QStandardItem(entry->text);
        item->setData(entry->detail, detailRole);
        item->setData(entry->kind, kindRole);
        item->setData(QString(entry->text + QStringLiteral(", ") + entry->kind), Qt::AccessibleTextRole);
        m_model->appendRow(item);
    }
    m_list->setCurrentIndex(m_model->index(0, 0));
    m_nothing->tell(!m_shown.empty());
}

void CommandPalette::run(int row)
{
    if (row < 0 || row >= static_cast<int>(m_shown.size()))
        return;
    const auto act = m_shown[static_cast<std::size_t>(row)]->run;
    close();
    if (act)
        act();
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        const int row = m_list->currentIndex().row();
        const int step = key == Qt::Key_Down       ? 1
                         : key == Qt::Key_Up       ? -1
                         : key == Qt::Key_PageDown ? mostRows
                         : key == Qt::Key_PageUp   ? -mostRows
                                                   : 0;
        if (step != 0 && rows() > 0) {
            m_list->setCurrentIndex(m_model->index(std::clamp(row + step, 0, rows() - 1), 0));
            return true;
        }
        if (key == Qt::Key_Return || key == Qt::Key_Enter) {
            run(row);
            return true;
        }
    }
    return PopupCard::eventFilter(watched, event);
}

} // namespace headroom::ui
