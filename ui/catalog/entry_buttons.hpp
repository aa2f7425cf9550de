// SPDX-License-Identifier: GPL-3.0-or-later
// EntryButtons: what can be done with the entry that is selected in the catalogue: use it, copy it, change it, remove
// it.
#pragma once

#include <QWidget>

class QPushButton;

namespace headroom::ui
{

class CatalogEditor;
class CatalogList;

class EntryButtons final : public QWidget
{
    Q_OBJECT

public:
    EntryButtons(const CatalogList& list, CatalogEditor& editor, QWidget* parent = nullptr);

    /// Offers what suits what is selected now.
    void refresh();
    /// Puts the selected entry into the scenario, where that can be done.
    void use();

private:
    void duplicate(bool inPlace);
    void remove();
    [[nodiscard]] bool ofModels() const;
    /// The one that is selected, or the first of them; empty = none.
    [[nodiscard]] QString currentId() const;

    const CatalogList& m_list;
    CatalogEditor& m_editor;
    QPushButton *m_use, *m_duplicate, *m_edit, *m_remove;
};

} // namespace headroom::ui
