// SPDX-License-Identifier: GPL-3.0-or-later
// RecordedCharts: draws charts where the flow of a document's text puts them.
#pragma once

#include <QObject>
#include <QPicture>
#include <QSize>
#include <QTextFormat>
#include <QTextObjectInterface>
#include <vector>

namespace headroom::ui
{

/// Handler of its document's objects of `type`: each is one letter whose format says which picture it is.
class RecordedCharts final : public QObject, public QTextObjectInterface
{
    Q_OBJECT
    Q_INTERFACES(QTextObjectInterface)

public:
    static constexpr int type = QTextFormat::UserObject + 1;

    /// All charts have one size, in the document's pixels.
    RecordedCharts(const QSize& size, QObject* parent) : QObject(parent), m_size(size) {}

    /// The format of the letter (QChar::ObjectReplacementCharacter) that stands for the picture.
    [[nodiscard]] QTextFormat add(QPicture picture);

    QSizeF intrinsicSize(QTextDocument*, int, const QTextFormat&) override { return m_size; }
    void drawObject(QPainter* painter, const QRectF& rect, QTextDocument*, int, const QTextFormat& format) override;

private:
    QSize m_size;
    std::vector<QPicture> m_pictures;
};

} // namespace headroom::ui
