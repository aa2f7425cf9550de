// SPDX-License-Identifier: GPL-3.0-or-later
// ImportDialog: what a config.json says, what was assumed, and what to do with it.
#pragma once

#include "core/catalog/hf_config.hpp"

#include <QDialog>

class QLabel;
class QLineEdit;
class QPushButton;

namespace headroom::ui
{

class ImportDialog final : public QDialog
{
    Q_OBJECT

public:
    ImportDialog(HfImport imported, const QString& name, QWidget* parent = nullptr);

    /// The architecture under the name in the field and the id made from it.
    [[nodiscard]] ModelArchitecture model() const;
    [[nodiscard]] QLineEdit* nameField() const { return m_name; }
    [[nodiscard]] QPushButton* useButton() const { return m_use; }
    [[nodiscard]] QPushButton* keepButton() const { return m_keep; }
    [[nodiscard]] QString text() const;

signals:
    void useChosen();
    void keepChosen();

private:
    HfImport m_imported;
    QLineEdit* m_name;
    QLabel* m_facts;
    QPushButton *m_use, *m_keep;
};

} // namespace headroom::ui
