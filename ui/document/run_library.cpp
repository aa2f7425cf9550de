// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/run_library.hpp"

#include "core/scenario/scenario_json.hpp"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>
#include <QThread>

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
    QFile file(m_file);
    if (m_file.isEmpty() || !file.open(QIODevice::ReadOnly))
        return;
    std::vector<Scenario> runs;
    while (!file.atEnd()) {
        const QByteArray line = file.readLine();
        auto reading = readScenario({line.constData(), static_cast<std::size_t>(line.size())}, m_catalog);
        if (reading && prepare(reading->scenario, m_catalog, Calibration::builtIn()))
            runs.push_back(std::move(reading->scenario));
        else if (!line.trimmed().isEmpty())
            m_unread.push_back(line.trimmed());
    }
    if (!runs.empty())
        setOwn(std::move(runs));
}

Diagnostics RunLibrary::add(const std::vector<Scenario>& runs)
{
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
    std::vector<Scenario> left = m_own;
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(index));
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

void RunLibrary::write() const
{
    if (m_file.isEmpty())
        return;
    QDir().mkpath(QFileInfo(m_file).path());
    QSaveFile file(m_file); // whole or not at all
    if (!file.open(QIODevice::WriteOnly))
        return;
    for (const Scenario& run : m_own) {
        const std::string line = writeScenarioLine(run) + "\n";
        file.write(line.data(), static_cast<qint64>(line.size()));
    }
    for (const QByteArray& line : m_unread)
        file.write(line + '\n');
    file.commit();
}

} // namespace headroom::ui
