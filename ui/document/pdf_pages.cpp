// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/pdf_pages.hpp"

#include "ui/platform/files.hpp"
#include "ui/theme/theme.hpp"

#include <QApplication>
#include <QBuffer>
#include <QPainter>
#include <QPdfWriter>

namespace headroom::ui
{

QFont paperFont(double points)
{
    QFont font = QApplication::font();
    font.setPointSizeF(points);
    return font;
}

QString writePdf(const QString& path, const QString& title, QPageLayout::Orientation orientation,
                 const std::function<void(QPdfWriter&)>& draw)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    {
        QPdfWriter writer(&buffer);
        writer.setTitle(title);
        writer.setCreator(QStringLiteral("Headroom"));
        writer.setPageSize(QPageSize(QPageSize::A4));
        writer.setPageOrientation(orientation);
        writer.setPageMargins(QMarginsF());
        writer.setResolution(paperResolution);
        draw(writer);
    }
    return notWritten(path, writeFile(path, bytes));
}

void drawFoot(QPainter& painter, const QRectF& foot, int page, int pages)
{
    painter.setFont(paperFont(8));
    painter.setPen(theme(ThemeKind::Light).muted);
    painter.drawText(foot, Qt::AlignLeft | Qt::AlignTop,
                     QObject::tr("An analytical prediction; measure before you buy."));
    painter.drawText(foot, Qt::AlignRight | Qt::AlignTop, QObject::tr("Page %1 of %2").arg(page).arg(pages));
}

} // namespace headroom::ui
