// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/parameters/parameter_text.hpp"

#include "core/scenario/slider_scale.hpp"
#include "core/units/format.hpp"
#include "ui/base/text.hpp"
#include "ui/base/tr.hpp"
#include "ui/widgets/local_number.hpp"

#include <QCoreApplication>
#include <cmath>

namespace headroom::ui
{

std::optional<double> typedValue(const ParameterRow& row, const QString& text)
{
    auto value = typedNumber(text, row.format, row.kind == ParameterKind::Integer, usesBinaryK(row));
    if (!value)
        return std::nullopt;
    if (row.format == ValueFormat::Percent && *value > row.maximum)
        *value /= 100; // "90" in a box of percentages
    return *value;
}

QString typedText(const ParameterRow& row, double value)
{
    switch (row.format) {
    case ValueFormat::Percent:
        return tr("%1 %").arg(fullNumber(std::round(value * 1e8) / 1e6));
    case ValueFormat::Seconds:
        return tr("%1 s").arg(fullNumber(value));
    default:
        return fullNumber(value);
    }
}

QString listedPriceText(const KnownPrice& price)
{
    return tr("%1 (list)").arg(toQString(formatText(price.perHour, ValueFormat::Money)));
}

} // namespace headroom::ui
