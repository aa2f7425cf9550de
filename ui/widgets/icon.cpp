// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/icon.hpp"

#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>
#include <utility>

namespace headroom::ui
{
namespace
{

/// Drawn once for all who show it, as long as Qt's cache keeps it: a reset and a lock stand in every row.
QPixmap drawn(const QString& name, const QByteArray& svg, const QColor& colour, QSize size)
{
    const QString key =
        QStringLiteral("line-icon %1 %2 %3x%4").arg(name, colour.name()).arg(size.width()).arg(size.height());
    QPixmap pixmap;
    if (QPixmapCache::find(key, &pixmap))
        return pixmap;
    QSvgRenderer renderer(QByteArray(svg).replace("currentColor", colour.name().toLatin1()));
    pixmap = QPixmap(size);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    renderer.render(&painter);
    painter.end();
    QPixmapCache::insert(key, pixmap);
    return pixmap;
}

/// Draws what is looked at, in the size that is asked for: most icons lie in menus and rows that are folded.
class LineIconEngine final : public QIconEngine
{
public:
    LineIconEngine(QString name, QByteArray svg, const QColor& colour, const QColor& disabled)
        : m_name(std::move(name)), m_svg(std::move(svg)), m_colour(colour), m_disabled(disabled)
    {
    }
    QIconEngine* clone() const override { return new LineIconEngine(*this); }
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State /*state*/) override
    {
        return drawn(m_name, m_svg, mode == QIcon::Disabled ? m_disabled : m_colour, size);
    }
    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override
    {
        const double ratio = painter->device()->devicePixelRatio();
        painter->drawPixmap(rect, pixmap((QSizeF(rect.size()) * ratio).toSize(), mode, state));
    }

private:
    QString m_name;
    QByteArray m_svg;
    QColor m_colour, m_disabled;
};

} // namespace

QIcon lineIcon(const QString& name, const QColor& colour, const QColor& disabled)
{
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return QIcon(new LineIconEngine(name, file.readAll(), colour, disabled)); // the icon owns it
}

} // namespace headroom::ui
