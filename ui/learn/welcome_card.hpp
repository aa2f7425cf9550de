// SPDX-License-Identifier: GPL-3.0-or-later
// WelcomeCard: the first start: a card with four doors over the filled window — explore, my own run, learn, plan.
#pragma once

#include <QWidget>
#include <cstdint>

namespace headroom::ui
{

enum class Door : std::uint8_t { Explore, OwnRun, Learn, Plan };

/// Covers its parent, keeps the keyboard, and deletes itself once a door was chosen; Escape explores.
class WelcomeCard final : public QWidget
{
    Q_OBJECT

public:
    WelcomeCard(int lessons, QWidget* parent);

signals:
    void chosen(headroom::ui::Door door);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    bool focusNextPrevChild(bool next) override;

private:
    void choose(Door door);

    QWidget* m_card;
    QList<QWidget*> m_doors;
};

} // namespace headroom::ui
