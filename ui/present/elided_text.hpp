// SPDX-License-Identifier: GPL-3.0-or-later
// ElidedText: words on so many lines, always as high as these, the last one ending in "…" where there is no room.
#pragma once

#include "ui/theme/fonts.hpp"

#include <QLabel>

namespace headroom::ui
{

/// What stands around it never moves when its words change.
class ElidedText final : public QLabel
{
    Q_OBJECT

public:
    ElidedText(TextStyle style, int lines, QWidget* parent = nullptr);
    /// Room for so many lines of type of at most `scale` times the size.
    void setLines(int lines, double scale = 1);
    void setStyle(TextStyle style);
    /// Words that find no room are drawn smaller, down to so many times the size, before they are cut.
    void setLeastScale(double scale);
    /// Whether some of the words are not drawn.
    [[nodiscard]] bool isCut() const { return isCutIn(width()); }
    /// The same where it were so wide.
    [[nodiscard]] bool isCutIn(int width) const { return fitted(width).isCut(); }
    /// How many lines the words take at a width, at most `most`.
    [[nodiscard]] int linesNeeded(int width, int most) const;
    /// Muted instead of the text colour.
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return {40, sizeHint().height()}; }
    [[nodiscard]] bool hasHeightForWidth() const override { return false; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] QStringList broken(const QFont& type, int width, int lines) const;
    /// What is drawn: the largest type in which the words find room, or the smallest, and its lines.
    struct Fitted {
        QFont type;
        QStringList lines;
        [[nodiscard]] bool isCut() const { return !lines.isEmpty() && lines.back().endsWith(u'…'); }
    };
    [[nodiscard]] Fitted fitted(int width) const;

    TextStyle m_style;
    int m_lines;
    double m_scale = 1;
    double m_leastScale = 1;
};

} // namespace headroom::ui
