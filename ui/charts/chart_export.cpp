// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_export.hpp"

#include "core/charts/chart_table.hpp"
#include "ui/base/text.hpp"
#include "ui/charts/chart_canvas.hpp"
#include "ui/platform/files.hpp"

#include <QApplication>
#include <QBuffer>
#include <QPdfWriter>
#include <QSvgGenerator>

namespace headroom::ui
{

namespace
{

/// Draws on `device`, whose painter is ended before anybody looks at the result.
bool draw(const ChartSpec& spec, QPaintDevice& device, QSize size, const Theme& theme, const QFont& font,
          QCPPainter::PainterModes modes, double scale)
{
    ChartCanvas canvas;
    canvas.setLook(theme, font, 1);
    canvas.setSpec(spec);
    QCPPainter painter;
    if (!painter.begin(&device))
        return false;
    painter.setModes(modes);
    painter.scale(scale, scale);
    canvas.render(painter, size);
    return painter.end();
}

QString write(const QString& path, const QByteArray& bytes)
{
    return notWritten(path, writeFile(path, bytes));
}

QString noPicture(const QString& path)
{
    return QObject::tr("Could not draw %1: the size is empty or too large").arg(path);
}

} // namespace

QImage renderImage(const ChartSpec& spec, QSize size, const Theme& theme, const QFont& font, double pixelRatio)
{
    QImage image(size * pixelRatio, QImage::Format_RGB32);
    if (image.isNull())
        return image;
    image.setDevicePixelRatio(pixelRatio);
    image.fill(theme.surface);
    draw(spec, image, size, theme, font, {}, 1);
    return image;
}

QPicture recordChart(const ChartSpec& spec, QSize size, const Theme& theme, const QFont& font)
{
    QPicture picture;
    draw(spec, picture, size, theme, font, QCPPainter::pmVectorized, 1);
    return picture;
}

QString exportPng(const ChartSpec& spec, const QString& path, QSize size, const Theme& theme, double scale)
{
    const QImage image = renderImage(spec, size, theme, QApplication::font(), scale);
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    return !image.isNull() && image.save(&buffer, "PNG") ? write(path, bytes) : noPicture(path);
}

QString exportSvg(const ChartSpec& spec, const QString& path, QSize size, const Theme& theme)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    {
        QSvgGenerator generator;
        generator.setOutputDevice(&buffer);
        generator.setSize(size);
        generator.setViewBox(QRect(QPoint(), size));
        generator.setTitle(QStringLiteral("headroom-title"));
        generator.setDescription(QStringLiteral("headroom-summary"));
        if (size.isEmpty() || !draw(spec, generator, size, theme, QApplication::font(), QCPPainter::pmVectorized, 1))
            return noPicture(path);
    }
    // Qt 6.4 writes both as they are: a name with a tag in it would be one, in whatever shows the picture.
    bytes.replace("headroom-title", toQString(spec.title).toHtmlEscaped().toUtf8());
    bytes.replace("headroom-summary", toQString(spec.summary).toHtmlEscaped().toUtf8());
    return write(path, bytes);
}

QString exportPdf(const ChartSpec& spec, const QString& path, QSize size, const Theme& theme)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    {
        QPdfWriter writer(&buffer);
        writer.setTitle(QString::fromStdString(spec.title));
        writer.setCreator(QStringLiteral("Headroom"));
        // One unit of `size` is a CSS pixel, 1/96 inch; the font is sized for the screen, so the page is drawn at its
        // resolution.
        constexpr double pointsPerPixel = 72.0 / 96.0;
        writer.setPageSize(
            QPageSize(QSizeF(size) * pointsPerPixel, QPageSize::Point, QString(), QPageSize::ExactMatch));
        writer.setPageMargins(QMarginsF());
        writer.setResolution(96);
        if (size.isEmpty() || !draw(spec, writer, size, theme, QApplication::font(), QCPPainter::pmVectorized, 1))
            return noPicture(path);
    }
    return write(path, bytes);
}

QString exportCsv(const ChartSpec& spec, const QString& path)
{
    return write(path, QByteArray::fromStdString(csvText(spec)));
}

} // namespace headroom::ui
