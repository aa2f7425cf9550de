// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls/parameter_text.hpp"

#include "core/units/format.hpp"
#include "ui/controls/local_number.hpp"
#include "ui/controls/slider_scale.hpp"
#include "ui/text.hpp"

#include <QCoreApplication>
#include <cmath>

namespace headroom::ui
{

std::optional<double> typedValue(const ParameterRow& row, const QString& text)
{
    const QString plain = plainNumber(text, QLocale(), row.kind == ParameterKind::Integer);
    auto value = readNumber(toUtf8(plain), row.format, usesBinaryK(row));
    if (!value)
        return std::nullopt;
    if (row.format == ValueFormat::Percent && *value > row.maximum)
        *value /= 100; // "90" in a box of percentages
    return *value;
}

QString typedText(const ParameterRow& row, double value)
{
    const auto tr = [](const char* text) { return QCoreApplication::translate("ParameterText", text); };
    switch (row.format) {
    case ValueFormat::Percent:
        return tr("%1 %").arg(toQString(exactNumber(std::round(value * 1e8) / 1e6)));
    case ValueFormat::Seconds:
        return tr("%1 s").arg(toQString(exactNumber(value)));
    default:
        return toQString(exactNumber(value));
    }
}

} // namespace headroom::ui
