// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/catalog_library.hpp"

#include "core/catalog/catalog_text.hpp"
#include "core/catalog/user_catalog.hpp"
#include "core/support/file_name.hpp"
#include "core/support/say.hpp"
#include "core/units/currency.hpp"
#include "ui/base/text.hpp"
#include "ui/platform/files.hpp"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>
#include <filesystem>

namespace headroom::ui
{
namespace
{

using namespace Qt::StringLiterals;

constexpr auto acceleratorFolder = "accelerators"_L1, modelFolder = "models"_L1;

/// Editors write in several steps: one reading after the last of them.
constexpr int settleMs = 150;

} // namespace

QString userCatalogFolder()
{
    return QDir(QStandardPaths::writableLocation(QStandardPaths::AppDataLocation)).filePath(QStringLiteral("catalog"));
}

std::string idFromName(const QString& name)
{
    constexpr std::size_t longest = 64;
    std::string id;
    const QString plain = name.toLower().normalized(QString::NormalizationForm_KD);
    for (const QChar character : plain) {
        const char c = character.toLatin1();
        const bool kept = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c == '.' && !id.empty());
        if (kept)
            id.push_back(c);
        else if (!id.empty() && id.back() != '-' && !character.isMark())
            id.push_back('-');
    }
    id.resize(std::min(id.size(), longest));
    while (!id.empty() && (id.back() == '-' || id.back() == '.'))
        id.pop_back();
    return id.empty() ? "custom" : id;
}

CatalogLibrary::CatalogLibrary(QString folder, QObject* parent)
    : QObject(parent), m_folder(std::move(folder)), m_user{Catalog::builtIn(), {}, {}, {}, {}}
{
    if (m_folder.isEmpty())
        return;
    for (const auto kind : {acceleratorFolder, modelFolder})
        QDir().mkpath(QDir(m_folder).filePath(kind)); // where it cannot be made, there is nothing to watch either
    m_pause.setSingleShot(true);
    m_pause.setInterval(settleMs);
    connect(&m_pause, &QTimer::timeout, this, &CatalogLibrary::reload);
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, [this] { m_pause.start(); });
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, [this] { m_pause.start(); });
    load();
}

void CatalogLibrary::reload()
{
    if (m_folder.isEmpty())
        return;
    m_pause.stop();
    load();
    emit changed();
}

void CatalogLibrary::load()
{
    watch(); // first: what changes while the files are read is read again
    m_user = loadUserCatalog(Catalog::builtIn(), pathFromName(m_folder.toStdString()));
    showMoneyIn(m_user.prices ? std::string_view(m_user.prices->currency) : usDollars);
}

void CatalogLibrary::watch()
{
    QStringList wanted;
    for (const auto kind : {acceleratorFolder, modelFolder}) {
        const QDir folder(QDir(m_folder).filePath(kind));
        if (!folder.exists())
            continue;
        wanted << folder.absolutePath();
        for (const QFileInfo& file : folder.entryInfoList({QStringLiteral("*.json")}, QDir::Files))
            wanted << file.absoluteFilePath();
    }
    // The folder itself, for the price list that comes into it.
    if (const QFileInfo folder(m_folder); folder.exists())
        wanted << folder.absoluteFilePath();
    if (const QFileInfo prices(QDir(m_folder).filePath(QLatin1String(priceListFile))); prices.exists())
        wanted << prices.absoluteFilePath();
    // A file that was replaced is another one to the system: the watch on it has gone.
    const QStringList watched = m_watcher.files() + m_watcher.directories();
    for (const QString& path : wanted)
        if (!watched.contains(path))
            m_watcher.addPath(path);
}

QString CatalogLibrary::fileFor(const QString& subfolder, const UserCatalog::Files& files, const std::string& id) const
{
    if (const auto known = files.find(id); known != files.end())
        return QString::fromStdString(nameFromPath(known->second));
    // An id may come from somebody else's file: it names no other folder.
    const QString stem = QDir(m_folder).filePath(subfolder + u'/' + toQString(idFromName(toQString(id))));
    QString path = stem + QStringLiteral(".json");
    for (int copy = 2; QFile::exists(path); ++copy) // another entry's, or one with a fault: not ours to write over
        path = QStringLiteral("%1-%2.json").arg(stem).arg(copy);
    return path;
}

Expected<QString> CatalogLibrary::write(const QString& path, const std::string& text)
{
    if (m_folder.isEmpty() || !QDir().mkpath(QFileInfo(path).path()))
        return fail("unwritable", "", said("there is no folder to write to"),
                    say("check who may write to {}", toUtf8(m_folder)));
    if (const QString error = writeFile(path, text); !error.isEmpty())
        return fail("unwritable", "", say("{} cannot be written: {}", toUtf8(path), toUtf8(error)),
                    said("what was there before is intact"));
    reload();
    return path;
}

Expected<QString> CatalogLibrary::remove(const UserCatalog::Files& files, const std::string& id)
{
    const auto known = files.find(id);
    if (known == files.end())
        return fail("no-file", "", say("'{}' is none of your entries", id));
    const QString path = QString::fromStdString(nameFromPath(known->second));
    QFile file(path);
    if (!file.remove())
        return fail("unwritable", "", say("{} cannot be removed: {}", toUtf8(path), toUtf8(file.errorString())));
    reload();
    return path;
}

bool CatalogLibrary::isOwn(const Accelerator& accelerator) const
{
    const auto known = m_user.catalog.accelerator(accelerator.id);
    return known && known->custom && known->id == accelerator.id;
}

bool CatalogLibrary::isOwn(const ModelArchitecture& model) const
{
    const auto known = m_user.catalog.model(model.id);
    return known && known->custom && known->id == model.id;
}

Expected<QString> CatalogLibrary::save(const Accelerator& accelerator)
{
    return write(fileFor(acceleratorFolder, m_user.accelerators, accelerator.id), acceleratorText(accelerator));
}

Expected<QString> CatalogLibrary::save(const ModelArchitecture& model)
{
    return write(fileFor(modelFolder, m_user.models, model.id), architectureText(model));
}

Expected<QString> CatalogLibrary::installPrices(const std::string& text)
{
    const auto list = readPriceList(text);
    if (!list)
        return tl::unexpected(list.error());
    Diagnostics unknown;
    static_cast<void>(withPrices(m_user.catalog, *list, unknown));
    if (list->entries.size() == unknown.size()) // none of its prices would be of use
        return tl::unexpected(unknown.empty() ? fail("missing", "/prices", said("the list holds no price")).value()
                                              : std::move(unknown));
    return write(QDir(m_folder).filePath(QLatin1String(priceListFile)), text);
}

Expected<QString> CatalogLibrary::removeAccelerator(const std::string& id)
{
    return remove(m_user.accelerators, id);
}

Expected<QString> CatalogLibrary::removeModel(const std::string& id)
{
    return remove(m_user.models, id);
}

} // namespace headroom::ui
