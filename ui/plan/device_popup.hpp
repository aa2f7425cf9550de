// SPDX-License-Identifier: GPL-3.0-or-later
// DevicePopup: the accelerators to compare, as a list that is searched and ticked and stays open.
#pragma once

#include "ui/widgets/popup_card.hpp"

#include <functional>
#include <vector>

class QLineEdit;
class QListWidget;
class QListWidgetItem;

namespace headroom::ui
{

struct DeviceEntry {
    QString id, name;
    bool ticked = false;
};

/// What a search finds, in its order; an empty query finds all.
using DeviceSearch = std::function<std::vector<DeviceEntry>(const QString& query)>;

class NothingFound;

class DevicePopup final : public PopupCard
{
    Q_OBJECT

public:
    DevicePopup(DeviceSearch search, QWidget* parent);

    /// The ticked ones first, then the others.
    void openBelow(const QRect& place);
    [[nodiscard]] QLineEdit* field() const { return m_field; }
    [[nodiscard]] QListWidget* list() const { return m_list; }

signals:
    void ticked(const QString& id, bool on);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fill();
    void toggle(QListWidgetItem* item);

    DeviceSearch m_search;
    QLineEdit* m_field;
    QListWidget* m_list;
    NothingFound* m_nothing;
};

} // namespace headroom::ui
