// SPDX-License-Identifier: GPL-3.0-or-later
// StatusLine: the bottom line: fits, what bounds the speed, how long an update took, whether it is saved.
#pragma once

#include "core/predict/evaluation.hpp"

#include <QStatusBar>

class QLabel;

namespace headroom::ui
{

class StatusLine final : public QStatusBar
{
    Q_OBJECT

public:
    explicit StatusLine(QWidget* parent = nullptr);
    void showEvaluation(const Evaluation& evaluation);
    /// The scenario is refused; the figures shown are older.
    void showRefused();
    void showUpdate(double milliseconds);
    void showSaved(bool modified, bool hasFile);

signals:
    /// The built-in calibration is asked for again.
    void builtInRequested();

private:
    QLabel* m_fits;
    QLabel* m_bound;
    QLabel* m_calibration; ///< only where the efficiencies are the user's own
    QLabel* m_update;
    QLabel* m_saved;
};

} // namespace headroom::ui
