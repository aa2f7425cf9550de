// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/catalog/entry_buttons.hpp"

#include "ui/base/text.hpp"
#include "ui/catalog/catalog_editor.hpp"
#include "ui/catalog/catalog_list.hpp"

#include <QHBoxLayout>
#include <QPushButton>

namespace headroom::ui
{
namespace
{

QPushButton* button(const QString& text, const QString& tip)
{
    auto* made = new QPushButton(text);
    made->setToolTip(tip);
    made->setAccessibleName(QString(text).remove(u'…'));
    made->setAccessibleDescription(tip);
    return made;
}

} // namespace

EntryButtons::EntryButtons(const CatalogList& list, CatalogEditor& editor, QWidget* parent)
    : QWidget(parent), m_list(list), m_editor(editor)
{
    m_use = button(tr("Use in the scenario"), tr("Put the selected entry into the scenario (Return)"));
    m_duplicate = button(tr("Duplicate…"), tr("Make an entry of your own from the selected one"));
    m_edit = button(tr("Edit…"), tr("Change your entry"));
    m_remove = button(tr("Remove"), tr("Delete the file of your entry"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    for (QPushButton* each : {m_remove, m_edit, m_duplicate, m_use})
        row->addWidget(each);
    connect(m_use, &QPushButton::clicked, this, &EntryButtons::use);
    connect(m_duplicate, &QPushButton::clicked, this, [this] { duplicate(false); });
    connect(m_edit, &QPushButton::clicked, this, [this] { duplicate(true); });
    connect(m_remove, &QPushButton::clicked, this, &EntryButtons::remove);
}

bool EntryButtons::ofModels() const
{
    return m_list.kind() == CatalogKind::Models;
}

QString EntryButtons::currentId() const
{
    const QStringList ids = m_list.selected();
    return ids.isEmpty() ? QString() : ids.front();
}

void EntryButtons::refresh()
{
    const QString id = currentId();
    const bool one = m_list.has(id) && m_list.selected().size() == 1;
    const bool own = one && m_list.isOwn(id);
    QStringList lacking;
    if (one && !ofModels())
        for (const std::string& key : m_list.acceleratorAt(id)->missingFacts())
            lacking << toQString(key);
    m_use->setEnabled(one && lacking.isEmpty());
    m_use->setToolTip(lacking.isEmpty() ? tr("Put the selected entry into the scenario (Return)")
                                        : tr("Not published: %1").arg(lacking.join(QStringLiteral(", "))));
    m_duplicate->setEnabled(one);
    m_edit->setVisible(own);
    m_remove->setVisible(own);
}

void EntryButtons::use()
{
    if (!m_use->isEnabled())
        return;
    const std::string id = toUtf8(currentId());
    if (ofModels())
        m_editor.useModel(id);
    else
        m_editor.useAccelerator(id);
}

void EntryButtons::duplicate(bool inPlace)
{
    const QString id = currentId();
    if (!m_list.has(id))
        return;
    if (ofModels())
        m_editor.duplicate(*m_list.modelAt(id).model, inPlace);
    else
        m_editor.duplicate(*m_list.acceleratorAt(id), inPlace);
}

void EntryButtons::remove()
{
    m_editor.remove(ofModels(), toUtf8(currentId()));
}

} // namespace headroom::ui
