// SPDX-License-Identifier: GPL-3.0-or-later
// Panes: one key leads from a part of the window to the next, to what had the keyboard there last.
#pragma once

#include <QHash>
#include <QObject>
#include <QPointer>
#include <vector>

class QWidget;

namespace headroom::ui
{

class Panes final : public QObject
{
    Q_OBJECT

public:
    /// The parts in the order in which they are walked; those that are not in sight are passed over.
    explicit Panes(std::vector<QWidget*> list, QObject* parent = nullptr);

    /// To the part after the one with the keyboard (+1) or the one before it (-1), round and round.
    void step(int direction);

private:
    std::vector<QWidget*> m_list;
    QHash<QWidget*, QPointer<QWidget>> m_last; ///< what had the keyboard when a part was left
};

} // namespace headroom::ui
