// SPDX-License-Identifier: GPL-3.0-or-later
// ChoiceList: a list of names of which a few are ticked, numbered in the order they were ticked, at most so many.
// Qt 6.4 tells nobody that an item can be ticked, so its spoken name does.
#pragma once

#include <QListWidget>
#include <string>
#include <vector>

namespace headroom::ui
{

struct ChoiceEntry {
    std::string id;
    QString name, tip;
};

class ChoiceList final : public QListWidget
{
    Q_OBJECT

public:
    /// Fewer than `least` cannot be left over, more than `most` cannot be ticked.
    ChoiceList(std::size_t least, std::size_t most, QWidget* parent = nullptr);
    /// Emits nothing.
    void show(const std::vector<ChoiceEntry>& entries, const std::vector<std::string>& chosen);
    using QWidget::show;
    [[nodiscard]] const std::vector<std::string>& chosen() const { return m_chosen; }
    /// Ticks or unticks as a click does.
    void toggle(const std::string& id);
    [[nodiscard]] QSize sizeHint() const override { return {220, 150}; }

signals:
    void chosenChanged(const std::vector<std::string>& ids);

private:
    void changed(const QListWidgetItem& item);
    void refresh();

    std::size_t m_least, m_most;
    std::vector<ChoiceEntry> m_entries;
    std::vector<std::string> m_chosen;
    bool m_refreshing = false;
};

} // namespace headroom::ui
