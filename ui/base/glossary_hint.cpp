// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/base/glossary_hint.hpp"

#include <QCoreApplication>

namespace headroom::ui
{

QString glossaryHint()
{
    const QString words = QCoreApplication::translate("headroom::ui", "Shift+F1: more in the glossary");
    return QStringLiteral("<p><small>%1</small></p>").arg(words.toHtmlEscaped());
}

} // namespace headroom::ui
