// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/report.hpp"

#include "ui/base/text.hpp"
#include "ui/charts/chart_export.hpp"
#include "ui/document/pdf_pages.hpp"
#include "ui/document/recorded_charts.hpp"
#include "ui/document/report_html.hpp"
#include "ui/theme/theme.hpp"

#include <QAbstractTextDocumentLayout>
#include <QPainter>
#include <QPdfWriter>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>
#include <QTextLayout>
#include <QTextTable>

namespace headroom::ui
{
namespace
{

constexpr double margin = 56, footer = 28;
constexpr QSize chartSize(332, 250); ///< two beside each other on A4
constexpr double sectionGap = 14;
constexpr double textPoints = 9.5, chartPoints = 7.5;

QTextFormat recorded(RecordedCharts& charts, const ChartSpec& spec)
{
    return charts.add(recordChart(spec, chartSize, theme(ThemeKind::Light), paperFont(chartPoints)));
}

std::vector<QTextFormat> chartsOf(RecordedCharts& charts, const ReportContent& content)
{
    std::vector<QTextFormat> formats;
    ChartContext context = content.context;
    shareCurves(context);
    for (const QString& id : content.chartIds) {
        const ChartRow* row = chartRow(toUtf8(id));
        if (row && appliesTo(*row, context.scenario.task))
            formats.push_back(recorded(charts, row->build(context)));
    }
    return formats;
}

/// Two beside each other.
void addCharts(QTextCursor& cursor, const std::vector<QTextFormat>& formats)
{
    if (formats.empty())
        return;
    QTextTableFormat layout;
    layout.setBorder(0);
    layout.setCellPadding(3);
    layout.setCellSpacing(0);
    constexpr int columns = 2;
    const int count = static_cast<int>(formats.size());
    QTextTable* table = cursor.insertTable((count + columns - 1) / columns, columns, layout);
    for (int i = 0; i < count; ++i)
        table->cellAt(i / columns, i % columns)
            .firstCursorPosition()
            .insertText(QString(QChar::ObjectReplacementCharacter),
                        formats[static_cast<std::size_t>(i)].toCharFormat());
    cursor.movePosition(QTextCursor::End);
}

/// The part of a page, counted from its top, at which something lies.
struct Place {
    double top = 0, bottom = 0;
};

Place placeOf(const QTextFrame::iterator& at, const QAbstractTextDocumentLayout& layout)
{
    if (at.currentFrame()) {
        const QRectF rect = layout.frameBoundingRect(at.currentFrame());
        return {rect.top(), rect.bottom()};
    }
    const QTextBlock block = at.currentBlock();
    const QRectF rect = layout.blockBoundingRect(block);
    const QTextLayout& lines = *block.layout();
    if (lines.lineCount() == 0)
        return {rect.top(), rect.bottom()};
    // A block stays where it began when all its lines moved on to the next page.
    const QTextLine first = lines.lineAt(0), last = lines.lineAt(lines.lineCount() - 1);
    return {rect.top() + first.y(), rect.top() + last.y() + last.height()};
}

bool isHeading(const QTextFrame::iterator& at)
{
    return at.currentBlock().isValid() && at.currentBlock().blockFormat().headingLevel() > 0;
}

/// The first heading whose page ends before what it heads, or before the whole of a table that a page could hold.
QTextBlock torn(const QTextDocument& document, double pageHeight)
{
    constexpr double worthMoving = 0.7; // of a page: a longer table is cut somewhere in any case
    const QAbstractTextDocumentLayout& layout = *document.documentLayout();
    const auto pageOf = [pageHeight](double y) { return static_cast<int>(y / pageHeight); };
    for (auto at = document.rootFrame()->begin(); !at.atEnd(); ++at) {
        if (!isHeading(at) || at.currentBlock().blockFormat().pageBreakPolicy() != QTextFormat::PageBreak_Auto)
            continue;
        auto next = at;
        while (!(++next).atEnd() && !next.currentFrame() && next.currentBlock().text().trimmed().isEmpty()) {
        }
        if (next.atEnd())
            break;
        const Place heading = placeOf(at, layout), content = placeOf(next, layout);
        const double height = content.bottom - content.top;
        const bool apart = pageOf(heading.top) != pageOf(content.top);
        const bool cut = next.currentFrame() && pageOf(content.top) != pageOf(content.bottom - 1) &&
                         height < worthMoving * pageHeight;
        if (apart || cut)
            return at.currentBlock();
    }
    return {};
}

void drawPages(QTextDocument& document, QPdfWriter& writer, const QSizeF& page)
{
    const QSizeF text(page.width() - 2 * margin, page.height() - 2 * margin - footer);
    document.documentLayout()->setPaintDevice(&writer);
    document.setDocumentMargin(0);
    document.setPageSize(text);
    keepTogether(document);
    QPainter painter(&writer);
    const int pages = document.pageCount();
    QAbstractTextDocumentLayout::PaintContext context;
    context.palette.setColor(QPalette::Text, theme(ThemeKind::Light).text);
    for (int number = 0; number < pages; ++number) {
        if (number > 0)
            writer.newPage();
        painter.save();
        painter.translate(margin, margin - number * text.height());
        context.clip = QRectF(0, number * text.height(), text.width(), text.height());
        painter.setClipRect(context.clip);
        document.documentLayout()->draw(&painter, context);
        painter.restore();
        drawFoot(painter, QRectF(margin, page.height() - margin, text.width(), footer), number + 1, pages);
    }
}

} // namespace

void keepTogether(QTextDocument& document)
{
    for (QTextBlock heading = torn(document, document.pageSize().height()); heading.isValid();
         heading = torn(document, document.pageSize().height())) {
        QTextBlockFormat format = heading.blockFormat();
        format.setPageBreakPolicy(QTextFormat::PageBreak_AlwaysBefore);
        QTextCursor(heading).setBlockFormat(format);
    }
}

std::unique_ptr<QTextDocument> reportDocument(const ReportContent& content)
{
    auto document = std::make_unique<QTextDocument>();
    auto* charts = new RecordedCharts(chartSize, document.get());
    document->documentLayout()->registerHandler(RecordedCharts::type, charts);
    document->setDefaultFont(paperFont(textPoints));
    document->setMetaInformation(QTextDocument::DocumentTitle, content.title);
    QTextCursor cursor(document.get());
    // Rich text joins the paragraph it is put into: each section begins one of its own.
    const auto section = [&cursor](const QString& html) {
        QTextBlockFormat apart;
        apart.setTopMargin(sectionGap);
        apart.setHeadingLevel(2); // each begins with its heading
        cursor.insertBlock(apart, QTextCharFormat());
        cursor.insertHtml(html);
    };
    cursor.insertHtml(reportHead(content));
    if (!content.lead.isEmpty())
        section(content.lead);
    std::vector<QTextFormat> leading;
    for (const ChartSpec& spec : content.leadCharts)
        leading.push_back(recorded(*charts, spec));
    addCharts(cursor, leading);
    if (content.leadAlone)
        return document;
    section(reportResults(content.context));
    addCharts(cursor, chartsOf(*charts, content));
    for (const QString& html :
         {reportProfile(content.context), reportComparison(content.context), reportAdvice(content.context),
          reportInputs(content.context), reportNotes(content.context), reportAssumptions(content.context),
          reportSources(content.context)})
        if (!html.isEmpty())
            section(html);
    return document;
}

QString writeReport(const ReportContent& content, const QString& path)
{
    return writePdf(path, content.title, QPageLayout::Portrait, [&content](QPdfWriter& writer) {
        const auto document = reportDocument(content);
        drawPages(*document, writer, QSizeF(writer.width(), writer.height()));
    });
}

} // namespace headroom::ui
