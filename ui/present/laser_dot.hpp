// SPDX-License-Identifier: GPL-3.0-or-later
// LaserDot: a red dot that follows the mouse over a window, in place of the pointer.
#pragma once

#include <QWidget>

namespace headroom::ui
{

class LaserDot final : public QWidget
{
    Q_OBJECT

public:
    /// Lies over `over`, which must outlive it; off at first.
    explicit LaserDot(QWidget* over);
    ~LaserDot() override;
    void setOn(bool on);
    [[nodiscard]] bool isOn() const { return m_on; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void follow(QPoint global);

    QWidget& m_over;
    bool m_on = false;
};

} // namespace headroom::ui
