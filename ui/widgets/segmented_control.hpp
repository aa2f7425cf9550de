// SPDX-License-Identifier: GPL-3.0-or-later
// SegmentedControl: a few exclusive choices side by side.
#pragma once

#include <QWidget>

class QButtonGroup;

namespace headroom::ui
{

class SegmentedControl final : public QWidget
{
    Q_OBJECT

public:
    explicit SegmentedControl(const QStringList& labels, QWidget* parent = nullptr);
    /// Shows a choice; emits nothing. −1 = none.
    void setCurrent(int index);
    [[nodiscard]] int current() const;
    /// Name of the control; each segment is read as "name: label".
    void setName(const QString& name);
    /// Smaller, for use inside a row.
    void setCompact(bool compact);

signals:
    void chosen(int index);

private:
    /// Who is sent to the control comes to the choice in force.
    void keepProxy();

    QButtonGroup* m_group;
};

} // namespace headroom::ui
