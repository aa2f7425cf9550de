// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls/icon.hpp"

#include <QFile>
#include <QPainter>
#include <QSvgRenderer>

namespace headroom::ui
{
namespace
{

QPixmap drawn(QByteArray svg, const QColor& colour, int size)
{
    svg.replace("currentColor", colour.name().toLatin1());
    QSvgRenderer renderer(svg);
    QPixmap pixmap(size, size);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    renderer.render(&painter);
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
        icon.addPixmap(drawn(svg, colour, size), QIcon::Normal);
        icon.addPixmap(drawn(svg, disabled, size), QIcon::Disabled);
    }
    return icon;
}

} // namespace headroom::ui
