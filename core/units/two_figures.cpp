// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/units/two_figures.hpp"

#include "core/units/format.hpp"

#include <fmt/format.h>

namespace headroom
{

TwoFigures twoFigures(double from, double to, ValueFormat format)
{
    TwoFigures texts{formatText(from, format), formatText(to, format)};
    const std::string gap =
        format == ValueFormat::Percent ? texts.from.substr(texts.from.find_last_of("0123456789") + 1) : std::string();
    for (int digits = 1; digits <= 2 && format == ValueFormat::Percent && texts.from == texts.to && from != to;
         ++digits)
        texts = {withLocalMark(fmt::format("{:.{}f}", 100 * from, digits)) + gap,
                 withLocalMark(fmt::format("{:.{}f}", 100 * to, digits)) + gap};
    return texts;
}

} // namespace headroom
