// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_layout.hpp"

#include "core/charts/pin_marks.hpp"
#include "core/units/format.hpp"
#include "ui/charts/chart_style.hpp"
#include "ui/theme/fonts.hpp"

#include <QFontMetricsF>
#include <QTextLayout>
#include <algorithm>
#include <array>
#include <cmath>

namespace headroom::ui
{

namespace
{

constexpr int lowCard = 220;         ///< px of a card below which every text has one line
constexpr double narrowestBars = 80; ///< px; below it the names beside the bars give way
constexpr double cornerButton = 22;  // px of the title's line that the menu of a chart takes

constexpr double endLabelGap = 6;      // px between the plot and a label
constexpr double endLabelShare = 0.34; // of the card; longer labels are elided
constexpr double categoryShare = 0.42; // of the card, for names beside lying bars
constexpr double mostCategories = 0.5; // the same before a name is cut
constexpr double smallestLine = 10.5;  // px of a name's line, to be read
constexpr double tickGap = 10;         // px of air between two tick labels

double fraction(const Axis& axis, double value)
{
    if (axis.scale == AxisScale::Log && axis.minimum > 0 && value > 0)
        return std::log(value / axis.minimum) / std::log(axis.maximum / axis.minimum);
    return (value - axis.minimum) / (axis.maximum - axis.minimum);
}

void keepWithin(std::vector<Tick>& ticks, const Axis& axis)
{
    constexpr double slack = 1e-6;
    ticks.erase(std::remove_if(ticks.begin(), ticks.end(),
                               [&axis](const Tick& t) {
                                   const double f = fraction(axis, t.position);
                                   return !(f >= -slack && f <= 1 + slack);
                               }),
                ticks.end());
}

double width(const QFontMetricsF& metrics, const std::string& text)
{
    double widest = 0;
    for (const QString& line : QString::fromStdString(text).split(u'\n'))
        widest = std::max(widest, metrics.horizontalAdvance(line));
    return widest;
}

double widest(const QFontMetricsF& metrics, const std::vector<Tick>& ticks)
{
    double result = 0;
    for (const Tick& tick : ticks)
        result = std::max(result, width(metrics, tick.label));
    return result;
}

/// Blanks labels that would touch their neighbour: every second, third … stays, at equal steps.
void thin(std::vector<Tick>& ticks, const Axis& axis, const QFontMetricsF& metrics, double length)
{
    const auto fits = [&](std::size_t step) {
        double end = -1e9;
        for (std::size_t i = 0; i < ticks.size(); i += step) {
            const double centre = fraction(axis, ticks[i].position) * length;
            const double half = width(metrics, ticks[i].label) / 2;
            if (centre - half < end + tickGap)
                return false;
            end = centre + half;
        }
        return true;
    };
    std::size_t step = 1;
    while (step < ticks.size() && !fits(step))
        ++step;
    for (std::size_t i = 0; i < ticks.size(); ++i)
        if (i % step != 0)
            ticks[i].label.clear();
}

/// Names of bars in at most two lines within `room`; false = some name does not fit.
bool wrapCategories(std::vector<Tick>& ticks, const QFont& font, double room)
{
    std::vector<Tick> result = ticks;
    for (Tick& tick : result) {
        const QString text = QString::fromStdString(tick.label);
        const QStringList lines = wrapped(text, font, room, 2);
        if (QString(lines.join(u' ')).simplified() != text.simplified())
            return false;
        tick.label = lines.join(u'\n').toStdString();
    }
    ticks = std::move(result);
    return true;
}

/// Names beside lying bars: in full, at most two lines each, `apart` px from bar to bar. Empty where some name does not
/// fit.
std::vector<Tick> namesBeside(const std::vector<Tick>& ticks, const QFont& font, double room, double apart)
{
    const double line = QFontMetricsF(font).height();
    if (line * inkShare > apart)
        return {};
    std::vector<Tick> result = ticks;
    for (Tick& tick : result) {
        const QString text = QString::fromStdString(tick.label);
        const QStringList lines = wrapped(text, font, room, apart < 2 * line ? 1 : 2);
        if (QString(lines.join(u' ')).simplified() != text.simplified())
            return {};
        tick.label = lines.join(u'\n').toStdString();
    }
    return result;
}

/// Puts the names beside the bars: first wider, then in smaller type, before one is cut or left out. False = one is.
bool nameBars(ChartScene& scene, std::vector<Tick>& ticks, const QFont& usual, double cardWidth, double apart)
{
    constexpr std::array scales{1.0, 0.93, 0.86, 0.8, 0.74, 0.68, 0.62, 0.56};
    QFont font = usual;
    const double line = QFontMetricsF(usual).height();
    for (const double scale : scales) {
        if (scale < 1 && line * scale < smallestLine)
            break;
        font = usual;
        usual.pixelSize() > 0 ? font.setPixelSize(int(std::lround(usual.pixelSize() * scale)))
                              : font.setPointSizeF(usual.pointSizeF() * scale);
        for (const double share : {categoryShare, mostCategories})
            if (auto names = namesBeside(ticks, font, cardWidth * share, apart); !names.empty()) {
                scene.keyFont = font;
                ticks = std::move(names);
                return true;
            }
    }
    scene.keyFont = font;
    return ticks.empty();
}

/// Where not every bar can be named: one line each, elided, as many as there is room for.
void shortenNames(std::vector<Tick>& ticks, const QFont& font, double room, double apart)
{
    const double line = QFontMetricsF(font).height() * inkShare;
    const auto every = std::max<std::size_t>(1, std::size_t(std::ceil(line / apart)));
    for (std::size_t i = 0; i < ticks.size(); ++i)
        ticks[i].label = i % every == 0
                             ? wrapped(QString::fromStdString(ticks[i].label), font, room, 1).join(u'\n').toStdString()
                             : std::string();
}

double endLabelRoom(const ChartScene& scene, const QFont& font, double cardWidth)
{
    const QFontMetricsF metrics(font);
    double room = 0;
    for (const Series& s : scene.spec.series)
        if (s.kind != SeriesKind::Bar && s.kind != SeriesKind::Points && !s.points.empty())
            room = std::max(room, metrics.horizontalAdvance(endLabel(s)));
    for (const Guide& g : scene.spec.guides)
        if (g.kind == GuideKind::Horizontal || g.kind == GuideKind::HorizontalBand)
            if (!scene.horizontal)
                room = std::max(room, metrics.horizontalAdvance(QString::fromStdString(g.label)));
    return room > 0 ? std::min(std::ceil(room), cardWidth * endLabelShare) + endLabelGap : 0;
}

double barLabelRoom(const ChartScene& scene, const QFontMetricsF& metrics)
{
    double room = 0;
    for (int s = 0; s < int(scene.spec.series.size()); ++s)
        if (scene.spec.series[std::size_t(s)].kind == SeriesKind::Bar)
            for (int i = 0; i < int(scene.spec.series[std::size_t(s)].points.size()); ++i)
                room = std::max(room, metrics.horizontalAdvance(scene.barLabel(s, i)));
    return room > 0 ? std::ceil(room) + endLabelGap : 0;
}

/// At most `lines`; mostly one is enough.
QStringList noteLines(const std::string& note, const QFont& font, double width, int lines)
{
    const QString words = QString::fromStdString(note);
    const bool fits = QFontMetricsF(font).horizontalAdvance(words) <= width;
    return fits && !words.isEmpty() ? QStringList(words) : wrapped(words, font, width, lines);
}

QString axisCaption(const Axis& axis, const std::string& title)
{
    QString label = QString::fromStdString(axis.label);
    const QString unit = QString::fromStdString(shownUnit(axis));
    if (unit.isEmpty())
        return label;
    if (label.isEmpty() || label == QString::fromStdString(title) || unit.contains(label, Qt::CaseInsensitive) ||
        label.contains(unit, Qt::CaseInsensitive))
        return label.contains(unit, Qt::CaseInsensitive) && !label.isEmpty() ? label : unit;
    return label + QStringLiteral(", ") + unit;
}

/// How many lines the sentence of a chart may have, of a card so many px high: a third and a fourth where the plot
/// keeps six lines of type.
int readingLines(double card, double title, double caption)
{
    constexpr int usual = 2, most = 4;
    constexpr double plotLines = 6, around = 12 + 6 + 10 + 16; // px between title, sentence, unit, plot and axis
    if (card < lowCard)
        return card < 150 ? 0 : 1;
    const double room = card - title - around - 3 * caption; // the unit, the ticks and the name of the axis
    return std::clamp(int(room / caption - plotLines), usual, most);
}

} // namespace

QStringList wrapped(const QString& text, const QFont& font, double width, int lines)
{
    if (text.isEmpty() || width <= 0)
        return {};
    const QFontMetricsF metrics(font);
    QTextLayout layout(text, font);
    layout.beginLayout();
    QStringList result;
    while (true) {
        QTextLine line = layout.createLine();
        if (!line.isValid())
            break;
        line.setLineWidth(width);
        const QString rest = text.mid(line.textStart());
        if (result.size() + 1 == lines) {
            result << metrics.elidedText(rest, Qt::ElideRight, width);
            break;
        }
        result << metrics.elidedText(text.mid(line.textStart(), line.textLength()).trimmed(), Qt::ElideRight, width);
    }
    layout.endLayout();
    return result;
}

QString endLabel(const Series& series)
{
    QString label = QString::fromStdString(series.label);
    const char letter = pinLetter(series.role);
    if (letter == 0 || label.startsWith(QChar::fromLatin1(letter) + QStringLiteral(" ")) ||
        label == QString(QChar::fromLatin1(letter)))
        return label;
    return label.isEmpty() ? QString(QChar::fromLatin1(letter))
                           : QString(QChar::fromLatin1(letter) + QStringLiteral(" \u00B7 ") + label);
}

ChartLayout layOut(ChartScene& scene, QSize size)
{
    const ChartSpec& spec = scene.spec;
    const QFont captionFont = styled(scene.font, TextStyle::Caption);
    const QFontMetricsF title(styled(scene.font, TextStyle::ChartTitle));
    const QFontMetricsF caption(captionFont);
    const double textWidth = size.width() - 2.0 * cardPadding;
    const bool bars = scene.hasBars();

    ChartLayout layout;
    const int titleLines = size.height() < lowCard ? 1 : 2;
    const QStringList titled = wrapped(QString::fromStdString(spec.title), styled(scene.font, TextStyle::ChartTitle),
                                       textWidth - cornerButton, titleLines);
    scene.title = titled.join(u'\n');
    const int linesAllowed = readingLines(size.height(), title.height(), caption.height());
    scene.reading = wrapped(QString::fromStdString(spec.reading), captionFont, textWidth, linesAllowed);
    scene.readingLines = std::min(linesAllowed, std::max(scene.readingLines, int(scene.reading.size())));
    double top = 10;
    if (!scene.title.isEmpty())
        top += double(titled.size()) * std::ceil(title.height()) + 2;
    layout.readingTop = top;
    top += scene.readingLines * std::ceil(caption.height());
    scene.unit = caption.elidedText(axisCaption(spec.y, spec.title), Qt::ElideRight, textWidth);
    if (!scene.unit.isEmpty()) {
        layout.unitBaseline = top + 6 + caption.ascent();
        top += 6 + std::ceil(caption.height());
    }
    top += 10;

    scene.note = noteLines(spec.note, captionFont, textWidth, size.height() < lowCard ? 1 : 2);
    layout.noteHeight = scene.note.isEmpty() ? 0 : caption.height() * double(scene.note.size()) + 4;
    const double bottom = 2 * caption.height() + 16;
    const double height = std::max(20.0, size.height() - top - bottom);
    const int upright = std::clamp(int(height / (2.6 * caption.height())), 2, 7);

    // Which way bars run depends on whether their names fit side by side.
    scene.horizontal = bars && spec.barDirection == BarDirection::Horizontal;
    scene.keyFont = captionFont;
    auto keyTicks = chooseTicks(spec.x, 6);
    auto valueTicks = chooseTicks(spec.y, upright);
    keepWithin(keyTicks, spec.x);
    keepWithin(valueTicks, spec.y);
    const double left = cardPadding + widest(caption, valueTicks) + 8;
    double right = std::max(endLabelRoom(scene, captionFont, size.width()) + cardPadding, 1.0 * cardPadding + 4);
    if (spec.heatMap)
        right = std::max(right, cardPadding + 24 +
                                    std::max(caption.horizontalAdvance(QString::fromStdString(
                                                 formatText(spec.heatMap->minimum, spec.heatMap->format))),
                                             caption.horizontalAdvance(QString::fromStdString(
                                                 formatText(spec.heatMap->maximum, spec.heatMap->format)))));
    double plotWidth = std::max(20.0, size.width() - left - right);
    if (bars && !scene.horizontal) {
        const double places = std::max(1.0, spec.x.maximum - spec.x.minimum);
        scene.horizontal = !wrapCategories(keyTicks, captionFont, plotWidth / places - 6);
    }
    if (scene.horizontal) {
        if (std::any_of(spec.guides.begin(), spec.guides.end(),
                        [](const Guide& g) { return g.kind == GuideKind::Horizontal && !g.label.empty(); }))
            top += std::ceil(caption.height());                         // for the guide's label above the bars
        const double under = caption.height() + 14 + layout.noteHeight; // as ChartCanvas
        const auto apart = [&] {
            return std::max(20.0, size.height() - top - under) / std::max(1.0, spec.x.maximum - spec.x.minimum);
        };
        // Each bar has its name; the sentence above gives way to it.
        while (!nameBars(scene, keyTicks, captionFont, size.width(), apart())) {
            if (scene.readingLines == 0) { // a card too small for all: the names between give way
                shortenNames(keyTicks, scene.keyFont, size.width() * mostCategories, apart());
                break;
            }
            --scene.readingLines;
            scene.reading = wrapped(QString::fromStdString(spec.reading), captionFont, textWidth, scene.readingLines);
            top -= std::ceil(caption.height());
            layout.unitBaseline -= std::ceil(caption.height());
        }
        const QFontMetricsF names(scene.keyFont);
        const auto plotBeside = [&](bool brief) {
            scene.briefBars = brief;
            right = barLabelRoom(scene, caption) + cardPadding;
            return size.width() - cardPadding - 8 - widest(names, keyTicks) - right;
        };
        plotWidth = plotBeside(false);
        if (plotWidth < narrowestBars)
            plotWidth = plotBeside(true);
        plotWidth = std::max(20.0, plotWidth);
        valueTicks = chooseTicks(spec.y, std::clamp(int(plotWidth / (widest(caption, valueTicks) + 28)), 2, 8));
        keepWithin(valueTicks, spec.y);
        thin(valueTicks, spec.y, caption, plotWidth);
    } else if (bars) {
        top += std::ceil(caption.height()); // for the values above the bars
    } else {
        keyTicks = chooseTicks(spec.x, std::clamp(int(plotWidth / 56), 2, 9));
        keepWithin(keyTicks, spec.x);
        thin(keyTicks, spec.x, caption, plotWidth);
    }
    layout.keyLabel = bars ? QString() : caption.elidedText(axisCaption(spec.x, {}), Qt::ElideRight, textWidth);
    scene.keyTicks = keyTicks;
    layout.keyTicks = std::move(keyTicks);
    layout.valueTicks = std::move(valueTicks);
    layout.margins = QMargins(0, int(std::ceil(top)), int(std::ceil(right)), 0);
    return layout;
}

} // namespace headroom::ui
