// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/run_library.hpp"

#include "core/scenario/scenario_json.hpp"
#include "ui/base/text.hpp"
#include "ui/platform/files.hpp"

#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QLockFile>
#include <QThread>
#include <algorithm>

namespace headroom::ui
{

RunLibrary::RunLibrary(const Catalog& catalog, QString file, QObject* parent)
    : QObject(parent), m_catalog(catalog), m_file(std::move(file))
{
}

RunLibrary::~RunLibrary()
{
    if (m_reader)
        m_reader->wait();
}

void RunLibrary::read()
{
    if (m_reader)
        return;
    m_reader = QThread::create([] { (void)publishedRuns(); });
    m_reader->setParent(this);
    connect(m_reader, &QThread::finished, this, [this] { setPublished(publishedRuns()); });
    m_reader->start(QThread::LowPriority);
    refresh();
}

void RunLibrary::setPublished(std::shared_ptr<const MeasuredRuns> runs)
{
    auto shelf = std::make_shared<RunShelf>(*m_shelf);
    shelf->published = std::move(runs);
    m_shelf = std::move(shelf);
    emit changed();
}

bool RunLibrary::readOwn()
{
    if (m_file.isEmpty() || !QFileInfo::exists(m_file))
        return true;
    const auto bytes = readFile(m_file, QFileInfo(m_file).size());
    if (!bytes)
        return false;
    if (*bytes == m_seen)
        return true;
    m_seen = *bytes;
    m_unread.clear();
    std::vector<Kept> runs;
    for (const QByteArray& line : bytes->split('\n')) {
        auto reading = readScenario(toView(line), m_catalog);
        auto prepared = reading ? prepare(reading->scenario, m_catalog, Calibration::builtIn())
                                : Expected<PreparedScenario>(tl::unexpected(Diagnostics{}));
        if (prepared && measuredRun(reading->scenario, std::move(*prepared)))
            runs.push_back({std::move(reading->scenario), std::move(reading->recorded)});
        else if (!line.trimmed().isEmpty())
            m_unread.push_back(line.trimmed());
    }
    if (!runs.empty() || !m_own.empty())
        setOwn(std::move(runs));
    return true;
}

std::vector<RunLibrary::Kept> RunLibrary::all() const
{
    std::vector<Kept> runs;
    for (std::size_t i = 0; i < m_own.size(); ++i)
        runs.push_back(at(i));
    return runs;
}

void RunLibrary::change(const std::function<void(std::vector<Kept>&)>& change)
{
    constexpr int patienceMs = 2000;
    if (!m_file.isEmpty())
        QDir().mkpath(QFileInfo(m_file).path());
    QLockFile lock(m_file + QStringLiteral(".lock"));
    // In a folder that nobody may write to there is no lock: writing then says why.
    const bool taken = !m_file.isEmpty() && !lock.tryLock(patienceMs) && lock.error() == QLockFile::LockFailedError;
    const bool read = readOwn(); // another window may have kept some meanwhile
    std::vector<Kept> runs = all();
    change(runs);
    setOwn(std::move(runs));
    if (taken)
        emit failed(tr("Another window is writing them."));
    else if (!read) // not ours to write over
        emit failed(tr("“%1” cannot be read.").arg(QDir::toNativeSeparators(m_file)));
    else
        write();
}

Diagnostics RunLibrary::add(const std::vector<Scenario>& runs)
{
    Diagnostics refused;
    const std::string now =
        QDateTime::currentDateTimeUtc().toString(QStringLiteral("yyyy-MM-ddTHH:mm:ssZ")).toStdString();
    change([&](std::vector<Kept>& kept) {
        for (const Scenario& run : runs) {
            if (const auto prepared = prepare(run, m_catalog, Calibration::builtIn()))
                kept.push_back({run, now});
            else
                refused.insert(refused.end(), prepared.error().begin(), prepared.error().end());
        }
    });
    return refused;
}

void RunLibrary::remove(const std::vector<std::size_t>& places)
{
    std::vector<Kept> gone; // what they are now: places move where another window wrote
    for (const std::size_t place : places)
        gone.push_back(at(place));
    removeThese(gone);
}

void RunLibrary::removeThese(const std::vector<Kept>& gone)
{
    change([&gone](std::vector<Kept>& runs) {
        for (const Kept& each : gone) {
            auto found = std::ranges::find(runs, each);
            if (found == runs.end()) // entered anew since, by undo and redo
                found = std::ranges::find(runs, each.scenario, &Kept::scenario);
            if (found != runs.end())
                runs.erase(found);
        }
    });
}

void RunLibrary::restore(const std::vector<Kept>& back)
{
    change([&back](std::vector<Kept>& runs) {
        for (const Kept& each : back)
            if (std::ranges::find(runs, each) == runs.end())
                runs.push_back(each);
    });
}

void RunLibrary::setNote(std::size_t index, const QString& note)
{
    if (toQString(m_own.at(index).notes) == note)
        return;
    change([noted = at(index), &note](std::vector<Kept>& runs) {
        if (const auto found = std::ranges::find(runs, noted); found != runs.end())
            found->scenario.notes = toUtf8(note);
    });
}

void RunLibrary::setOwn(std::vector<Kept> kept)
{
    auto runs = std::make_shared<MeasuredRuns>();
    m_own.clear();
    m_recorded.clear();
    for (Kept& each : kept) {
        auto prepared = prepare(each.scenario, m_catalog, Calibration::builtIn());
        if (!prepared) { // its entry has left the catalogue: the line stays
            m_unread.push_back(QByteArray::fromStdString(writeScenarioLine(each.scenario, each.recorded)));
            continue;
        }
        if (auto run = measuredRun(each.scenario, std::move(*prepared))) {
            runs->push_back(std::move(*run));
            m_own.push_back(std::move(each.scenario));
            m_recorded.push_back(std::move(each.recorded));
        }
    }
    auto shelf = std::make_shared<RunShelf>(*m_shelf);
    shelf->own = runs->empty() ? nullptr : std::move(runs);
    m_shelf = std::move(shelf);
    emit changed();
}

void RunLibrary::write()
{
    if (m_file.isEmpty())
        return;
    QDir().mkpath(QFileInfo(m_file).path());
    QByteArray bytes;
    for (const Kept& run : all())
        bytes += QByteArray::fromStdString(writeScenarioLine(run.scenario, run.recorded)) + '\n';
    for (const QByteArray& line : m_unread)
        bytes += line + '\n';
    if (const QString error = writeFile(m_file, bytes); !error.isEmpty())
        emit failed(error);
    else
        m_seen = bytes;
}

} // namespace headroom::ui
