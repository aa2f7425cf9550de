// SPDX-License-Identifier: GPL-3.0-or-later
// WrapLayout: widgets in a row that goes on in the next line where the window is narrow or the words are long.
#pragma once

#include <QLayout>
#include <memory>
#include <vector>

namespace headroom::ui
{

class WrapLayout final : public QLayout
{
    Q_OBJECT

public:
    explicit WrapLayout(int spacing);

    void addItem(QLayoutItem* item) override;
    [[nodiscard]] int count() const override { return static_cast<int>(m_items.size()); }
    [[nodiscard]] QLayoutItem* itemAt(int index) const override;
    QLayoutItem* takeAt(int index) override;
    [[nodiscard]] Qt::Orientations expandingDirections() const override { return {}; }
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override { return place(QRect(0, 0, width, 0), false); }
    [[nodiscard]] QSize sizeHint() const override;
    /// As wide as the widest of its widgets.
    [[nodiscard]] QSize minimumSize() const override;
    void setGeometry(const QRect& rect) override;

private:
    /// The height that the lines take in a place of this width; `moves`: and puts them there.
    int place(const QRect& rect, bool moves) const;

    std::vector<std::unique_ptr<QLayoutItem>> m_items;
};

} // namespace headroom::ui
