// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/run_library.hpp"

#include "core/scenario/scenario_json.hpp"
#include "ui/platform/files.hpp"

#include <QDir>
#include <QFileInfo>
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
    readOwn();
}

void RunLibrary::setPublished(std::shared_ptr<const MeasuredRuns> runs)
{
    auto shelf = std::make_shared<RunShelf>(*m_shelf);
    shelf->published = std::move(runs);
    m_shelf = std::move(shelf);
    emit changed();
}

void RunLibrary::readOwn()
{
    const auto bytes = m_file.isEmpty() ? fail(unreadableFile, {}, {}) : readFile(m_file, QFileInfo(m_file).size());
    if (!bytes || *bytes == m_seen)
        return;
    m_seen = *bytes;
    m_unread.clear();
    std::vector<Scenario> runs;
    for (const QByteArray& line : bytes->split('\n')) {
        auto reading = readScenario({line.constData(), static_cast<std::size_t>(line.size())}, m_catalog);
        if (reading && prepare(reading->scenario, m_catalog, Calibration::builtIn()))
            runs.push_back(std::move(reading->scenario));
        else if (!line.trimmed().isEmpty())
            m_unread.push_back(line.trimmed());
    }
    if (!runs.empty() || !m_own.empty())
        setOwn(std::move(runs));
}

Diagnostics RunLibrary::add(const std::vector<Scenario>& runs)
{
    readOwn(); // another window may have kept some meanwhile
    std::vector<Scenario> all = m_own;
    Diagnostics refused;
    for (const Scenario& run : runs) {
        if (const auto prepared = prepare(run, m_catalog, Calibration::builtIn()))
            all.push_back(run);
        else
            refused.insert(refused.end(), prepared.error().begin(), prepared.error().end());
    }
    setOwn(std::move(all));
    write();
    return refused;
}

void RunLibrary::remove(std::size_t index)
{
    const Scenario gone = m_own.at(index);
    readOwn();
    std::vector<Scenario> left = m_own;
    if (const auto found = std::ranges::find(left, gone); found != left.end())
        left.erase(found);
    setOwn(std::move(left));
    write();
}

void RunLibrary::removeAll()
{
    setOwn({});
    write();
}

void RunLibrary::setOwn(std::vector<Scenario> scenarios)
{
    auto runs = std::make_shared<MeasuredRuns>();
    m_own.clear();
    for (Scenario& scenario : scenarios) {
        auto prepared = prepare(scenario, m_catalog, Calibration::builtIn());
        if (!prepared)
            continue;
        if (auto run = measuredRun(scenario, std::move(*prepared))) {
            runs->push_back(std::move(*run));
            m_own.push_back(std::move(scenario));
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
    for (const Scenario& run : m_own)
        bytes += QByteArray::fromStdString(writeScenarioLine(run)) + '\n';
    for (const QByteArray& line : m_unread)
        bytes += line + '\n';
    if (const QString error = writeFile(m_file, bytes); !error.isEmpty())
        emit failed(error);
    else
        m_seen = bytes;
}

} // namespace headroom::ui
