// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/help/help_document.hpp"

#include "ui/theme/theme.hpp"

#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>
#include <QTextTable>
#include <algorithm>

namespace headroom::ui
{
namespace
{

/// Room below and above; headings in steps of the window's own type instead of a web page's.
void setBlock(QTextCursor& cursor)
{
    const QTextBlockFormat old = cursor.blockFormat();
    QTextBlockFormat block;
    block.setTopMargin(0);
    // Items of a list stand close; a paragraph stands as far from the list as from another (a heading has room of its
    // own above).
    const QTextBlock next = cursor.block().next();
    const bool close = cursor.currentList() && (next.textList() || next.blockFormat().headingLevel() > 0);
    block.setBottomMargin(close ? 4 : 8);
    if (const int level = old.headingLevel(); level > 0) {
        QTextCharFormat letters;
        letters.setFontWeight(QFont::DemiBold);
        letters.setProperty(QTextFormat::FontSizeAdjustment, std::max(0, 3 - level)); // 1.5, 1.2 and 1 times
        // Not BlockUnderCursor: that reaches into the block above, which would take the heading's room, too.
        QTextCursor words = cursor;
        words.movePosition(QTextCursor::EndOfBlock, QTextCursor::KeepAnchor);
        words.mergeCharFormat(letters);
        block.setTopMargin(level == 1 ? 0 : 14);
        block.setBottomMargin(6);
    }
    cursor.mergeBlockFormat(block);
}

void setLinks(QTextDocument& document, const QColor& colour)
{
    QList<std::pair<int, int>> ranges; // first, for a change may join fragments
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next())
        for (auto it = block.begin(); !it.atEnd(); ++it)
            if (it.fragment().charFormat().isAnchor())
                ranges.push_back({it.fragment().position(), it.fragment().length()});
    QTextCharFormat format;
    format.setForeground(colour);
    format.setFontUnderline(false);
    for (const auto& [position, length] : ranges) {
        QTextCursor cursor(&document);
        cursor.setPosition(position);
        cursor.setPosition(position + length, QTextCursor::KeepAnchor);
        cursor.mergeCharFormat(format);
    }
}

void setTables(QTextDocument& document, const Theme& colours)
{
    for (QTextFrame* frame : document.rootFrame()->childFrames()) {
        auto* table = qobject_cast<QTextTable*>(frame);
        if (!table)
            continue;
        QTextTableFormat format = table->format();
        format.setBorder(1);
        format.setBorderCollapse(true);
        format.setBorderBrush(colours.grid);
        format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
        format.setCellPadding(5);
        format.setCellSpacing(0);
        format.setTopMargin(6);
        format.setBottomMargin(10);
        table->setFormat(format);
        for (int column = 0; column < table->columns(); ++column) {
            QTextCharFormat head = table->cellAt(0, column).format();
            head.setForeground(colours.muted);
            QTextCursor cursor = table->cellAt(0, column).firstCursorPosition();
            cursor.setPosition(table->cellAt(0, column).lastCursorPosition().position(), QTextCursor::KeepAnchor);
            cursor.mergeCharFormat(head);
        }
    }
}

} // namespace

void setHelpText(QTextDocument& document, const QString& markdown, const QFont& font, const Theme& colours)
{
    document.setDefaultFont(font);
    document.setMarkdown(markdown, QTextDocument::MarkdownDialectGitHub);
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        QTextCursor cursor(block);
        if (!cursor.currentTable())
            setBlock(cursor);
    }
    setLinks(document, colours.accent);
    setTables(document, colours);
    document.setModified(false);
}

} // namespace headroom::ui
