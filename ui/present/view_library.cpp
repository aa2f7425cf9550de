// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/present/view_library.hpp"

#include "core/present/views_json.hpp"
#include "ui/base/text.hpp"
#include "ui/platform/files.hpp"

#include <QDir>
#include <QFile>
#include <QFileInfo>

namespace headroom::ui
{
namespace
{

class ViewsCommand final : public QUndoCommand
{
public:
    using Apply = std::function<void(const ViewLibrary::Views&)>;

    ViewsCommand(ViewLibrary::Views before, ViewLibrary::Views after, int gesture, const QString& text, Apply apply)
        : QUndoCommand(text), m_before(std::move(before)), m_after(std::move(after)), m_gesture(gesture),
          m_apply(std::move(apply))
    {
    }

    void undo() override { m_apply(m_before); }
    void redo() override { m_apply(m_after); }
    [[nodiscard]] int id() const override { return m_gesture > 0 ? m_gesture : -1; }
    bool mergeWith(const QUndoCommand* later) override
    {
        m_after = static_cast<const ViewsCommand*>(later)->m_after; // ids of one stack are of one kind
        setObsolete(m_after == m_before);
        return true;
    }

private:
    ViewLibrary::Views m_before, m_after;
    int m_gesture;
    Apply m_apply;
};

QString writeTo(const QString& path, const ViewLibrary::Views& views)
{
    const QString error = writeFile(path, writeViews(views));
    return error.isEmpty() ? QString() : ViewLibrary::tr("%1 cannot be written: %2").arg(path, error);
}

} // namespace

Expected<std::vector<StageView>> readViewsFile(const QString& path, const Catalog& catalog)
{
    const auto bytes = readFile(path, static_cast<qint64>(largestViewsFile) + 1);
    if (!bytes)
        return tl::unexpected(bytes.error());
    return readViews(toView(*bytes), catalog);
}

ViewLibrary::ViewLibrary(const Catalog& catalog, QString file, QObject* parent)
    : QObject(parent), m_catalog(catalog), m_file(std::move(file))
{
    m_timer.setSingleShot(true);
    m_timer.setInterval(delayMs);
    connect(&m_timer, &QTimer::timeout, this, &ViewLibrary::write);
}

ViewLibrary::~ViewLibrary()
{
    flush();
}

void ViewLibrary::read()
{
    const QFileInfo info(m_file);
    if (m_timer.isActive() || !info.exists() || info.lastModified() == m_seen)
        return;
    m_seen = info.lastModified();
    auto views = readViewsFile(m_file, m_catalog);
    m_refusal = views ? Diagnostics{} : views.error();
    if (!views || *views == m_views)
        return;
    m_views = std::move(*views);
    m_undo.clear(); // its steps lead to what another window has left behind
    emit changed();
}

void ViewLibrary::change(const QString& text, const std::function<void(Views&)>& edit, int gesture)
{
    Views after = m_views;
    edit(after);
    if (after == m_views)
        return;
    m_undo.push(
        new ViewsCommand(m_views, std::move(after), gesture, text, [this](const Views& views) { apply(views); }));
}

void ViewLibrary::apply(const Views& views)
{
    m_views = views;
    m_timer.start();
    emit changed();
}

Diagnostics ViewLibrary::open(const QString& path)
{
    auto views = readViewsFile(path, m_catalog);
    if (!views)
        return views.error();
    change(tr("Open %1").arg(QFileInfo(path).fileName()), [&views](Views& mine) { mine = std::move(*views); });
    return {};
}

QString ViewLibrary::saveCopy(const QString& path) const
{
    return writeTo(path, m_views);
}

void ViewLibrary::flush()
{
    if (!m_timer.isActive())
        return;
    m_timer.stop();
    write();
}

void ViewLibrary::write()
{
    QDir().mkpath(QFileInfo(m_file).path());
    if (!m_refusal.empty()) { // somebody's work, whatever is wrong with it
        const QString beside = m_file + QStringLiteral(".refused");
        QFile::remove(beside);
        QFile::rename(m_file, beside);
        m_refusal.clear();
    }
    if (const QString error = writeTo(m_file, m_views); !error.isEmpty())
        emit failed(error);
    m_seen = QFileInfo(m_file).lastModified();
}

} // namespace headroom::ui
