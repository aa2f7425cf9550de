// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/run_controller.hpp"

#include "core/fit/user_fit.hpp"
#include "core/metrics/words.hpp"
#include "core/runs/log_import.hpp"
#include "core/scenario/measurement.hpp"
#include "core/scenario/scenario_json.hpp"
#include "ui/base/text.hpp"
#include "ui/document/document_controller.hpp"
#include "ui/document/dropped_file.hpp"
#include "ui/document/run_words.hpp"
#include "ui/platform/files.hpp"

#include <QFileInfo>
#include <QMenu>
#include <QUndoStack>
#include <algorithm>
#include <memory>
#include <numeric>

namespace headroom::ui
{
namespace
{

constexpr qint64 mostOfLog = (64 << 20) + 1; // importLog refuses more than 64 MiB

/// The measurements of a scenario: all that a fit may look at, at the built-in efficiencies.
void addPrepared(const Scenario& scenario, const Catalog& catalog, std::vector<PreparedScenario>& runs,
                 std::vector<std::string>* names = nullptr)
{
    if (!isMeasuredHere(scenario))
        return;
    auto prepared = prepare(scenario, catalog, Calibration::builtIn());
    if (!prepared)
        return;
    runs.push_back(std::move(*prepared));
    if (names != nullptr)
        names->push_back(scenario.name);
}

} // namespace

RunController::RunController(ScenarioStore& store, const Catalog& catalog, RunLibrary& library, Dialogs& dialogs,
                             QObject* parent)
    : QObject(parent), m_store(store), m_catalog(catalog), m_library(library), m_dialogs(dialogs)
{
    connect(&store.undoStack(), &QUndoStack::indexChanged, this, &RunController::followUndo);
    connect(&store, &ScenarioStore::measurementMoved, this, &RunController::followMove);
    connect(&library, &RunLibrary::failed, this, [this](const QString& reason) {
        m_dialogs.showError(m_window, tr("Your runs could not be kept. They are there until Headroom ends."), reason);
    });
}

void RunController::askAndImport(const QString& folder)
{
    const QString path = m_dialogs.openLog(m_window, folder);
    if (!path.isEmpty())
        import(path);
}

bool RunController::isLog(const QString& path)
{
    if (path.endsWith(QLatin1String(".headroom"), Qt::CaseInsensitive))
        return false; // a scenario is opened, measured or not
    const QString name = QFileInfo(path).fileName();
    const auto looks = [&name](const QByteArray& bytes) { return looksLikeLog(toUtf8(name), toView(bytes)); };
    const auto beginning = readFile(path, telling);
    if (!beginning)
        return false;
    if (looks(*beginning))
        return true;
    // A log may print its figures late. Scenarios and binary files are not logs.
    if (beginning->size() < telling || beginning->contains('\0') || kindOf(name, *beginning) != FileKind::Other)
        return false;
    const auto whole = readFile(path, mostOfLog);
    return whole && looks(*whole);
}

bool RunController::openLog(const QString& path)
{
    const bool lines = path.endsWith(QLatin1String(".jsonl"), Qt::CaseInsensitive);
    if ((!lines && kindOfFile(path) != FileKind::Other) || !isLog(path))
        return false;
    import(path);
    return true;
}

bool RunController::import(const QString& path)
{
    const QString name = QFileInfo(path).fileName();
    const auto refuse = [&](const Diagnostics& why) {
        m_dialogs.showError(m_window, tr("No measurements could be imported from “%1”.").arg(name),
                            diagnosticsText(why));
        return false;
    };
    const auto bytes = readFile(path, mostOfLog);
    if (!bytes) {
        Diagnostics why = bytes.error();
        why.front().file = toUtf8(name);
        return refuse(why);
    }
    const auto reading = importLog(toView(*bytes), toUtf8(name), m_store.scenario(), m_catalog);
    if (!reading)
        return refuse(reading.error());
    const Diagnostics refused = m_library.add(reading->runs);
    if (refused.size() >= reading->runs.size())
        return refuse(refused);
    QString words =
        tr("%1 imported from “%2” (%3)").arg(runCount(reading->runs.size()), name, toQString(reading->format));
    for (const Diagnostics& diagnostics : {reading->warnings, refused})
        if (!diagnostics.empty())
            words += QStringLiteral("; ") + toQString(toText(diagnostics.front()));
    emit said(words);
    return true;
}

std::vector<PreparedScenario> RunController::matchingRuns(std::vector<std::string>* names) const
{
    const Scenario& here = m_store.scenario();
    std::vector<PreparedScenario> runs;
    for (const Scenario& run : m_library.own())
        if (run.task == here.task && run.accelerator == here.accelerator)
            addPrepared(run, m_catalog, runs, names);
    if (!isKept(here)) // not twice
        addPrepared(here, m_catalog, runs, names);
    return runs;
}

QString RunController::whyNot() const
{
    const Scenario& here = m_store.scenario();
    QStringList others;
    for (const Scenario& run : m_library.own()) {
        const auto accelerator = resolveAccelerator(run.accelerator, m_catalog);
        const QString what = tr("%1 on %2")
                                 .arg(run.task == Task::Training ? tr("training") : tr("serving"),
                                      accelerator ? toQString(accelerator->name) : QString());
        if ((run.task != here.task || run.accelerator != here.accelerator) && !others.contains(what))
            others << what;
    }
    if (others.isEmpty())
        return tr("Measure this scenario (group “Measured” of the parameters), or import a log of a run on the same "
                  "accelerator.");
    return tr("Your runs are of %1: open one of them (Scenario › Your runs), or choose its accelerator.")
        .arg(others.join(tr(", ")));
}

bool RunController::calibrate()
{
    std::vector<std::string> names;
    const auto runs = matchingRuns(&names);
    const auto fit = fitToRuns(runs, names);
    if (!fit) {
        m_dialogs.showError(m_window, tr("There is nothing to calibrate to."),
                            runs.empty() ? whyNot() : diagnosticsText(fit.error()));
        return false;
    }
    expect(*fit, tr("Calibrate to your runs"));
    emit said(tr("Calibrated to your runs: %1").arg(toQString(userFitText(*fit))));
    return true;
}

Efficiency RunController::expect(const UserFit& fit, const QString& text)
{
    m_fitText = toQString(capitalized(userFitText(fit)));
    Efficiency efficiency = fit.efficiency;
    efficiency.base = m_store.scenario().efficiency.base;
    m_store.edit(0, text, [&](Scenario& scenario) {
        scenario.efficiency = efficiency;
        scenario.fittedOn = fit.fittedOn;
    });
    return efficiency;
}

bool RunController::isKept(const Scenario& scenario) const
{
    return std::ranges::any_of(m_library.own(), [&](const Scenario& run) {
        return run.measured == scenario.measured && sameRun(runSettings(run), runSettings(scenario));
    });
}

void RunController::followMeasurement()
{
    if (m_store.isAside()) // a lesson asks what a measurement would mean
        return;
    const bool joined = joinHistory();
    sayFollowed(joined, calibrateToMeasurement());
}

void RunController::followFirstFigures()
{
    sayFollowed(false, calibrateToMeasurement());
}

void RunController::followMove()
{
    if (m_store.isAside())
        return;
    const bool joined = joinHistory(true);
    sayFollowed(joined, calibrateToMeasurement());
}

void RunController::sayFollowed(bool joined, const QString& fit)
{
    if (joined && !fit.isEmpty())
        emit said(tr("Kept among your runs, and expectations are calibrated to it; undo takes that back: %1").arg(fit));
    else if (joined && !m_stays.isEmpty())
        emit said(tr("Kept among your runs; expectations stay: %1").arg(m_stays));
    else if (joined)
        emit said(tr("Kept among your runs; undo takes that back"));
    else if (!m_stays.isEmpty())
        emit said(tr("Expectations stay: %1").arg(m_stays));
    else if (!fit.isEmpty())
        emit said(tr("Expectations are calibrated to this run; undo takes that back: %1").arg(fit));
}

void RunController::replaceRun(const std::optional<Scenario>& out, const std::optional<Scenario>& in)
{
    const auto& own = m_library.own();
    if (const auto at = out ? std::ranges::find(own, *out) : own.end(); at != own.end())
        m_library.remove({static_cast<std::size_t>(at - own.begin())});
    if (in && !isKept(*in))
        (void)m_library.add({*in});
}

bool RunController::joinHistory(bool moved)
{
    const Scenario& here = m_store.scenario();
    if (!isMeasuredHere(here) || isKept(here))
        return false;
    std::vector<PreparedScenario> prepared;
    addPrepared(here, m_catalog, prepared);
    if (prepared.empty() || !evaluate(prepared.front()).credible()) // what cannot have been is no run
        return false;
    const QUndoStack& undo = m_store.undoStack();
    Joined joined{undo.command(undo.index() - 1), undo.index(), here, {}};
    joined.run.efficiency = {}; // a measurement is of a machine, not of what somebody expected of it
    joined.run.fittedOn = {};
    if (!m_joined.empty() && m_joined.back().present) {
        const Scenario& before = m_joined.back().run;
        if (sameRun(runSettings(before), runSettings(joined.run)) || (moved && before.measured == joined.run.measured))
            joined.replaced = before;
    }
    replaceRun(joined.replaced, joined.run);
    m_joined.push_back(std::move(joined));
    return true;
}

void RunController::followUndo(int index)
{
    const QUndoStack& undo = m_store.undoStack();
    // Runs of another document, or of a branch that undo has discarded, stay in the history.
    std::erase_if(m_joined, [&undo](const Joined& joined) {
        return joined.index > undo.count() || undo.command(joined.index - 1) != joined.step;
    });
    for (auto joined = m_joined.rbegin(); joined != m_joined.rend(); ++joined)
        if (joined->present && joined->index > index) {
            joined->present = false;
            replaceRun(joined->run, joined->replaced);
        }
    for (Joined& joined : m_joined)
        if (!joined.present && joined.index <= index) {
            joined.present = true;
            replaceRun(joined.replaced, joined.run);
        }
}

QString RunController::calibrateToMeasurement()
{
    const Scenario here = m_store.scenario();
    const bool ours = m_followed && here.efficiency == *m_followed;
    m_stays.clear();
    if (!here.efficiency.isPlain() && !ours)
        return {};
    if (!isMeasuredHere(here)) {
        if (ours)
            uncalibrate();
        return {};
    }
    std::vector<PreparedScenario> runs;
    addPrepared(here, m_catalog, runs);
    const auto fit = fitToRuns(runs);
    if (!fit) {
        if (ours) // those of another figure
            uncalibrate();
        if (fit.error().front().code == "out-of-reach") // what cannot have been is said elsewhere
            m_stays = toQString(toText(fit.error().front()));
        return {};
    }
    m_followed = expect(*fit, tr("Calibrate to this run"));
    return toQString(userFitText(*fit));
}

void RunController::uncalibrate()
{
    m_store.edit(0, tr("Built-in calibration"), [](Scenario& scenario) {
        scenario.efficiency = scenario.efficiency.plain();
        scenario.fittedOn = {};
    });
}

void RunController::open(std::size_t index)
{
    const Scenario run = m_library.own().at(index);
    m_store.replace(tr("Open a run of yours"), run);
}

void RunController::remove(const std::vector<std::size_t>& places)
{
    std::vector<RunLibrary::Kept> gone;
    for (const std::size_t place : places)
        gone.push_back(m_library.at(place));
    if (gone.empty())
        return;
    const QString count = runCount(gone.size());
    const auto takeTurns = [this, gone = std::move(gone), there = std::make_shared<bool>(true)] {
        *there ? m_library.removeThese(gone) : m_library.restore(gone);
        *there = !*there;
    };
    m_store.pushBeside(tr("Remove %1").arg(count), takeTurns);
    emit said(tr("%1 removed from the history; undo takes that back").arg(count));
}

void RunController::fillMenu(QMenu* menu)
{
    menu->clear();
    const auto& runs = m_library.own();
    for (std::size_t i = 0; i < runs.size(); ++i) {
        QString name = toQString(runs[i].name.empty() ? runs[i].source : runs[i].name);
        QMenu* run = menu->addMenu(name.replace(u'&', QStringLiteral("&&")));
        run->addAction(tr("&Open as the scenario"), this, [this, i] { open(i); });
        run->addAction(tr("&Remove"), this, [this, i] { remove({i}); });
    }
    if (runs.empty()) {
        menu->addAction(tr("No runs of yours yet: File › Import measurements"))->setEnabled(false);
        return;
    }
    menu->addSeparator();
    menu->addAction(tr("Remove all"), this, [this] {
        std::vector<std::size_t> all(m_library.own().size());
        std::iota(all.begin(), all.end(), std::size_t(0));
        remove(all);
    });
}

} // namespace headroom::ui
