// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/guide.hpp"

#include "app/gui/render.hpp"
#include "core/support/embedded.hpp"
#include "ui/base/text.hpp"
#include "ui/pages/help_markdown.hpp"
#include "ui/settings/language.hpp"

#include <QBuffer>
#include <QDir>
#include <QHash>
#include <QImageWriter>
#include <QTemporaryDir>
#include <algorithm>

namespace headroom
{
namespace
{

/// Squared, of two colours.
int distance(QRgb a, QRgb b)
{
    const int red = qRed(a) - qRed(b), green = qGreen(a) - qGreen(b), blue = qBlue(a) - qBlue(b);
    return red * red + green * green + blue * blue;
}

/// The most frequent colours, first those that lie far apart: a thin line or a dot in a colour of its own keeps it,
/// though the greys of the letters' edges are more frequent.
QList<QRgb> coloursOf(const std::vector<QRgb>& byFrequency)
{
    constexpr qsizetype most = 256; // of an indexed PNG
    QList<QRgb> table;
    for (const int apart : {32, 16, 8, 4, 1})
        for (const QRgb colour : byFrequency) {
            const bool isNew = std::none_of(table.cbegin(), table.cend(),
                                            [&](QRgb other) { return distance(colour, other) < apart * apart; });
            if (table.size() < most && isNew)
                table << colour;
        }
    return table;
}

/// In 256 colours: a third of the bytes, and a screen's flat colours stay what they are.
QImage reduced(const QImage& image)
{
    const QImage source = image.convertToFormat(QImage::Format_RGB32);
    QHash<QRgb, int> counts;
    for (int y = 0; y < source.height(); ++y)
        for (int x = 0; x < source.width(); ++x)
            ++counts[source.pixel(x, y)];
    std::vector<std::pair<int, QRgb>> ranked;
    for (auto it = counts.cbegin(); it != counts.cend(); ++it)
        ranked.emplace_back(-it.value(), it.key());
    std::sort(ranked.begin(), ranked.end());
    std::vector<QRgb> byFrequency;
    for (const auto& [count, colour] : ranked)
        byFrequency.push_back(colour);
    const QList<QRgb> table = coloursOf(byFrequency);
    const auto nearest = [&table](QRgb colour) {
        const auto closer = [colour](QRgb a, QRgb b) { return distance(colour, a) < distance(colour, b); };
        return static_cast<uint>(std::min_element(table.cbegin(), table.cend(), closer) - table.cbegin());
    };
    QHash<QRgb, uint> places;
    QImage small(source.size(), QImage::Format_Indexed8);
    small.setColorTable(table);
    for (int y = 0; y < source.height(); ++y)
        for (int x = 0; x < source.width(); ++x) {
            const QRgb colour = source.pixel(x, y);
            if (!places.contains(colour))
                places.insert(colour, nearest(colour));
            small.setPixel(x, y, places.value(colour));
        }
    return small;
}

bool draw(const ui::HelpPicture& row, const QString& folder, QApplication& application)
{
    Options options = readOptions(QStringList{QStringLiteral("headroom")} + row.options);
    if (!options.error.isEmpty())
        return complain(row.file + QStringLiteral(": ") + options.error);
    const QTemporaryDir examples;
    if (!options.file.isEmpty()) { // an example by its name
        const QString name = options.file + QStringLiteral(".headroom");
        const auto text = embeddedFile("scenarios/" + ui::toUtf8(name));
        if (!text)
            return complain(row.file + QStringLiteral(": there is no example ") + options.file);
        options.file = examples.filePath(name);
        if (!writeFile(options.file, QByteArray(text->data(), static_cast<qsizetype>(text->size()))))
            return false;
    }
    options.renderTo = examples.filePath(row.file);
    if (render(options, application) != 0)
        return false;
    QByteArray bytes;
    QBuffer buffer(&bytes);
    QImageWriter writer(&buffer, "png");
    writer.setCompression(100);
    return writer.write(reduced(QImage(options.renderTo))) &&
           writeFile(QDir(folder).filePath(ui::guidePath(row)), bytes);
}

} // namespace

bool writeGuide(const QString& folder, QApplication& application)
{
    const QDir target(folder);
    if (!target.mkpath(QStringLiteral("pictures")))
        return complain(folder + QStringLiteral(" cannot be made"));
    const ui::Language english(QStringLiteral("en"));
    const QMap<QString, QString> files = ui::guideFiles();
    for (auto it = files.cbegin(); it != files.cend(); ++it)
        if (!writeFile(target.filePath(it.key()), it.value().toUtf8()))
            return false;
    for (const ui::HelpPage& page : ui::helpPages())
        for (const ui::HelpPicture& row : ui::picturesOf(page))
            if (!draw(row, folder, application))
                return false;
    return true;
}

} // namespace headroom
