// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/base/firm_units.hpp"

#include <QRegularExpression>

namespace headroom::ui
{

QString keepUnits(QString text)
{
    static const QRegularExpression before(
        QStringLiteral("(?<=[0-9]) (?=(?:%|[kMGTP]B|[kMGTP]?FLOP|[mµ]?s|Gbit)(?![A-Za-z]))"));
    static const QRegularExpression within(QStringLiteral("(?<=[A-Za-z])/(?=[A-Za-z])"));
    return text.replace(before, QStringLiteral("\u00A0")).replace(within, QStringLiteral("/\u2060"));
}

} // namespace headroom::ui
