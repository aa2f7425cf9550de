// SPDX-License-Identifier: GPL-3.0-or-later
// PlanField: a labelled box for one number that a plan asks for; may be left empty where it is a wish, not a must.
#pragma once

#include "core/charts/chart_spec.hpp"

#include <QWidget>
#include <functional>
#include <optional>

class QLabel;

namespace headroom::ui
{

class ValueBox;

/// What a field asks for.
struct PlanFieldRow {
    QString label{}, tip{}, unit{};
    ValueFormat format = ValueFormat::Plain;
    double minimum = 0, maximum = 1e15;
    bool optional = true, whole = false, binaryK = false;
};

class PlanField final : public QWidget
{
    Q_OBJECT

public:
    explicit PlanField(PlanFieldRow row, QWidget* parent = nullptr);

    /// Empty: nothing is asked.
    void show(const std::optional<double>& value);
    using QWidget::show;
    /// What stands for nothing asked; "any" unless told. Seen at the next show().
    void setEmptyText(const QString& text);
    [[nodiscard]] ValueBox* box() const { return m_box; }
    /// Why the typed text was refused; empty when it was not.
    [[nodiscard]] QString refusal() const { return m_refusal; }

signals:
    void chosen(const std::optional<double>& value);
    void refusalChanged();

private:
    void commit(const QString& text);
    void refuse(const QString& reason);
    [[nodiscard]] QString words(double value) const;

    PlanFieldRow m_row;
    QLabel* m_label;
    ValueBox* m_box;
    QString m_empty, m_refusal;
    std::optional<double> m_value;
};

} // namespace headroom::ui
