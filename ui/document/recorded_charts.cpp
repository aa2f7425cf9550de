// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/recorded_charts.hpp"

#include <QPainter>

namespace headroom::ui
{
namespace
{

constexpr int pictureNumber = QTextFormat::UserProperty + 1;

} // namespace

QTextFormat RecordedCharts::add(QPicture picture)
{
    QTextCharFormat format;
    format.setObjectType(type);
    format.setProperty(pictureNumber, static_cast<int>(m_pictures.size()));
    m_pictures.push_back(std::move(picture));
    return format;
}

void RecordedCharts::drawObject(QPainter* painter, const QRectF& rect, QTextDocument*, int, const QTextFormat& format)
{
    painter->drawPicture(rect.topLeft(), m_pictures[static_cast<std::size_t>(format.property(pictureNumber).toInt())]);
}

} // namespace headroom::ui
