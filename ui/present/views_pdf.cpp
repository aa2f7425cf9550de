// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/present/views_pdf.hpp"

#include "core/comparison/comparison.hpp"
#include "core/explain/tile_text.hpp"
#include "core/predict/evaluate.hpp"
#include "ui/base/text.hpp"
#include "ui/base/tr.hpp"
#include "ui/charts/chart_export.hpp"
#include "ui/document/document_controller.hpp"
#include "ui/document/pdf_pages.hpp"
#include "ui/document/recalculator.hpp"
#include "ui/present/load_view.hpp"
#include "ui/present/stage_tiles.hpp"
#include "ui/theme/fonts.hpp"
#include "ui/theme/theme.hpp"

#include <QPainter>
#include <QPdfWriter>
#include <QPicture>
#include <cmath>

namespace headroom::ui
{
namespace
{

constexpr double pageMargin = 44, pieceGap = 14, foot = 26, tilesHeight = 58;
constexpr double titlePoints = 18, textPoints = 10.5, figurePoints = 15, chartPoints = 8.5, smallPoints = 8;
constexpr std::size_t mostTiles = 6;
constexpr int wrapping = Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap;

/// Words from the top of `room`, which shrinks by what they take.
void drawWords(QPainter& painter, QRectF& room, const QString& words, double points, const QColor& colour,
               bool bold = false)
{
    if (words.isEmpty())
        return;
    QFont font = paperFont(points);
    font.setWeight(bold ? QFont::DemiBold : QFont::Normal);
    painter.setFont(font);
    painter.setPen(colour);
    QRectF taken;
    painter.drawText(room, wrapping, words, &taken);
    room.setTop(taken.bottom() + 4);
}

double heightOf(const QString& words, double points, double width)
{
    if (words.isEmpty())
        return 0;
    return QFontMetricsF(paperFont(points)).boundingRect(QRectF(0, 0, width, 1e4), wrapping, words).height();
}

void drawTiles(QPainter& painter, const QRectF& room, const ChartContext& context)
{
    const Theme& t = theme(ThemeKind::Light);
    const std::vector<const MetricRow*> rows = headlineMetrics(context, mostTiles);
    const double width =
        (room.width() - pieceGap * static_cast<double>(mostTiles - 1)) / static_cast<double>(mostTiles);
    QRectF tile(room.left(), room.top(), width, room.height());
    for (const MetricRow* row : rows) {
        const TileText text = tileText(*row, context);
        QRectF inside = tile;
        const QString kind = text.observed ? tr("observed") : text.calibrated ? tr("calibrated") : tr("predicted");
        drawWords(painter, inside, toQString(text.label) + QStringLiteral(" · ") + kind, smallPoints, t.muted);
        inside.translate(0, -3);
        drawWords(painter, inside, toQString(text.number) + u' ' + toQString(text.unit), figurePoints,
                  text.state == TileState::BeyondLimit ? t.danger : t.text, true);
        inside.translate(0, -3);
        const bool saysItself = text.pins.empty() || text.observed || text.state == TileState::BeyondLimit;
        drawWords(painter, inside, toQString(saysItself ? text.sub : text.pins.front()), smallPoints, t.muted);
        tile.translate(width + pieceGap, 0);
    }
}

/// As on the stage: side by side, of three the first is the large one, four in a square.
std::vector<QRectF> places(const QRectF& room, std::size_t count)
{
    const double half = (room.width() - pieceGap) / 2, row = (room.height() - pieceGap) / 2;
    const QRectF topRight(room.left() + half + pieceGap, room.top(), half, row);
    switch (count) {
    case 1:
        return {room};
    case 2:
        return {QRectF(room.topLeft(), QSizeF(half, room.height())),
                QRectF(topRight.topLeft(), QSizeF(half, room.height()))};
    case 3:
        return {QRectF(room.topLeft(), QSizeF(half, room.height())), topRight, topRight.translated(0, row + pieceGap)};
    default:
        return {QRectF(room.topLeft(), QSizeF(half, row)), topRight,
                QRectF(QPointF(room.left(), room.top() + row + pieceGap), QSizeF(half, row)),
                topRight.translated(0, row + pieceGap)};
    }
}

/// `readings`: room for the sentence, the same for all charts of a page.
void drawChart(QPainter& painter, QRectF room, ChartSpec spec, double readings)
{
    const Theme& t = theme(ThemeKind::Light);
    const QString reading = toQString(spec.reading);
    spec.reading.clear();
    QRectF words = room;
    words.setTop(room.bottom() - readings);
    room.setBottom(words.top() - 4);
    const QSize size = room.size().toSize();
    painter.drawPicture(room.topLeft(), recordChart(spec, size, t, paperFont(chartPoints)));
    painter.setPen(QPen(t.border, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(room.topLeft(), QSizeF(size)));
    drawWords(painter, words, reading, textPoints, t.text);
}

void drawView(QPainter& painter, QRectF room, const StageView& view, Recalculator& recalculator)
{
    const Theme& t = theme(ThemeKind::Light);
    const ChartContext* context = recalculator.isRefused() ? nullptr : recalculator.context();
    const QString machine = context ? toQString(shortName(context->scenario)) : QString();
    drawWords(painter, room, view.name.empty() ? machine : toQString(view.name), titlePoints, t.text, true);
    if (!view.name.empty())
        drawWords(painter, room, machine, textPoints, t.muted);
    if (!context) {
        drawWords(painter, room, tr("Cannot be evaluated: %1").arg(diagnosticsText(recalculator.refusal())), textPoints,
                  t.danger);
        return;
    }
    if (!allFits(context->evaluation))
        drawWords(painter, room, tr("Does not fit: %1").arg(toQString(timesWhereItDoesNotFit(context->scenario.task))),
                  textPoints, t.danger);
    room.setTop(room.top() + 6);
    drawTiles(painter, QRectF(room.topLeft(), QSizeF(room.width(), tilesHeight)), *context);
    room.setTop(room.top() + tilesHeight + pieceGap);

    const QString note = toQString(view.note);
    QRectF words = room;
    words.setTop(room.bottom() - std::min(heightOf(note, textPoints, room.width()), room.height() / 3));
    room.setBottom(note.isEmpty() ? room.bottom() : words.top() - pieceGap);
    const std::vector<QRectF> cells = places(room, view.charts.size());
    std::vector<ChartSpec> specs;
    double readings = 0;
    for (std::size_t i = 0; i < view.charts.size() && i < cells.size(); ++i)
        if (const ChartRow* row = chartRow(view.charts[i])) {
            specs.push_back(row->build(row->swept ? *recalculator.sweptContext() : *context));
            readings = std::max(readings, heightOf(toQString(specs.back().reading), textPoints, cells[i].width()));
        }
    for (std::size_t i = 0; i < specs.size(); ++i)
        drawChart(painter, cells[i], std::move(specs[i]), readings);
    drawWords(painter, words, note, textPoints, t.text);
}

} // namespace

QString writeViewsPdf(const std::vector<StageView>& views, const Catalog& catalog, std::shared_ptr<const RunShelf> runs,
                      const QString& path)
{
    const QString title = views.empty() ? QString() : toQString(views.front().name);
    return writePdf(path, title, QPageLayout::Landscape, [&](QPdfWriter& writer) {
        ScenarioStore store;
        Recalculator recalculator(store, catalog, Calibration::builtIn());
        recalculator.setRuns(std::move(runs));
        QPainter painter(&writer);
        const QRectF page(0, 0, writer.width(), writer.height());
        const int pages = static_cast<int>(views.size());
        for (int number = 0; number < pages; ++number) {
            if (number > 0)
                writer.newPage();
            const StageView& view = views[static_cast<std::size_t>(number)];
            loadView(view, store, recalculator);
            drawView(painter, page.adjusted(pageMargin, pageMargin, -pageMargin, -pageMargin - foot), view,
                     recalculator);
            drawFoot(painter, QRectF(pageMargin, page.bottom() - pageMargin, page.width() - 2 * pageMargin, foot),
                     number + 1, pages);
        }
    });
}

} // namespace headroom::ui
