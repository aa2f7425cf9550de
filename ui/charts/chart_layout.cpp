// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_layout.hpp"

#include "core/charts/pin_marks.hpp"
#include "core/units/format.hpp"
#include "ui/charts/bar_names.hpp"
#include "ui/charts/chart_style.hpp"
#include "ui/theme/fonts.hpp"

#include <QFontMetricsF>
#include <QTextLayout>
#include <algorithm>
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

double endLabelRoom(const ChartSpec& spec, bool horizontal, const QFont& font, double cardWidth)
{
    const QFontMetricsF metrics(font);
    double room = 0;
    for (const Series& s : spec.series)
        if (s.kind != SeriesKind::Bar && s.kind != SeriesKind::Points && !s.points.empty())
            room = std::max(room, metrics.horizontalAdvance(endLabel(s)));
    for (const Guide& g : spec.guides)
        if (g.kind == GuideKind::Horizontal || g.kind == GuideKind::HorizontalBand)
            if (!horizontal)
                room = std::max(room, metrics.horizontalAdvance(QString::fromStdString(g.label)));
    return room > 0 ? std::min(std::ceil(room), cardWidth * endLabelShare) + endLabelGap : 0;
}

double barLabelRoom(const ChartSpec& spec, bool brief, const QFontMetricsF& metrics)
{
    double room = 0;
    for (const Series& s : spec.series)
        if (s.kind == SeriesKind::Bar)
            for (const Point& bar : s.points)
                room = std::max(room, metrics.horizontalAdvance(barLabel(spec, bar, brief)));
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

namespace
{

/// Arranges the parts of one card, from the title downwards; one object a card.
class Arrangement final
{
public:
    Arrangement(const ChartScene& scene, QSize size)
        : m_scene(scene), m_spec(scene.spec), m_size(size), m_captionFont(styled(scene.font, TextStyle::Caption)),
          m_caption(m_captionFont), m_line(std::ceil(m_caption.height())), m_textWidth(size.width() - 2.0 * cardPadding)
    {
    }

    [[nodiscard]] ChartLayout run()
    {
        placeTexts();
        chooseFirstTicks();
        if (m_layout.horizontal)
            placeLyingBars();
        else if (m_scene.hasBars())
            m_top += m_line; // for the values above the bars
        else
            placeKeys();
        if (!m_scene.hasBars())
            m_layout.keyLabel = m_caption.elidedText(axisCaption(m_spec.x, {}), Qt::ElideRight, m_textWidth);
        m_layout.keyTicks = std::move(m_keyTicks);
        m_layout.valueTicks = std::move(m_valueTicks);
        m_layout.margins = QMargins(0, int(std::ceil(m_top)), int(std::ceil(m_right)), 0);
        return std::move(m_layout);
    }

private:
    static constexpr double leastPlot = 20; ///< px each way

    const ChartScene& m_scene;
    const ChartSpec& m_spec;
    const QSize m_size;
    const QFont m_captionFont;
    const QFontMetricsF m_caption;
    const double m_line;      ///< px of a line of captions
    const double m_textWidth; ///< px between the card's paddings
    ChartLayout m_layout;
    std::vector<Tick> m_keyTicks, m_valueTicks;
    double m_top = 10;                   ///< px above the plot
    double m_right = 0, m_plotWidth = 0; ///< px beside the plot, and of it

    /// Title, sentence, unit and note.
    void placeTexts()
    {
        const QFont titleFont = styled(m_scene.font, TextStyle::ChartTitle);
        const double titleHeight = QFontMetricsF(titleFont).height();
        const int mostLines = m_size.height() < lowCard ? 1 : 2;
        const QStringList title =
            wrapped(QString::fromStdString(m_spec.title), titleFont, m_textWidth - cornerButton, mostLines);
        m_layout.title = title.join(u'\n');
        const int linesAllowed = readingLines(m_size.height(), titleHeight, m_caption.height());
        takeReading(linesAllowed);
        m_layout.readingLines =
            std::min(linesAllowed, std::max(m_scene.layout.readingLines, int(m_layout.reading.size())));
        if (!m_layout.title.isEmpty())
            m_top += double(title.size()) * std::ceil(titleHeight) + 2;
        m_layout.readingTop = m_top;
        m_top += m_layout.readingLines * m_line;
        m_layout.unit = m_caption.elidedText(axisCaption(m_spec.y, m_spec.title), Qt::ElideRight, m_textWidth);
        if (!m_layout.unit.isEmpty()) {
            m_layout.unitBaseline = m_top + 6 + m_caption.ascent();
            m_top += 6 + m_line;
        }
        m_top += 10;
        m_layout.note = noteLines(m_spec.note, m_captionFont, m_textWidth, mostLines);
        m_layout.noteHeight = m_layout.note.isEmpty() ? 0 : m_caption.height() * double(m_layout.note.size()) + 4;
    }

    void takeReading(int lines)
    {
        m_layout.reading = wrapped(QString::fromStdString(m_spec.reading), m_captionFont, m_textWidth, lines);
    }

    /// As if the keys stood below the plot; which way bars run depends on whether their names fit side by side.
    void chooseFirstTicks()
    {
        m_layout.horizontal = m_scene.hasBars() && m_spec.barDirection == BarDirection::Horizontal;
        const double bottom = 2 * m_caption.height() + 16;
        const double height = std::max(leastPlot, m_size.height() - m_top - bottom);
        m_keyTicks = chooseTicks(m_spec.x, 6);
        m_valueTicks = chooseTicks(m_spec.y, std::clamp(int(height / (2.6 * m_caption.height())), 2, 7));
        keepWithin(m_keyTicks, m_spec.x);
        keepWithin(m_valueTicks, m_spec.y);
        const double left = cardPadding + widest(m_caption, m_valueTicks) + 8;
        m_right = std::max(endLabelRoom(m_spec, m_layout.horizontal, m_captionFont, m_size.width()) + cardPadding,
                           1.0 * cardPadding + 4);
        if (m_spec.heatMap)
            m_right = std::max(m_right, cardPadding + 24 + scaleRoom(*m_spec.heatMap));
        m_plotWidth = std::max(leastPlot, m_size.width() - left - m_right);
        m_layout.keyFont = m_captionFont;
        if (m_scene.hasBars() && !m_layout.horizontal)
            m_layout.horizontal = !wrapCategories(m_keyTicks, m_captionFont, m_plotWidth / places() - 6);
    }

    /// Bars, or what they are grouped by, side by side.
    [[nodiscard]] double places() const { return std::max(1.0, m_spec.x.maximum - m_spec.x.minimum); }

    /// px of the numbers at the ends of the scale of colours.
    [[nodiscard]] double scaleRoom(const HeatMap& map) const
    {
        const auto room = [&](double value) {
            return m_caption.horizontalAdvance(QString::fromStdString(formatText(value, map.format)));
        };
        return std::max(room(map.minimum), room(map.maximum));
    }

    /// Each bar has its name; the sentence above gives way to it.
    void placeLyingBars()
    {
        if (std::ranges::any_of(m_spec.guides,
                                [](const Guide& g) { return g.kind == GuideKind::Horizontal && !g.label.empty(); }))
            m_top += m_line; // for the guide's label above the bars
        while (!nameBars(m_layout.keyFont, m_keyTicks, m_captionFont, m_size.width(), apart())) {
            if (m_layout.readingLines == 0) { // a card too small for all: the names between give way
                shortenNames(m_keyTicks, m_layout.keyFont, m_size.width(), apart());
                break;
            }
            takeReading(--m_layout.readingLines);
            m_top -= m_line;
            m_layout.unitBaseline -= m_line;
        }
        m_plotWidth = plotBeside(false);
        if (m_plotWidth < narrowestBars)
            m_plotWidth = plotBeside(true);
        m_plotWidth = std::max(leastPlot, m_plotWidth);
        const double each = widest(m_caption, m_valueTicks) + 28;
        m_valueTicks = chooseTicks(m_spec.y, std::clamp(int(m_plotWidth / each), 2, 8));
        keepWithin(m_valueTicks, m_spec.y);
        thin(m_valueTicks, m_spec.y, m_caption, m_plotWidth);
    }

    /// px from one lying bar to the next.
    [[nodiscard]] double apart() const
    {
        const double under = m_caption.height() + 14 + m_layout.noteHeight; // as ChartCanvas
        return std::max(leastPlot, m_size.height() - m_top - under) / places();
    }

    /// px that the names of lying bars and their values leave of the card's width; `brief`: values in few digits.
    [[nodiscard]] double plotBeside(bool brief)
    {
        m_layout.briefBars = brief;
        m_right = barLabelRoom(m_spec, brief, m_caption) + cardPadding;
        return m_size.width() - cardPadding - 8 - widest(QFontMetricsF(m_layout.keyFont), m_keyTicks) - m_right;
    }

    /// Numbers below the plot.
    void placeKeys()
    {
        m_keyTicks = chooseTicks(m_spec.x, std::clamp(int(m_plotWidth / 56), 2, 9));
        keepWithin(m_keyTicks, m_spec.x);
        thin(m_keyTicks, m_spec.x, m_caption, m_plotWidth);
    }
};

} // namespace

ChartLayout layOut(const ChartScene& scene, QSize size)
{
    return Arrangement(scene, size).run();
}

} // namespace headroom::ui
