// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/icon.hpp"

#include <QFile>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>

namespace headroom::ui
{
namespace
{

/// Drawn once for all who show it, as long as Qt's cache keeps it: a reset and a lock stand in every row.
QPixmap drawn(const QString& name, const QByteArray& svg, const QColor& colour, int size)
{
    const QString key = QStringLiteral("line-icon %1 %2 %3").arg(name, colour.name()).arg(size);
    QPixmap pixmap;
    if (QPixmapCache::find(key, &pixmap))
        return pixmap;
    QSvgRenderer renderer(QByteArray(svg).replace("currentColor", colour.name().toLatin1()));
    pixmap = QPixmap(size, size);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    renderer.render(&painter);
    painter.end();
    QPixmapCache::insert(key, pixmap);
    return pixmap;
}

} // namespace

QIcon lineIcon(const QString& name, const QColor& colour, const QColor& disabled)
{
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    const QByteArray svg = file.readAll();
    QIcon icon;
    for (const int size : {16, 20, 24, 32, 40, 48}) {
        icon.addPixmap(drawn(name, svg, colour, size), QIcon::Normal);
        icon.addPixmap(drawn(name, svg, disabled, size), QIcon::Disabled);
    }
    return icon;
}

} // namespace headroom::ui
