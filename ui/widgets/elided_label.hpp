// SPDX-License-Identifier: GPL-3.0-or-later
// ElidedLabel: text in one line or a few that gives way to its neighbours and ends in "…" where it has no room.
#pragma once

#include <QLabel>

namespace headroom::ui
{

class ElidedLabel final : public QLabel
{
    Q_OBJECT

public:
    explicit ElidedLabel(const QString& text, QWidget* parent = nullptr);
    /// At most: where it is more than one, the text may break between words and takes the lines that it needs.
    void setLines(int lines);
    /// Whether something of the text is not shown at the width it has.
    [[nodiscard]] bool isElided() const;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return {24, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    /// The text in its lines; `elided` is told whether the last one had to be cut.
    [[nodiscard]] QStringList lines(bool* elided = nullptr) const;

    int m_lines = 1;
};

} // namespace headroom::ui
