// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/autosave.hpp"

#include "core/scenario/scenario_json.hpp"
#include "ui/base/text.hpp"
#include "ui/platform/files.hpp"

#include <QCoreApplication>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStandardPaths>
#include <QUuid>

namespace headroom::ui
{
namespace
{

constexpr auto suffix = ".autosave", lockSuffix = ".lock", format = "headroom-autosave";
constexpr qint64 sizeLimit = 64 << 20; // a scenario is at most 16 MiB, its text within JSON at most some times as much

QString lockOf(const QString& path)
{
    return path + QLatin1String(lockSuffix);
}

/// Held by a living process: cannot be had. A process that is gone does not count, however young its lock.
std::unique_ptr<QLockFile> lockedFile(const QString& path)
{
    auto lock = std::make_unique<QLockFile>(lockOf(path));
    lock->setStaleLockTime(0);
    return lock->tryLock(0) ? std::move(lock) : nullptr;
}

std::optional<UnsavedScenario> readUnsaved(const QFileInfo& info)
{
    if (info.size() > sizeLimit)
        return {};
    const QJsonObject object =
        QJsonDocument::fromJson(readFile(info.filePath(), sizeLimit).value_or(QByteArray())).object();
    UnsavedScenario unsaved{object[QStringLiteral("scenario")].toString(),
                            object[QStringLiteral("document")].toString(), info.lastModified()};
    if (object[QStringLiteral("format")].toString() != QLatin1String(format) || unsaved.scenario.isEmpty())
        return {};
    return unsaved;
}

} // namespace

QString autosaveFolder()
{
    return QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation) + QStringLiteral("/autosave");
}

Autosave::Autosave(ScenarioStore& store, const QString& folder, QObject* parent)
    : QObject(parent), m_store(store), m_folder(folder)
{
    m_writer.setMaxThreadCount(1);
    const QString name = QUuid::createUuid().toString(QUuid::WithoutBraces);
    m_path = m_folder.filePath(name + QLatin1String(suffix));
    m_timer.setSingleShot(true);
    m_timer.setInterval(delayMs);
    connect(&m_timer, &QTimer::timeout, this, &Autosave::write);
    connect(&m_store, &ScenarioStore::scenarioChanged, this, &Autosave::documentChanged);
    connect(&m_store, &ScenarioStore::documentChanged, this, &Autosave::documentChanged);
    connect(&m_store, &ScenarioStore::pinsChanged, this, &Autosave::documentChanged);
}

Autosave::~Autosave()
{
    m_timer.stop();
    if (m_lock)
        remove();
    m_writer.waitForDone();
}

void Autosave::documentChanged()
{
    if (!m_store.isModified()) {
        m_timer.stop();
        if (m_lock)
            remove();
    } else if (!m_timer.isActive()) { // not begun anew by each edit: a long drag is kept on the way
        m_timer.start();
    }
}

void Autosave::write()
{
    if (!m_lock) {
        m_folder.mkpath(QStringLiteral("."));
        m_lock = lockedFile(m_path);
    }
    const QJsonObject object{
        {QStringLiteral("format"), QLatin1String(format)},
        {QStringLiteral("version"), 1},
        {QStringLiteral("document"), m_store.path()},
        {QStringLiteral("scenario"), toQString(writeScenario(m_store.document(), m_store.savedPins()))}};
    // Not on the window's thread: a disk takes longer than a frame to say that it has it.
    m_writer.start([this, path = m_path, bytes = QJsonDocument(object).toJson(QJsonDocument::Compact)] {
        const QString error = writeFile(path, bytes);
        if (!m_failing.exchange(!error.isEmpty()) && !error.isEmpty())
            QMetaObject::invokeMethod(
                this, [this, error] { emit failed(error); }, Qt::QueuedConnection);
    });
}

void Autosave::remove()
{
    m_writer.start([path = m_path] { QFile::remove(path); });
}

void Autosave::removeTaken()
{
    flush();
    if (m_taken && !m_failing)
        QFile::remove(m_taken->path);
    m_taken.reset();
}

void Autosave::flush()
{
    if (m_timer.isActive()) {
        m_timer.stop();
        write();
    }
    m_writer.waitForDone();
}

std::optional<UnsavedScenario> Autosave::takeUnsaved(const std::function<bool(const UnsavedScenario&)>& isReadable)
{
    const QFileInfoList files =
        m_folder.entryInfoList({QLatin1Char(u'*') + QLatin1String(suffix)}, QDir::Files, QDir::Time);
    for (const QFileInfo& info : files) {
        if (info.filePath() == m_path)
            continue;
        auto lock = lockedFile(info.filePath());
        if (!lock)
            continue; // another window is at work on it
        if (auto unsaved = readUnsaved(info); unsaved && (!isReadable || isReadable(*unsaved))) {
            m_taken = Taken{info.filePath(), std::move(lock)};
            return unsaved;
        }
    }
    return {};
}

} // namespace headroom::ui
