// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/bar_names.hpp"

#include "ui/charts/chart_layout.hpp"

#include <QFontMetricsF>
#include <array>
#include <cmath>
#include <utility>

namespace headroom::ui
{

namespace
{

constexpr double categoryShare = 0.42; ///< of the card, for names beside lying bars
constexpr double mostCategories = 0.5; ///< the same before a name is cut
constexpr double smallestLine = 10.5;  ///< px of a name's line, to be read

/// Names in at most `lines` lines of `room` px each; empty where some name does not fit.
std::vector<Tick> inLines(std::vector<Tick> ticks, const QFont& font, double room, int lines)
{
    for (Tick& tick : ticks) {
        const QString text = QString::fromStdString(tick.label);
        const QStringList broken = wrapped(text, font, room, lines);
        if (QString(broken.join(u' ')).simplified() != text.simplified())
            return {};
        tick.label = broken.join(u'\n').toStdString();
    }
    return ticks;
}

/// Names beside lying bars in full; empty where some name does not fit.
std::vector<Tick> namesBeside(const std::vector<Tick>& ticks, const QFont& font, double room, double apart)
{
    const double line = QFontMetricsF(font).height();
    return line * inkShare > apart ? std::vector<Tick>() : inLines(ticks, font, room, apart < 2 * line ? 1 : 2);
}

} // namespace

bool wrapCategories(std::vector<Tick>& ticks, const QFont& font, double room)
{
    std::vector<Tick> names = inLines(ticks, font, room, 2);
    const bool fit = names.size() == ticks.size();
    if (fit)
        ticks = std::move(names);
    return fit;
}

bool nameBars(QFont& font, std::vector<Tick>& ticks, const QFont& usual, double cardWidth, double apart)
{
    constexpr std::array scales{1.0, 0.93, 0.86, 0.8, 0.74, 0.68, 0.62, 0.56};
    font = usual;
    const double line = QFontMetricsF(usual).height();
    for (const double scale : scales) {
        if (scale < 1 && line * scale < smallestLine)
            break;
        font = usual;
        usual.pixelSize() > 0 ? font.setPixelSize(int(std::lround(usual.pixelSize() * scale)))
                              : font.setPointSizeF(usual.pointSizeF() * scale);
        for (const double share : {categoryShare, mostCategories})
            if (auto names = namesBeside(ticks, font, cardWidth * share, apart); !names.empty()) {
                ticks = std::move(names);
                return true;
            }
    }
    return ticks.empty();
}

void shortenNames(std::vector<Tick>& ticks, const QFont& font, double cardWidth, double apart)
{
    const double line = QFontMetricsF(font).height() * inkShare;
    const auto every = std::max<std::size_t>(1, std::size_t(std::ceil(line / apart)));
    for (std::size_t i = 0; i < ticks.size(); ++i)
        ticks[i].label = i % every == 0
                             ? wrapped(QString::fromStdString(ticks[i].label), font, cardWidth * mostCategories, 1)
                                   .join(u'\n')
                                   .toStdString()
                             : std::string();
}

} // namespace headroom::ui
