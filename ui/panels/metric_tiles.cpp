// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/metric_tiles.hpp"

#include "core/support/language.hpp"

#include "ui/base/glossary_hint.hpp"
#include "ui/base/text.hpp"
#include "ui/theme/fonts.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/card.hpp"

#include <QHBoxLayout>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

namespace headroom::ui
{
namespace
{

constexpr int padding = 12, barHeight = 4, narrowest = 124;
constexpr int intoMargin = 8; ///< px of the right margin that a text may take
constexpr int markSize = 7, afterMark = 5;

} // namespace

MetricTile::MetricTile(const MetricRow& row, QWidget* parent) : QAbstractButton(parent), m_row(row)
{
    setCheckable(true);
    setAutoExclusive(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setToolTip(QStringLiteral("<p><b>%1</b><br>%2</p><p>%3</p>")
                   .arg(toRichText(say(row.longName)), toRichText(say(row.definition)), toRichText(say(row.formula))));
    setAccessibleName(toQString(say(row.longName)));
    setAccessibleDescription(toQString(say(row.definition))); // until there is a figure to compare
    m_text.label = say(row.label);                            // the first scenario may be one that cannot be evaluated
    m_text.number = "—";
}

void MetricTile::show(const TileText& text)
{
    if (m_text == text)
        return;
    m_text = text;
    // A rate has its unit in the label that is seen, not in the one that is heard.
    const QString unit = m_row.format == ValueFormat::TokensPerS ? tr("tokens/s") : toQString(text.unit);
    setAccessibleName(tr("%1, %2: %3 %4")
                          .arg(toQString(say(m_row.longName)),
                               text.observed     ? tr("observed")
                               : text.calibrated ? tr("calibrated")
                                                 : tr("predicted"),
                               toQString(text.number), unit));
    setAccessibleDescription(said().join(QStringLiteral(", ")));
    update();
}

QStringList MetricTile::said() const
{
    QStringList lines{toQString(m_text.sub)};
    for (const std::string& pin : m_text.pins)
        lines << toQString(pin);
    return lines;
}

bool MetricTile::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QAbstractButton::event(event);
    // A narrow tile shortens what is under its value; here it stands in full.
    QToolTip::showText(
        static_cast<QHelpEvent*>(event)->globalPos(),
        toolTip() +
            QStringLiteral("<p>%1</p>").arg(toRichText(said().join(u'\n')).replace(u'\n', QStringLiteral("<br>"))) +
            glossaryHint(),
        this);
    return true;
}

void MetricTile::setPinLines(int lines)
{
    if (m_pinLines == lines)
        return;
    m_pinLines = lines;
    updateGeometry();
}

QString MetricTile::briefLabel() const
{
    return tr("%1 · %2").arg(toQString(m_text.label), m_text.observed     ? tr("obs.")
                                                      : m_text.calibrated ? tr("cal.")
                                                                          : tr("pred."));
}

QString MetricTile::shownSub() const
{
    const QFont caption = styled(font(), TextStyle::Caption);
    const int room = width() - 2 * padding + intoMargin;
    const QString mark = m_text.state == TileState::BeyondLimit ? QStringLiteral("⚠ ") : QString();
    const QString full = mark + toQString(m_text.sub);
    const bool fits = m_text.brief.empty() || QFontMetricsF(caption).horizontalAdvance(full) <= room;
    return QFontMetrics(caption).elidedText(fits ? full : mark + toQString(m_text.brief), Qt::ElideRight, room);
}

QSize MetricTile::sizeHint() const
{
    const int caption = QFontMetrics(styled(font(), TextStyle::Caption)).height();
    const int value = QFontMetrics(styled(font(), TextStyle::TileValue)).height();
    return {150, 2 * padding - 4 + (2 + m_pinLines) * caption + value + 8 + barHeight};
}

std::vector<std::pair<QString, int>> MetricTile::texts() const
{
    const QFont value = styled(font(), TextStyle::TileValue);
    const QFontMetricsF small(styled(font(), TextStyle::Caption));
    const auto across = [&small](const QString& text) { // rounded up: half a pixel less cuts it
        return static_cast<int>(std::ceil(small.horizontalAdvance(text)));
    };
    const QString label = briefLabel(), unit = toQString(m_text.unit), number = toQString(m_text.number);
    const QString sign = m_text.state == TileState::BeyondLimit ? QStringLiteral("⚠ ") : QString();
    const QString full = sign + toQString(m_text.sub);
    const QString sub = m_text.brief.empty() ? full : sign + toQString(m_text.brief);
    const int figure = static_cast<int>(std::ceil(tabularWidth(value, number))) + 6 + across(unit);
    std::vector<std::pair<QString, int>> all{
        {label, across(label) - intoMargin}, // the mark stands only where there is room for both
        {number + u' ' + unit, figure - intoMargin},
        {sub, std::min(across(sub), across(full)) - intoMargin}};
    for (std::size_t i = 0; i < m_text.pins.size(); ++i) {
        const QString pin = toQString(m_text.briefPins[i]);
        all.emplace_back(pin, std::min(across(pin), across(toQString(m_text.pins[i]))) - intoMargin);
    }
    return all;
}

int MetricTile::leastWidth() const
{
    int widest = narrowest - 2 * padding;
    for (const auto& [text, width] : texts())
        widest = std::max(widest, width);
    return widest + 2 * padding;
}

QString MetricTile::cutText() const
{
    for (const auto& [text, room] : texts())
        if (room > width() - 2 * padding)
            return text;
    return {};
}

int MetricTile::paintMark(QPainter& painter, QPointF left, const Theme& colours) const
{
    const int width = markWidth(painter.fontMetrics());
    if (width == 0)
        return 0;
    constexpr int size = markSize;
    const QPointF centre = left + QPointF(size / 2.0, 0);
    if (m_text.observed) { // the open circle that a measurement is on the charts
        painter.setPen(QPen(colours.danger, 1.6));
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(centre, size / 2.0 - 0.5, size / 2.0 - 0.5);
    } else { // the diamond of the status line
        const double half = size / 2.0;
        painter.setPen(Qt::NoPen);
        painter.setBrush(colours.warning);
        painter.drawPolygon(QPolygonF({centre + QPointF(0, -half), centre + QPointF(half, 0), centre + QPointF(0, half),
                                       centre + QPointF(-half, 0)}));
    }
    return width;
}

int MetricTile::markWidth(const QFontMetrics& metrics) const
{
    constexpr int wanted = markSize + afterMark;
    return (m_text.observed || m_text.calibrated) &&
                   metrics.horizontalAdvance(briefLabel()) <= width() - 2 * padding + intoMargin - wanted
               ? wanted
               : 0;
}

QString MetricTile::shownLabel() const
{
    const QFontMetrics metrics(styled(font(), TextStyle::Caption));
    const int room = width() - 2 * padding + intoMargin - markWidth(metrics);
    const QString label = toQString(m_text.label), brief = briefLabel();
    const QString full = tr("%1 · %2").arg(label, m_text.observed     ? tr("observed")
                                                  : m_text.calibrated ? tr("calibrated")
                                                                      : tr("predicted"));
    return metrics.horizontalAdvance(full) <= room    ? full
           : metrics.horizontalAdvance(brief) <= room ? brief
                                                      : metrics.elidedText(label, Qt::ElideRight, room);
}

void MetricTile::paintEvent(QPaintEvent*)
{
    const Theme& colours = themeOf(palette());
    const bool beyond = m_text.state == TileState::BeyondLimit;
    paintCard(*this,
              isChecked() || hasFocus() ? colours.accent
              : underMouse()            ? colours.muted
                                        : colours.border,
              hasFocus() ? 2 : 1);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    constexpr double faded = 0.4; // of the scenario before, as the charts under their veil are
    if (!isEnabled())
        painter.setOpacity(faded);
    const QFont caption = styled(font(), TextStyle::Caption), value = styled(font(), TextStyle::TileValue);
    const QFontMetrics small(caption), large(value);
    const int left = padding, room = width() - 2 * padding;
    double y = padding - 2;

    painter.setFont(caption);
    const int mark = paintMark(painter, QPointF(left, y + small.height() / 2.0), colours);
    painter.setPen(colours.muted);
    painter.drawText(QPointF(left + mark, y + small.ascent()), shownLabel());
    y += small.height();

    painter.setFont(value);
    painter.setPen(colours.text);
    const QString number = toQString(m_text.number);
    const QPointF baseline(left, y + large.ascent() + 1);
    drawTabular(painter, baseline, number);
    const double after = left + tabularWidth(value, number) + 6;
    painter.setFont(caption);
    painter.setPen(colours.muted);
    painter.drawText(QPointF(after, baseline.y()),
                     small.elidedText(toQString(m_text.unit), Qt::ElideRight,
                                      static_cast<int>(width() - padding + intoMargin - after)));
    y += large.height() + 1;

    painter.setPen(beyond ? colours.danger : colours.muted);
    painter.drawText(QPointF(left, y + small.ascent()), shownSub());
    painter.setPen(colours.muted);
    for (std::size_t i = 0; i < m_text.pins.size(); ++i) {
        const QString full = toQString(m_text.pins[i]);
        const QString pin = small.horizontalAdvance(full) <= room + intoMargin ? full : toQString(m_text.briefPins[i]);
        y += small.height();
        painter.drawText(QPointF(left, y + small.ascent()), small.elidedText(pin, Qt::ElideRight, room + intoMargin));
    }

    if (!m_text.bar)
        return;
    const QRectF track(left, height() - padding + 2 - barHeight, room, barHeight);
    painter.setPen(Qt::NoPen);
    painter.setBrush(mixed(colours.surface, colours.text, 0.1));
    painter.drawRoundedRect(track, 2, 2);
    const double share = std::clamp(*m_text.bar, 0.0, 1.0);
    painter.setBrush(beyond ? colours.danger : m_text.state == TileState::WithinLimit ? colours.good : colours.accent);
    painter.drawRoundedRect(QRectF(track.topLeft(), QSizeF(std::max(2.0, share * track.width()), barHeight)), 2, 2);
}

MetricTiles::MetricTiles(QWidget* parent) : QWidget(parent), m_selected(QStringLiteral("mfu"))
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(cardGap);
    for (const MetricRow& row : metricRegistry()) {
        if (!row.tile)
            continue;
        auto* tile = new MetricTile(row);
        tile->setOffered(!row.tileWhenDefined);
        layout->addWidget(tile, 1);
        connect(tile, &QAbstractButton::clicked, this, [this, tile] {
            select(toQString(tile->row().id));
            emit activated(m_selected);
        });
        m_tiles.push_back(tile);
    }
}

void MetricTiles::show(const ChartContext& context)
{
    const bool taskChanged = m_task != context.scenario.task;
    m_task = context.scenario.task;
    std::size_t lines = 0;
    for (MetricTile* each : m_tiles) {
        const MetricRow& row = each->row();
        each->setOffered(!row.tileWhenDefined || row.value(context.evaluation));
        each->setTarget(row.format == ValueFormat::Seconds && row.limit(context.scenario, context.evaluation));
        if (each->isOffered(m_task)) {
            each->show(tileText(each->row(), context));
            lines = std::max(lines, each->content().pins.size());
        }
    }
    for (MetricTile* each : m_tiles)
        each->setPinLines(static_cast<int>(lines)); // all as high as the one with the most to say
    if (taskChanged || !tile(m_selected))
        select(tile(m_selected) ? m_selected : QStringLiteral("mfu"));
    else
        tile(m_selected)->setChecked(true);
    fit();
}

QString MetricTiles::explained() const
{
    const MetricTile* chosen = tile(m_selected);
    const QString observed = QStringLiteral("observed.%1").arg(m_selected);
    return chosen && chosen->content().observed && metricRow(toUtf8(observed)) ? observed : m_selected;
}

void MetricTiles::select(const QString& metricId)
{
    if (MetricTile* chosen = tile(metricId))
        chosen->setChecked(true);
    if (m_selected == metricId)
        return;
    m_selected = metricId;
    emit selectedChanged(metricId);
}

MetricTile* MetricTiles::tile(const QString& metricId) const
{
    for (MetricTile* each : m_tiles)
        if (toQString(each->row().id) == metricId && each->isOffered(m_task))
            return each;
    return nullptr;
}

void MetricTiles::setKept(const std::vector<std::string>& metricIds)
{
    m_kept = metricIds;
    fit();
}

QSize MetricTiles::minimumSizeHint() const
{
    return {2 * narrowest + cardGap, QWidget::minimumSizeHint().height()};
}

void MetricTiles::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fit();
}

} // namespace headroom::ui
