// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/present/choice_list.hpp"

#include "ui/base/text.hpp"
#include "ui/widgets/thin_scroll_bar.hpp"

#include <QAccessible>
#include <algorithm>

namespace headroom::ui
{

ChoiceList::ChoiceList(std::size_t least, std::size_t most, QWidget* parent)
    : QListWidget(parent), m_least(least), m_most(most)
{
    setVerticalScrollBar(new ThinScrollBar);
    setSpacing(1);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    connect(this, &QListWidget::itemChanged, this, [this](QListWidgetItem* item) { changed(*item); });
}

void ChoiceList::show(const std::vector<ChoiceEntry>& entries, const std::vector<std::string>& chosen)
{
    m_entries = entries;
    m_chosen = chosen;
    refresh();
}

void ChoiceList::toggle(const std::string& id)
{
    for (std::size_t i = 0; i < m_entries.size(); ++i)
        if (QListWidgetItem* each = item(static_cast<int>(i));
            m_entries[i].id == id && each->flags() & Qt::ItemIsEnabled)
            each->setCheckState(each->checkState() == Qt::Checked ? Qt::Unchecked : Qt::Checked);
}

void ChoiceList::changed(const QListWidgetItem& item)
{
    if (m_refreshing)
        return;
    const std::string& id = m_entries[static_cast<std::size_t>(row(&item))].id;
    const auto at = std::find(m_chosen.begin(), m_chosen.end(), id);
    const bool was = at != m_chosen.end(), is = item.checkState() == Qt::Checked;
    if (is && !was && m_chosen.size() < m_most)
        m_chosen.push_back(id);
    else if (!is && was && m_chosen.size() > m_least)
        m_chosen.erase(at);
    refresh();
    QAccessibleEvent said(this, QAccessible::NameChanged);
    said.setChild(row(&item));
    QAccessible::updateAccessibility(&said);
    emit chosenChanged(m_chosen);
}

void ChoiceList::refresh()
{
    m_refreshing = true;
    while (count() > static_cast<int>(m_entries.size()))
        delete takeItem(count() - 1);
    while (count() < static_cast<int>(m_entries.size()))
        addItem(QString());
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        const ChoiceEntry& entry = m_entries[i];
        const auto at = std::find(m_chosen.begin(), m_chosen.end(), entry.id);
        const bool ticked = at != m_chosen.end();
        const bool possible = ticked ? m_chosen.size() > m_least : m_chosen.size() < m_most;
        QListWidgetItem* each = item(static_cast<int>(i));
        each->setText(ticked
                          ? tr("%1 · %2", "place among the ticked, name").arg(at - m_chosen.begin() + 1).arg(entry.name)
                          : entry.name);
        each->setData(Qt::AccessibleTextRole, (ticked ? tr("%1, ticked") : tr("%1, not ticked")).arg(each->text()));
        each->setToolTip(possible ? entry.tip : ticked ? tr("At least %1").arg(m_least) : tr("At most %1").arg(m_most));
        each->setFlags(Qt::ItemIsSelectable |
                       (possible ? Qt::ItemIsEnabled | Qt::ItemIsUserCheckable : Qt::NoItemFlags));
        each->setCheckState(ticked ? Qt::Checked : Qt::Unchecked);
    }
    m_refreshing = false;
}

} // namespace headroom::ui
