// SPDX-License-Identifier: GPL-3.0-or-later
// PreferencesDialog: the settings that somebody chooses by hand, one row each; applied at once, taken back by Cancel.
#pragma once

#include "ui/settings/settings.hpp"

#include <QDialog>
#include <vector>

class QComboBox;
class QGridLayout;

namespace headroom::ui
{

class Appearance;

struct PreferenceChoice {
    QVariant value;
    const char* words; ///< null: choiceWords() says the value itself
};

struct PreferenceRow {
    SettingKey key;
    const char* label;
    const char* hint; ///< one sentence with a full stop
    std::vector<PreferenceChoice> choices;
    /// Makes the running program follow the value, and remembers it. Null: it is remembered for the next time.
    void (*apply)(Appearance& appearance, const QVariant& value) = nullptr;
};

/// What stands for it in the list: its words, a number in per cent, a language in itself.
[[nodiscard]] QString choiceWords(const PreferenceChoice& choice);

/// In the order of the dialog.
[[nodiscard]] const std::vector<PreferenceRow>& preferenceRegistry();

class PreferencesDialog final : public QDialog
{
    Q_OBJECT

public:
    PreferencesDialog(Appearance& appearance, Settings& settings, QWidget* parent = nullptr);

    /// Null for a setting that is not chosen here.
    [[nodiscard]] QComboBox* choice(SettingKey key) const;

    /// Back to how it was when the dialog opened.
    void reject() override;
    /// As high as its words need.
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void showEvent(QShowEvent* event) override;

private:
    struct Field {
        const PreferenceRow* row;
        QComboBox* box;
        QVariant before;
    };
    void addRow(const PreferenceRow& row);
    void apply(const PreferenceRow& row, const QVariant& value);
    void setDefaults();

    Appearance& m_appearance;
    Settings& m_settings;
    std::vector<Field> m_fields;
    QGridLayout* m_rows = nullptr;
};

} // namespace headroom::ui
