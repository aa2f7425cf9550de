// SPDX-License-Identifier: GPL-3.0-or-later
// Chart export: a ChartSpec as PNG, SVG, PDF or image, drawn off screen at a fixed size; never half a file.
#pragma once

#include "core/charts/chart_spec.hpp"
#include "ui/theme/theme.hpp"

#include <QFont>
#include <QImage>
#include <QPicture>
#include <QString>

namespace headroom::ui
{

/// `size` in device-independent pixels; the image has size × pixelRatio.
[[nodiscard]] QImage renderImage(const ChartSpec& spec, QSize size, const Theme& theme, const QFont& font,
                                 double pixelRatio);

/// The chart as drawing commands, to be played at 96 dots an inch on whatever takes vectors (reports).
[[nodiscard]] QPicture recordChart(const ChartSpec& spec, QSize size, const Theme& theme, const QFont& font);

/// Each writes through a temporary file: on failure the old file is intact and the returned text says what failed;
/// empty = written. `scale`: pixels per unit of `size`. PDF carries the chart's title.
[[nodiscard]] QString exportPng(const ChartSpec& spec, const QString& path, QSize size, const Theme& theme,
                                double scale = 2);
[[nodiscard]] QString exportSvg(const ChartSpec& spec, const QString& path, QSize size, const Theme& theme);
[[nodiscard]] QString exportPdf(const ChartSpec& spec, const QString& path, QSize size, const Theme& theme);
/// The numbers (csvText()).
[[nodiscard]] QString exportCsv(const ChartSpec& spec, const QString& path);

} // namespace headroom::ui
