// SPDX-License-Identifier: GPL-3.0-or-later
// PDF pages: what reports and talks on paper share: type, the file, the line at the foot of a page.
#pragma once

#include <QFont>
#include <QPageLayout>
#include <QRectF>
#include <QString>
#include <functional>

class QPainter;
class QPdfWriter;

namespace headroom::ui
{

/// Page units are CSS pixels, as the charts' are.
inline constexpr int paperResolution = 96;

/// The interface's typeface in points.
[[nodiscard]] QFont paperFont(double points);

/// Writes A4 pages through a temporary file: `draw` gets the writer. Empty = written, else what failed.
[[nodiscard]] QString writePdf(const QString& path, const QString& title, QPageLayout::Orientation orientation,
                               const std::function<void(QPdfWriter&)>& draw);

/// What the figures are, and the page number.
void drawFoot(QPainter& painter, const QRectF& foot, int page, int pages);

} // namespace headroom::ui
