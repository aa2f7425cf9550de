// SPDX-License-Identifier: GPL-3.0-or-later
// SteadyScroll: an area of rows that come and go without moving what is under the pointer.
#pragma once

#include <QScrollArea>
#include <functional>
#include <vector>

class QSpacerItem;

namespace headroom::ui
{

class SteadyScroll final : public QScrollArea
{
    Q_OBJECT

public:
    /// `content` has a layout of rows, from the top.
    explicit SteadyScroll(QWidget* content, QWidget* parent = nullptr);

    using Rows = std::vector<QWidget*>;
    /// Does `change`, which gives back the rows that it made higher or lower; then what is in hand stands where it
    /// stood.
    void keepInHand(const std::function<Rows()>& change);
    /// Rows that have just come get their place now, not with the next picture.
    void layOutRows();
    /// Nothing is in hand any more: empty room that keepInHand() made below the rows goes.
    void letGo();

private:
    /// The row under the pointer, else the one with the keyboard; null without either.
    [[nodiscard]] QWidget* inHand() const;
    /// Empty room below the rows, px.
    void setSpare(int height);

    QSpacerItem* m_spare; ///< below the rows, their layout's
};

} // namespace headroom::ui
