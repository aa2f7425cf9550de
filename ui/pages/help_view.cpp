// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/help_view.hpp"

#include "ui/help/help_document.hpp"
#include "ui/pages/help_markdown.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/card.hpp"
#include "ui/widgets/nothing_found.hpp"
#include "ui/widgets/thin_scroll_bar.hpp"

#include <QEvent>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QShortcut>
#include <QTextBrowser>
#include <QTextFrame>
#include <QToolButton>
#include <QUrl>
#include <QVBoxLayout>

namespace headroom::ui
{

HelpView::HelpView(std::function<void(const QString&)> show, QWidget* parent)
    : QWidget(parent), m_show(std::move(show)), m_field(new QLineEdit), m_contents(new QListWidget),
      m_browser(new QTextBrowser), m_back(new QToolButton), m_nothing(new NothingFound(*m_contents, *m_field))
{
    constexpr int between = 12;
    auto* columns = new QHBoxLayout(this);
    columns->setContentsMargins(0, 0, 0, 0);
    columns->setSpacing(between);
    auto* left = new QVBoxLayout;
    left->setSpacing(between);
    auto* top = new QHBoxLayout;
    m_back->setText(tr("Back"));
    m_back->setToolTip(tr("What was read before (Backspace)"));
    m_back->setAccessibleName(tr("Back"));
    m_field->setPlaceholderText(tr("Search the help"));
    m_field->setAccessibleName(tr("Search the help"));
    m_field->setClearButtonEnabled(true);
    top->addWidget(m_back);
    top->addWidget(m_field, 1);
    left->addLayout(top);
    m_contents->setAccessibleName(tr("Help pages"));
    m_contents->setFrameShape(QFrame::NoFrame);
    m_contents->viewport()->setAutoFillBackground(false);
    m_contents->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_contents->setSpacing(3);
    m_contents->setProperty("fromCore", true); // the sources' own headings
    left->addWidget(m_contents, 1);
    auto* side = new QWidget;
    side->setLayout(left);
    left->setContentsMargins(0, 0, 0, 0);
    m_side = side;
    columns->addWidget(side);
    auto* card = new Card;
    auto* layout = new QVBoxLayout(card);
    layout->setContentsMargins(16, 8, 2, 8);
    layout->addWidget(m_browser);
    columns->addWidget(card, 1);
    makeQuiet(*m_browser);
    m_browser->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff); // what is too wide wraps
    m_browser->setAccessibleName(tr("Help"));
    for (const HelpPage& page : helpPages()) {
        auto* item = new QListWidgetItem(page.title, m_contents);
        item->setData(Qt::UserRole, page.id);
    }
    connect(m_browser, &QTextBrowser::anchorClicked, this, &HelpView::follow);
    connect(m_contents, &QListWidget::currentItemChanged, this, [this](const QListWidgetItem* item) {
        if (item)
            open(item->data(Qt::UserRole).toString());
    });
    connect(m_field, &QLineEdit::textChanged, this, &HelpView::search);
    connect(m_field, &QLineEdit::returnPressed, this, &HelpView::findNext);
    connect(m_back, &QToolButton::clicked, this, &HelpView::back);
    auto* backspace = new QShortcut(Qt::Key_Backspace, this);
    backspace->setContext(Qt::WidgetWithChildrenShortcut);
    connect(backspace, &QShortcut::activated, this, &HelpView::back);
    setFocusProxy(m_browser);
    open(helpPages().front().id);
}

void HelpView::open(const QString& id)
{
    const HelpPage* page = helpPage(id);
    if (!page || id == m_current)
        return;
    if (!m_current.isEmpty())
        m_before << m_current;
    m_current = id;
    for (int i = 0; i < m_contents->count(); ++i)
        if (m_contents->item(i)->data(Qt::UserRole).toString() == id)
            m_contents->setCurrentRow(i);
    m_browser->setAccessibleName(tr("Help: %1").arg(page->title));
    render();
}

void HelpView::back()
{
    if (m_before.isEmpty()) {
        emit closeRequested();
        return;
    }
    const QString page = m_before.takeLast();
    open(page);
    m_before.removeLast(); // where it came from
}

void HelpView::render()
{
    const HelpPage* page = helpPage(m_current);
    if (!page)
        return;
    m_stale = false;
    setHelpText(*m_browser->document(), windowMarkdown(*page, static_cast<bool>(m_show)), font(), themeOf(palette()));
    fitText();
    m_browser->moveCursor(QTextCursor::Start);
    m_back->setEnabled(!m_before.isEmpty());
    markHits();
}

void HelpView::follow(const QUrl& link)
{
    const QString target = link.path();
    if (link.scheme() == QLatin1String("help"))
        open(target);
    else if (link.scheme() == QLatin1String("page"))
        m_show(target);
    else if (link.scheme() == QLatin1String("term"))
        emit termRequested(target);
}

QStringList HelpView::words() const
{
    return m_field->text().split(u' ', Qt::SkipEmptyParts);
}

void HelpView::search()
{
    const QStringList wanted = words();
    QListWidgetItem* first = nullptr;
    bool here = false;
    for (int i = 0; i < m_contents->count(); ++i) {
        QListWidgetItem* item = m_contents->item(i);
        const QString text = windowMarkdown(*helpPage(item->data(Qt::UserRole).toString()));
        const bool holds = std::all_of(wanted.begin(), wanted.end(), [&text](const QString& word) {
            return text.contains(word, Qt::CaseInsensitive);
        });
        item->setHidden(!holds);
        first = holds && !first ? item : first;
        here = here || (holds && item->data(Qt::UserRole).toString() == m_current);
    }
    m_nothing->tell(first != nullptr);
    if (!here && first)
        open(first->data(Qt::UserRole).toString());
    markHits();
    if (!wanted.isEmpty()) {
        m_browser->moveCursor(QTextCursor::Start);
        findNext();
    }
}

void HelpView::findNext()
{
    const QStringList wanted = words();
    if (wanted.isEmpty() || m_browser->find(wanted.front()))
        return;
    m_browser->moveCursor(QTextCursor::Start); // from the top again
    m_browser->find(wanted.front());
}

void HelpView::markHits()
{
    const Theme& colours = themeOf(palette());
    QList<QTextEdit::ExtraSelection> marks;
    for (const QString& word : words()) {
        QTextCursor cursor(m_browser->document());
        while (!(cursor = m_browser->document()->find(word, cursor)).isNull()) {
            QTextEdit::ExtraSelection mark;
            mark.cursor = cursor;
            mark.format.setBackground(mixed(colours.surface, colours.warning, 0.35));
            marks << mark;
        }
    }
    m_browser->setExtraSelections(marks);
}

void HelpView::fitText()
{
    m_side->setFixedWidth(fontMetrics().averageCharWidth() * 38);
    // Lines longer than this are hard to follow.
    const int longest = fontMetrics().averageCharWidth() * 95;
    QTextFrameFormat format = m_browser->document()->rootFrame()->frameFormat();
    format.setRightMargin(std::max(8, m_browser->viewport()->width() - longest));
    m_browser->document()->rootFrame()->setFrameFormat(format);
}

void HelpView::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() != QEvent::PaletteChange && event->type() != QEvent::FontChange)
        return;
    // A long page takes half a second, for which no theme waits while another page is in front.
    m_stale = true;
    if (isVisible())
        render();
}

void HelpView::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (m_stale)
        render();
}

void HelpView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fitText();
}

void HelpView::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape)
        emit closeRequested();
    else
        QWidget::keyPressEvent(event);
}

} // namespace headroom::ui
