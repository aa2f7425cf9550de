// SPDX-License-Identifier: GPL-3.0-or-later
// EntryForm: a catalogue entry as fields with units, checked at every key stroke, with a preview of what follows.
#pragma once

#include "core/charts/chart_spec.hpp"
#include "core/support/diagnostic.hpp"

#include <QDialog>
#include <functional>
#include <optional>
#include <vector>

class QLabel;
class QLineEdit;
class QPushButton;

namespace headroom::ui
{

/// One field. Text fields hold words; the others a number in the unit that they show.
struct FormField {
    QString group, label, value;
    QString unit;     ///< beside the field
    std::string path; ///< JSON path of the entry that it sets: complaints about it stand under the field
    bool text = false;
    bool whole = false;
    bool required = false;
    double factor = 1; ///< the field's unit in the base unit that a typed unit is read in: 1e9 for GB
    ValueFormat format = ValueFormat::Plain;
};

struct FormValue {
    QString text;
    std::optional<double> number; ///< in the field's unit; empty = nothing was typed
    bool changed = false;
};

/// What checking said: nothing wrong = it may be saved.
struct FormCheck {
    Diagnostics problems;
    QString preview; ///< HTML
};

using FormChecker = std::function<FormCheck(const std::vector<FormValue>&)>;

class EntryForm final : public QDialog
{
    Q_OBJECT

public:
    EntryForm(const QString& title, std::vector<FormField> fields, FormChecker check, QWidget* parent = nullptr);

    [[nodiscard]] std::vector<FormValue> values() const;
    [[nodiscard]] QLineEdit* field(const QString& label) const;
    [[nodiscard]] QPushButton* saveButton() const { return m_save; }
    [[nodiscard]] QString previewText() const;
    /// All complaints, those under the fields too.
    [[nodiscard]] QString problems() const;

private:
    struct Row {
        QLineEdit* edit = nullptr;
        QLabel* complaint = nullptr;
    };

    QWidget* buildFields();
    void check();
    /// What a field itself has to complain about.
    [[nodiscard]] QString complaintOf(std::size_t index) const;

    std::vector<FormField> m_fields;
    std::vector<Row> m_rows;
    FormChecker m_check;
    QLabel* m_preview;
    QLabel* m_problems;
    QPushButton* m_save;
};

} // namespace headroom::ui
