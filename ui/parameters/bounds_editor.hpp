// SPDX-License-Identifier: GPL-3.0-or-later
// BoundsEditor: a small card in which the ends of a slider are typed.
#pragma once

#include "core/scenario/slider_scale.hpp"

#include <QFrame>
#include <optional>

class QLabel;
class QLineEdit;

namespace headroom::ui
{

class BoundsEditor final : public QFrame
{
    Q_OBJECT

public:
    /// Opens at `at` (global) and deletes itself when it closes.
    BoundsEditor(const ParameterRow& row, const SliderScale& scale, QPoint at, QWidget* parent);

    [[nodiscard]] QLineEdit* from() const { return m_from; }
    [[nodiscard]] QLineEdit* to() const { return m_to; }
    /// Why the last attempt was refused; empty = it was not.
    [[nodiscard]] QString refusal() const;
    void accept();

signals:
    /// Empty: the registry's own.
    void chosen(const std::optional<headroom::SliderBounds>& bounds);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const ParameterRow& m_row;
    QLineEdit* m_from;
    QLineEdit* m_to;
    QLabel* m_refusal;
};

} // namespace headroom::ui
