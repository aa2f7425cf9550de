// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/plain_button.hpp"

#include <QPushButton>

namespace headroom::ui
{

QPushButton* makePlainButton(const QString& text, const QString& tip, const char* name)
{
    auto* made = new QPushButton(text);
    made->setObjectName(QLatin1String(name));
    made->setToolTip(tip);
    made->setAutoDefault(false);
    return made;
}

} // namespace headroom::ui
