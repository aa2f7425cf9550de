// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/notes_popup.hpp"

#include "ui/base/text.hpp"
#include "ui/panels/explanation_html.hpp"
#include "ui/theme/text_style.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/thin_scroll_bar.hpp"

#include <QLabel>
#include <QTextBrowser>
#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

namespace headroom::ui
{
namespace
{

constexpr int letters = 58, side = 12; // of a line that reads well; px around it

} // namespace

NotesPopup::NotesPopup(QWidget* parent) : PopupCard(parent), m_heading(new QLabel), m_browser(new QTextBrowser)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(side, 8, side / 2, 8);
    column->setSpacing(4);
    m_heading->setText(tr("Notes on this result"));
    setTextStyle(m_heading, TextStyle::Strong);
    setAccessibleName(m_heading->text());
    column->addWidget(m_heading);
    column->addWidget(m_browser, 1);
    m_browser->setObjectName(QStringLiteral("resultNotes"));
    m_browser->setProperty("fromCore", true);
    m_browser->setAccessibleName(m_heading->text());
    makeQuiet(*m_browser);
    m_browser->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_browser->document()->setDocumentMargin(0);
    connect(m_browser, &QTextBrowser::anchorClicked, this, [this](const QUrl& link) {
        close();
        emit parameterRequested(link.path());
    });
}

void NotesPopup::setNotes(const std::vector<ResultNote>& notes)
{
    m_browser->setHtml(noteListHtml(notes, themeOf(window()->palette())));
}

void NotesPopup::openAbove(const QRect& place)
{
    const QWidget* around = parentWidget()->window();
    const QRect room(around->mapToGlobal(QPoint()), around->size());
    const int wide = std::min(letters * fontMetrics().averageCharWidth() + 3 * side, room.width() - 2 * side);
    m_browser->document()->setTextWidth(wide - 3 * side);
    const int needed =
        static_cast<int>(std::ceil(m_browser->document()->size().height())) + m_heading->sizeHint().height() + 3 * side;
    QRect box(QPoint(), QSize(wide, std::min(needed, room.height() * 3 / 4)));
    box.moveBottomLeft(place.topLeft() - QPoint(0, 2));
    box.moveRight(std::min(box.right(), room.right() - side));
    box.moveLeft(std::max(box.left(), room.left() + side));
    setGeometry(box);
    show();
    m_browser->setFocus(Qt::PopupFocusReason);
}

QString NotesPopup::text() const
{
    return m_browser->toPlainText();
}

} // namespace headroom::ui
