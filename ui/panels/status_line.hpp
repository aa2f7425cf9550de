// SPDX-License-Identifier: GPL-3.0-or-later
// StatusLine: the bottom line: fits, what bounds the speed, notes, how long an update took, whether it is saved.
#pragma once

#include "core/explain/result_notes.hpp"

#include <QStatusBar>

class QLabel;
class QToolButton;

namespace headroom::ui
{

class NotesPopup;

class StatusLine final : public QStatusBar
{
    Q_OBJECT

public:
    explicit StatusLine(QWidget* parent = nullptr);
    void showEvaluation(const Evaluation& evaluation, const std::vector<ResultNote>& notes);
    /// The scenario is refused; `olderFigures`: those of the scenario before are still to be seen.
    void showRefused(bool olderFigures);
    void showUpdate(double milliseconds);
    void showSaved(bool modified, bool hasFile);

signals:
    /// The built-in calibration is asked for again.
    void builtInRequested();
    /// The slider behind a note is asked for.
    void parameterRequested(const QString& parameterId);

public:
    /// Any width will do: it leaves out what is said elsewhere too, never what makes the window wider than its screen.
    [[nodiscard]] QSize minimumSizeHint() const override;
    /// currentMessage() as far as there is room; in full as a tip.
    [[nodiscard]] QString shownMessage() const;

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] QRect messagePlace() const;
    void arrange();
    void showNotes(const std::vector<ResultNote>& notes);

    QLabel* m_fits;
    QLabel* m_bound;
    QLabel* m_calibration;              ///< only where the efficiencies are the user's own
    QToolButton* m_notesButton;         ///< how many notes there are on the result, and the way to them
    NotesPopup* m_notesPopup = nullptr; ///< once asked for
    std::vector<ResultNote> m_notes;
    QLabel* m_update;
    QLabel* m_saved;
    bool m_arranging = false;
};

} // namespace headroom::ui
