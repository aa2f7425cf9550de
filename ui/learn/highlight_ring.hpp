// SPDX-License-Identifier: GPL-3.0-or-later
// HighlightRing: a frame over a widget that a lesson speaks of; it takes neither clicks nor keys and goes with it.
#pragma once

#include <QWidget>

namespace headroom::ui
{

class HighlightRing final : public QWidget
{
    Q_OBJECT

public:
    /// A child of `target`, over all of it.
    explicit HighlightRing(QWidget* target);

protected:
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
};

} // namespace headroom::ui
