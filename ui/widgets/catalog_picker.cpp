// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/catalog_picker.hpp"

#include "ui/theme/fonts.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/nothing_found.hpp"
#include "ui/widgets/thin_scroll_bar.hpp"

#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QResizeEvent>
#include <QScreen>
#include <QStandardItemModel>
#include <QStyledItemDelegate>
#include <QVBoxLayout>
#include <algorithm>

namespace headroom::ui
{
namespace
{

constexpr int idRole = Qt::UserRole + 1, factsRole = Qt::UserRole + 2, ownRole = Qt::UserRole + 3;
constexpr int padding = 10, popupHeight = 420, popupWidth = 380;
constexpr int popupLines = 26, popupLinesAcross = 24; ///< the same in lines of type, where those are more
constexpr int arrow = 18;                             ///< px at the right of the button

int ownMarkWidth(const QFont& font)
{
    return QFontMetrics(styled(font, TextStyle::Caption)).horizontalAdvance(PickerPopup::tr("yours")) + 12;
}

/// The room of a button's words, a mark among them.
QRect besideArrow(const QRect& button)
{
    return button.adjusted(padding, 0, -padding - arrow, 0);
}

/// Without the room for a mark at its right.
QRect besideOwnMark(const QRect& box, const QFont& font)
{
    constexpr int gap = 6;
    return box.adjusted(0, 0, -ownMarkWidth(font) - gap, 0);
}

/// A small outlined word at the right of an entry of the user's own.
void drawOwnMark(QPainter& painter, const QRect& box, const QFont& font, const QColor& colour)
{
    const QFont caption = styled(font, TextStyle::Caption);
    const int width = ownMarkWidth(font), height = QFontMetrics(caption).height() + 2;
    const QRect mark(box.right() - width, box.top() + (box.height() - height) / 2, width, height);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(caption);
    painter.setPen(colour);
    painter.drawRoundedRect(QRectF(mark).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    painter.drawText(mark, Qt::AlignCenter, PickerPopup::tr("yours"));
    painter.restore();
}

/// The words in one line, or in two where they do not fit into it: facts part between two of them.
QStringList inTwoLines(const QString& words, const QFontMetrics& metrics, int width)
{
    if (metrics.horizontalAdvance(words) <= width)
        return {words};
    for (const QString& parted : {QStringLiteral(" · "), QStringLiteral(" ")})
        for (qsizetype at = words.lastIndexOf(parted); at > 0; at = words.lastIndexOf(parted, at - 1))
            if (metrics.horizontalAdvance(words.left(at)) <= width)
                return {words.left(at), words.mid(at + parted.size())};
    return {words};
}

/// Name over facts, cut at the right edge.
void drawLines(QPainter& painter, const QRect& box, const QFont& font, const QStringList& name,
               const QStringList& facts, const QColor& strong, const QColor& muted)
{
    const QFont bold = styled(font, TextStyle::Strong), caption = styled(font, TextStyle::Caption);
    const QFontMetrics nameMetrics(bold), factMetrics(caption);
    const int height = int(name.size()) * nameMetrics.height() + int(facts.size()) * factMetrics.height();
    int top = box.top() + (box.height() - height) / 2;
    const auto draw = [&](const QStringList& lines, const QFont& type, const QFontMetrics& metrics) {
        painter.setFont(type);
        for (const QString& line : lines) {
            painter.drawText(QPoint(box.left(), top + metrics.ascent()),
                             metrics.elidedText(line, Qt::ElideRight, box.width()));
            top += metrics.height();
        }
    };
    painter.setPen(strong);
    draw(name, bold, nameMetrics);
    painter.setPen(muted);
    draw(facts, caption, factMetrics);
}

class PickerDelegate final : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override
    {
        return {100, 2 * option.fontMetrics.height() + 10};
    }
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const Theme& colours = themeOf(option.palette);
        const bool selected = option.state.testFlag(QStyle::State_Selected);
        if (selected || option.state.testFlag(QStyle::State_MouseOver))
            painter->fillRect(option.rect, mixed(colours.surface, colours.accent, selected ? 0.18 : 0.07));
        QRect box = option.rect.adjusted(padding, 0, -padding, 0);
        if (index.data(ownRole).toBool()) {
            drawOwnMark(*painter, box, option.font, colours.muted);
            box = besideOwnMark(box, option.font);
        }
        drawLines(*painter, box, option.font, {index.data(Qt::DisplayRole).toString()},
                  {index.data(factsRole).toString()}, colours.text, colours.muted);
    }
};

} // namespace

PickerPopup::PickerPopup(PickerSearch search, const QString& prompt, QWidget* parent)
    : PopupCard(parent), m_search(std::move(search)), m_field(new QLineEdit), m_list(new QListView),
      m_model(new QStandardItemModel(this)), m_nothing(new NothingFound(*m_list, *m_field))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 8, 8);
    layout->addWidget(m_field);
    layout->addWidget(m_list);
    m_field->setPlaceholderText(prompt);
    m_field->setAccessibleName(prompt);
    m_field->setClearButtonEnabled(true);
    m_field->installEventFilter(this);
    m_list->setModel(m_model);
    m_list->setItemDelegate(new PickerDelegate(m_list));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_list->setMouseTracking(true);
    m_list->setUniformItemSizes(true);
    m_list->setVerticalScrollBar(new ThinScrollBar);
    m_list->setFocusPolicy(Qt::NoFocus); // the field keeps the keyboard; arrows are passed on
    m_list->setAccessibleName(prompt);
    connect(m_field, &QLineEdit::textChanged, this, [this](const QString& query) { fill(query); });
    connect(m_list, &QListView::clicked, this, &PickerPopup::accept);
}

int PickerPopup::rows() const
{
    return m_model->rowCount();
}

void PickerPopup::fill(const QString& query, const QString& currentId)
{
    m_model->clear();
    int current = 0;
    for (const PickerEntry& entry : m_search(query.trimmed())) {
        auto* item = new QStandardItem(entry.name);
        item->setData(entry.id, idRole);
        item->setData(entry.facts, factsRole);
        item->setData(entry.own, ownRole);
        const QString spoken = entry.own ? tr("%1, yours, %2") : QStringLiteral("%1, %2");
        item->setData(spoken.arg(entry.name, entry.facts), Qt::AccessibleTextRole);
        if (entry.id == currentId)
            current = m_model->rowCount();
        m_model->appendRow(item);
    }
    const QModelIndex index = m_model->index(current, 0);
    m_list->setCurrentIndex(index);
    m_list->scrollTo(index, QAbstractItemView::PositionAtCenter);
    m_nothing->tell(rows() > 0);
}

void PickerPopup::open(const QRect& below, const QString& currentId)
{
    const QSignalBlocker blocked(m_field);
    m_field->clear();
    const QRect available = screen()->availableGeometry();
    const int line = fontMetrics().height();
    const QSize wanted(std::max({below.width(), popupWidth, popupLinesAcross * line}),
                       std::max(popupHeight, popupLines * line));
    QRect box(below.bottomLeft() + QPoint(0, 2), wanted.boundedTo(available.size()));
    if (box.bottom() > available.bottom())
        box.moveBottom(available.bottom());
    if (box.right() > available.right())
        box.moveRight(available.right());
    setGeometry(box);
    show();
    fill({}, currentId);
    m_field->setFocus(Qt::PopupFocusReason);
}

void PickerPopup::accept()
{
    const QModelIndex index = m_list->currentIndex();
    if (!index.isValid())
        return;
    const QString id = index.data(idRole).toString();
    close();
    emit picked(id);
}

bool PickerPopup::eventFilter(QObject* watched, QEvent* event)
{
    return steer(event, m_list, [this] { accept(); }) || PopupCard::eventFilter(watched, event);
}

CatalogPicker::CatalogPicker(const QString& name, const QString& prompt, PickerSearch search, QWidget* parent)
    : QAbstractButton(parent), m_name(name), m_popup(new PickerPopup(std::move(search), prompt, this))
{
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    setAccessibleName(name);
    setToolTip(prompt);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(this, &QAbstractButton::clicked, this, &CatalogPicker::openPopup);
    connect(m_popup, &PickerPopup::picked, this, [this](const QString& id) {
        setFocus(Qt::PopupFocusReason);
        emit picked(id);
    });
}

void CatalogPicker::show(const PickerEntry& entry, const QString& prefix)
{
    if (entry == m_entry && prefix == m_prefix)
        return; // asked with every step of a slider
    m_entry = entry;
    m_prefix = prefix;
    setAccessibleName(tr("%1: %2").arg(m_name, prefix + entry.name));
    setAccessibleDescription(entry.facts);
    updateGeometry();
    update();
}

void CatalogPicker::openPopup()
{
    m_popup->open(QRect(mapToGlobal(QPoint(0, 0)), size()), m_entry.id);
}

void CatalogPicker::focusInEvent(QFocusEvent* event)
{
    // The ring shows where the keyboard is once somebody uses it, not when a window opens.
    m_ring = event->reason() != Qt::ActiveWindowFocusReason && event->reason() != Qt::MouseFocusReason;
    QAbstractButton::focusInEvent(event);
}

void CatalogPicker::focusOutEvent(QFocusEvent* event)
{
    m_ring = false;
    QAbstractButton::focusOutEvent(event);
}

QRect CatalogPicker::words() const
{
    const QRect box = besideArrow(rect());
    return m_entry.own ? besideOwnMark(box, font()) : box;
}

QSize CatalogPicker::sizeHint() const
{
    const QFontMetrics name(styled(font(), TextStyle::Strong)), facts(styled(font(), TextStyle::Caption));
    const auto more = [this](const QString& text, const QFontMetrics& metrics) {
        return isVisible() ? int(inTwoLines(text, metrics, words().width()).size() - 1) * metrics.height() : 0;
    };
    return {240, 2 * fontMetrics().height() + 10 + more(m_prefix + m_entry.name, name) + more(m_entry.facts, facts)};
}

QString CatalogPicker::cutText() const
{
    const QFontMetrics name(styled(font(), TextStyle::Strong)), facts(styled(font(), TextStyle::Caption));
    const auto cut = [this](const QString& text, const QFontMetrics& metrics) {
        return std::ranges::any_of(inTwoLines(text, metrics, words().width()), [&](const QString& line) {
            return metrics.horizontalAdvance(line) > words().width();
        });
    };
    const QString full = m_prefix + m_entry.name;
    return cut(full, name) ? full : cut(m_entry.facts, facts) ? m_entry.facts : QString();
}

void CatalogPicker::resizeEvent(QResizeEvent* event)
{
    QAbstractButton::resizeEvent(event);
    if (event->size().width() != event->oldSize().width())
        updateGeometry();
}

void CatalogPicker::paintEvent(QPaintEvent*)
{
    const Theme& colours = themeOf(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(m_ring ? colours.accent : colours.border, m_ring ? 1.5 : 1));
    painter.setBrush(underMouse() ? mixed(colours.surface, colours.accent, 0.06)
                                  : mixed(colours.surface, colours.window, 0.7));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.75, 0.75, -0.75, -0.75), 5, 5);
    if (m_entry.own)
        drawOwnMark(painter, besideArrow(rect()), font(), colours.muted);
    const QRect box = words();
    const QFontMetrics name(styled(font(), TextStyle::Strong)), facts(styled(font(), TextStyle::Caption));
    drawLines(painter, box, font(), inTwoLines(m_prefix + m_entry.name, name, box.width()),
              inTwoLines(m_entry.facts, facts, box.width()), colours.text, colours.muted);
    painter.setPen(QPen(colours.muted, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    const QPointF centre(width() - padding - 5, height() / 2.0);
    painter.drawPolyline(QPolygonF{centre + QPointF(-4, -2), centre + QPointF(0, 2), centre + QPointF(4, -2)});
}

} // namespace headroom::ui
