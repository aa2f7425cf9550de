// SPDX-License-Identifier: GPL-3.0-or-later
// ElidedLabel: one line of text that gives way to its neighbours and ends in "…" where it has no room.
#pragma once

#include <QLabel>

namespace headroom::ui
{

class ElidedLabel final : public QLabel
{
    Q_OBJECT

public:
    explicit ElidedLabel(const QString& text, QWidget* parent = nullptr);
    [[nodiscard]] QSize minimumSizeHint() const override { return {24, QLabel::minimumSizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;
};

} // namespace headroom::ui
