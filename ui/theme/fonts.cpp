// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/fonts.hpp"

#include <QDirIterator>
#include <QFontDatabase>
#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>

namespace headroom::ui
{

namespace
{

double digitCell(const QFontMetricsF& metrics)
{
    double width = 0;
    for (char16_t digit = u'0'; digit <= u'9'; ++digit)
        width = std::max(width, metrics.horizontalAdvance(QChar(digit)));
    return width;
}

/// Calls `run(text, isDigit)` for each digit and for each stretch without digits, which keeps its kerning.
template <typename Run>
void forEachRun(const QString& text, Run run)
{
    qsizetype start = 0;
    for (qsizetype i = 0; i < text.size(); ++i) {
        if (text[i] < u'0' || text[i] > u'9')
            continue;
        if (i > start)
            run(text.mid(start, i - start), false);
        run(QString(text[i]), true);
        start = i + 1;
    }
    if (start < text.size())
        run(text.mid(start), false);
}

} // namespace

int addFonts(const QString& folder)
{
    int added = 0;
    QDirIterator files(folder, {QStringLiteral("*.otf"), QStringLiteral("*.ttf")}, QDir::Files);
    while (files.hasNext())
        added += QFontDatabase::addApplicationFont(files.next()) >= 0 ? 1 : 0;
    return added;
}

QFont interfaceFont(const QFont& desktop)
{
    QFont font = desktop;
    const QString inter = QStringLiteral("Inter");
    if (QFontDatabase::hasFamily(inter))
        font.setFamilies({inter});
    font.setHintingPreference(QFont::PreferVerticalHinting);
    // Inter's contextual forms made text shaping half of the work of a slider step. Scripts that need shaping to be
    // legible are still shaped.
    font.setStyleStrategy(QFont::PreferNoShaping);
    return font;
}

QFont styled(const QFont& base, TextStyle style)
{
    QFont font = base;
    const auto scale = [&font, &base](double factor) {
        if (base.pointSizeF() > 0)
            font.setPointSizeF(base.pointSizeF() * factor);
        else
            font.setPixelSize(std::max(1, qRound(base.pixelSize() * factor)));
    };
    switch (style) {
    case TextStyle::Body:
        break;
    case TextStyle::Strong:
        font.setWeight(QFont::DemiBold);
        break;
    case TextStyle::ChartTitle:
        scale(1.08);
        font.setWeight(QFont::DemiBold);
        break;
    case TextStyle::TileValue:
        scale(1.7);
        font.setWeight(QFont::DemiBold);
        break;
    case TextStyle::Caption:
        scale(0.92);
        break;
    }
    return font;
}

double tabularWidth(const QFont& font, const QString& text)
{
    const QFontMetricsF metrics(font);
    const double cell = digitCell(metrics);
    double width = 0;
    forEachRun(text, [&](const QString& run, bool digit) { width += digit ? cell : metrics.horizontalAdvance(run); });
    return width;
}

void drawTabular(QPainter& painter, QPointF baseline, const QString& text)
{
    const QFontMetricsF metrics(painter.font());
    const double cell = digitCell(metrics);
    forEachRun(text, [&](const QString& run, bool digit) {
        const double width = metrics.horizontalAdvance(run);
        painter.drawText(digit ? baseline + QPointF((cell - width) / 2, 0) : baseline, run);
        baseline.rx() += digit ? cell : width;
    });
}

} // namespace headroom::ui
