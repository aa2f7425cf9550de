// SPDX-License-Identifier: GPL-3.0-or-later
// Language: what the running program speaks — the window's texts, core's sentences, how numbers are written and read.
#pragma once

#include "core/support/language.hpp"

#include <QList>
#include <QLocale>
#include <QString>
#include <memory>

class QTranslator;

namespace headroom::ui
{

/// A language one can choose: its code in the settings and its name in itself.
struct LanguageRow {
    const char* code; ///< "system", "en", "de"
    QString name;     ///< "Deutsch"; of "system" in the language that is spoken
};

/// All that can be chosen, the system's first. A choice counts from the next start: pages are built once.
[[nodiscard]] QList<LanguageRow> languages();
[[nodiscard]] bool isLanguage(const QString& code);

/// Made once, before any window; English speaks again when it goes. Ids, files and units are the same in every
/// language.
class Language final
{
public:
    /// `choice`: a code of languages(); what is unknown counts as "system", an unknown system as English.
    explicit Language(const QString& choice);
    ~Language();
    Language(const Language&) = delete;
    Language& operator=(const Language&) = delete;

    /// What came of the choice: "en" or "de".
    [[nodiscard]] QString code() const { return m_code; }

    /// The code of the language in force, for what is shown from files (lessons).
    [[nodiscard]] static QString current();

private:
    QString m_code;
    QLocale m_before;
    Phrases m_phrases;
    std::vector<std::unique_ptr<QTranslator>> m_translators;
};

} // namespace headroom::ui
