// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/present/stage_hint.hpp"

#include "ui/theme/fonts.hpp"

namespace headroom::ui
{

StageHint::StageHint(QWidget* stage) : QLabel(stage)
{
    setText(tr("← → views   Tab sliders   B black   L dot   R as saved   K keep in the window   Esc leave"));
    setForegroundRole(QPalette::PlaceholderText);
}

void StageHint::place(int side)
{
    const QWidget& stage = *parentWidget();
    const int room = stage.width() - 2 * side;
    setFont(styled(stage.font(), TextStyle::Caption));
    setWordWrap(false);
    adjustSize();
    if (width() > room) {
        setWordWrap(true);
        resize(room, heightForWidth(room));
    }
    move(stage.width() - side - width(), stage.height() - height() - 6);
}

} // namespace headroom::ui
