// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/local_number.hpp"

#include "core/units/format.hpp"
#include "ui/base/text.hpp"

#include <QRegularExpression>
#include <algorithm>

namespace headroom::ui
{
namespace
{

constexpr char16_t arabicDecimal = u'\u066B', arabicGroup = u'\u066C';

/// Digits of any script as ASCII, the Arabic separators as the Latin ones with the same meaning.
QString latin(const QString& text)
{
    QString result;
    for (const QChar c : text) {
        if (c.digitValue() >= 0 && c.isDigit())
            result += QChar(u'0' + c.digitValue());
        else if (c == arabicDecimal)
            result += u'.';
        else if (c != arabicGroup)
            result += c;
    }
    return result;
}

} // namespace

QString plainNumber(QString typed, const QLocale& locale, bool whole)
{
    typed = latin(typed);
    if (locale.decimalPoint() != QLatin1String(","))
        return typed;
    static const QRegularExpression groups(QStringLiteral("^\\s*[0-9]{1,3}(,[0-9]{3})+(?![0-9,.])"));
    if (whole && groups.match(typed).hasMatch())
        return typed;
    // Grouped by points, as such a desktop writes thousands: "0.125" and "4.0960" have none.
    static const QRegularExpression points(
        QStringLiteral("^\\s*[1-9][0-9]{0,2}(\\.[0-9]{3})+(?![0-9,.])(?!\\s*[kKMGT]\\b)"));
    if (const auto group = points.match(typed); whole && group.hasMatch())
        return group.captured().remove(u'.') + typed.mid(group.capturedEnd());
    const qsizetype comma = typed.lastIndexOf(u',');
    if (comma < 0 || typed.indexOf(u',') != comma || typed.indexOf(u'.', comma) >= 0)
        return typed; // none, or the other way of writing
    const QString before = typed.left(comma).remove(u'.');
    return before + u'.' + typed.mid(comma + 1);
}

std::optional<double> typedNumber(const QString& text, ValueFormat format, bool whole, bool binaryK)
{
    return readNumber(toUtf8(plainNumber(text, QLocale(), whole)), format, binaryK);
}

bool isBareNumber(const QString& text)
{
    return std::ranges::none_of(text, [](QChar c) { return c.isLetter() && c != u'e'; });
}

QString fullNumber(double value)
{
    return toQString(withLocalMark(exactNumber(value)));
}

} // namespace headroom::ui
