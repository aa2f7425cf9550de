// SPDX-License-Identifier: GPL-3.0-or-later
// GroupHeader: the caption over a group of rows, with "more" for the rarer ones and a reset of the group.
#pragma once

#include <QWidget>

class QLabel;
class QToolButton;

namespace headroom::ui
{

class GroupHeader final : public QWidget
{
    Q_OBJECT

public:
    GroupHeader(const QString& id, const QString& title, QWidget* parent = nullptr);
    [[nodiscard]] const QString& id() const { return m_id; }
    [[nodiscard]] bool isOpen() const { return m_open; }
    void setOpen(bool open);
    /// How many rows "more" would show; none hides it.
    void setRareRows(int count);
    void setResettable(bool resettable);

signals:
    void openChanged(bool open);
    void resetRequested();

protected:
    void changeEvent(QEvent* event) override;

private:
    void restyle();
    void updateMore();

    QString m_id, m_title;
    QLabel* m_label = nullptr;
    QToolButton* m_more;
    QToolButton* m_reset;
    int m_rare = 0;
    bool m_open = false;
};

} // namespace headroom::ui
