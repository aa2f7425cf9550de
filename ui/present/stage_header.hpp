// SPDX-License-Identifier: GPL-3.0-or-later
// StageHeader: the top of the stage: title, model and accelerators, what is wrong, which view of how many.
#pragma once

#include <QWidget>

class QHBoxLayout;
class QLabel;
class QToolButton;

namespace headroom::ui
{

class ElidedText;
class Recalculator;

class StageHeader final : public QWidget
{
    Q_OBJECT

public:
    explicit StageHeader(QWidget* parent = nullptr);

    /// "Batch size and MFU", "2 / 5"; an empty title leaves the machine alone in the headline.
    void setView(const QString& title, int index, int count);
    /// Model and accelerators as they are now, and whether they can do it.
    void show(const Recalculator& recalculator);
    using QWidget::show;
    /// Which of the view's charts stand together, from 1; where they all do, nothing is said.
    void setCharts(std::size_t first, std::size_t last, std::size_t count);
    enum class Room { Ample, Low, OneLine };
    /// Lower, where the screen is; on one line the title stands alone beside the verdict.
    void setRoom(Room room);
    [[nodiscard]] QString title() const;
    [[nodiscard]] QString machine() const { return m_machine; }
    [[nodiscard]] QString verdict() const;
    /// Says something for a moment in place of the verdict: "Kept in the window".
    void say(const QString& words);

signals:
    void previousRequested();
    void nextRequested();
    void leaveRequested();

protected:
    void changeEvent(QEvent* event) override;

private:
    void update();
    void updateIcons();

    QString m_view, m_machine, m_problem, m_said, m_charts;
    ElidedText* m_headline;
    ElidedText* m_below;
    QLabel* m_verdict;
    QHBoxLayout *m_first, *m_second; ///< lines
    QLabel* m_position;
    QToolButton *m_previous, *m_next, *m_leave;
};

} // namespace headroom::ui
