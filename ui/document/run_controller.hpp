// SPDX-License-Identifier: GPL-3.0-or-later
// RunController: importing the user's measurements, and moving the expectation onto them and back.
#pragma once

#include "ui/document/run_library.hpp"
#include "ui/document/scenario_store.hpp"
#include "ui/platform/dialogs.hpp"

#include <QPointer>
#include <QWidget>

class QMenu;

namespace headroom
{
struct UserFit;
}

namespace headroom::ui
{

class RunController final : public QObject
{
    Q_OBJECT

public:
    RunController(ScenarioStore& store, const Catalog& catalog, RunLibrary& library, Dialogs& dialogs,
                  QObject* parent = nullptr);

    /// Dialogs appear over this window.
    void setWindow(QWidget* window) { m_window = window; }

    /// Asks for a log and imports it.
    void askAndImport(const QString& folder);
    /// Whether it was a log that could be read. What the log leaves out is taken from the scenario in hand.
    bool import(const QString& path);
    /// Opens a file that is a log by importing it; false for all else, which is opened as a scenario.
    bool openLog(const QString& path);
    /// Whether the file looks like a log at all: by its first 64 KiB, or where they say nothing by all of it.
    [[nodiscard]] static bool isLog(const QString& path);

    /// Whether the expectation carries multipliers of its own.
    [[nodiscard]] bool isCalibrated() const { return !m_store.scenario().efficiency.isPlain(); }
    /// How many runs calibrate() would look at: those on the scenario's accelerator, and its own measurement.
    [[nodiscard]] std::size_t matching() const { return matchingRuns().size(); }
    /// Why there is nothing to calibrate to, and what would help.
    [[nodiscard]] QString whyNot() const;
    /// Fits multipliers to the matching runs: one undo step. False where there is nothing to fit to; the user is told.
    bool calibrate();
    /// A measurement of the scenario was entered or taken back: the expectation moves onto that run, or off it again,
    /// one undo step. Multipliers that somebody chose or fitted to several runs stay. The run joins the history of the
    /// user's runs; another figure of the same run takes the place of the one before, and undoing the entry takes the
    /// run out of the history again.
    void followMeasurement();
    /// The same of a run of which the user has said little more than the time: it does not join. Its other settings
    /// are Headroom's, and nobody has said that he ran them.
    void followFirstFigures();
    /// Whether the history has the measurement of a scenario.
    [[nodiscard]] bool isKept(const Scenario& scenario) const;
    /// What the last calibrate() found: "decode ×0.93 from 8 runs: median error …".
    [[nodiscard]] const QString& fitText() const { return m_fitText; }
    /// Back to the built-in calibration: one undo step.
    void uncalibrate();

    /// One menu a run: open it as the scenario, remove it.
    void fillMenu(QMenu* menu);
    /// Shows a run of the user's as the scenario, measurement and all: one undo step.
    void open(std::size_t index);
    /// Takes runs out of the history: one undo step, which leaves the document as it is.
    void remove(const std::vector<std::size_t>& places);

signals:
    /// What was done, for the status line.
    void said(const QString& words);

private:
    /// A run that was entered by hand, in the history as long as the undo step that entered it is done.
    struct Joined {
        const QUndoCommand* step = nullptr; ///< what entered it; known by its place, which it may have lost
        int index = 0;                      ///< of the undo history, when it was done
        Scenario run;
        std::optional<Scenario> replaced; ///< an earlier figure of the same run
        bool present = true;
    };

    /// The measurement is of other settings than was said before: the run of those, which nobody ran, gives way.
    void followMove();
    void sayFollowed(bool joined, const QString& fit);
    /// `names` are put beside the runs.
    [[nodiscard]] std::vector<PreparedScenario> matchingRuns(std::vector<std::string>* names = nullptr) const;
    /// In words, what was done; empty: nothing.
    QString calibrateToMeasurement();
    /// The scenario gets the multipliers of a fit, one undo step; its base stays. Returns what it has then.
    Efficiency expect(const UserFit& fit, const QString& text);
    /// The measured scenario in hand becomes a run of the history. It takes the place of the one that joined before
    /// where that is of the same settings, or, `moved`, has the same figures. False where it is there, or nothing was
    /// measured.
    bool joinHistory(bool moved = false);
    /// The undo history stands elsewhere: what was entered by hand comes and goes with it.
    void followUndo(int index);
    void replaceRun(const std::optional<Scenario>& out, const std::optional<Scenario>& in);

    ScenarioStore& m_store;
    const Catalog& m_catalog;
    RunLibrary& m_library;
    Dialogs& m_dialogs;
    QPointer<QWidget> m_window;
    QString m_stays; ///< why the measurement in hand moves no expectation; empty where it does, or is none
    QString m_fitText;
    std::optional<Efficiency> m_followed; ///< what followMeasurement() set
    std::vector<Joined> m_joined;         ///< by hand, in the order of their steps
};

} // namespace headroom::ui
