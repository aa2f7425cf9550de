// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/language.hpp"

#include "ui/base/text.hpp"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QTranslator>
#include <algorithm>
#include <string_view>

namespace headroom::ui
{
namespace
{

/// Of the dialogs' standard buttons, which Qt names: its translations are not installed everywhere.
[[maybe_unused]] constexpr const char* standardButtons[] = {
    QT_TRANSLATE_NOOP("QPlatformTheme", "OK"),        QT_TRANSLATE_NOOP("QPlatformTheme", "Cancel"),
    QT_TRANSLATE_NOOP("QPlatformTheme", "Close"),     QT_TRANSLATE_NOOP("QPlatformTheme", "Save"),
    QT_TRANSLATE_NOOP("QPlatformTheme", "Discard"),   QT_TRANSLATE_NOOP("QPlatformTheme", "Restore Defaults"),
    QT_TRANSLATE_NOOP("QPlatformTheme", "&Yes"),      QT_TRANSLATE_NOOP("QPlatformTheme", "&No"),
    QT_TRANSLATE_NOOP("QPlatformTheme", "Reset"),     QT_TRANSLATE_NOOP("QPlatformTheme", "Apply"),
    QT_TRANSLATE_NOOP("QPlatformTheme", "Help"),      QT_TRANSLATE_NOOP("QPlatformTheme", "Open"),
    QT_TRANSLATE_NOOP("QPlatformTheme", "Don't Save")};
/// Of the keys in menus and tips, likewise.
[[maybe_unused]] constexpr const char* keyNames[] = {
    QT_TRANSLATE_NOOP("QShortcut", "Ctrl"), QT_TRANSLATE_NOOP("QShortcut", "Shift"),
    QT_TRANSLATE_NOOP("QShortcut", "Left"), QT_TRANSLATE_NOOP("QShortcut", "Right")};

/// The tool that collects the texts knows the classes of those in members, and of functions and tables the namespace.
class WindowTranslator final : public QTranslator
{
public:
    [[nodiscard]] QString translate(const char* context, const char* text, const char* meaning,
                                    int count) const override
    {
        if (speaksEnglish())
            return {}; // what goes into a file (InEnglish): the text as it is written
        QString found = QTranslator::translate(context, text, meaning, count);
        if (found.isEmpty() && !std::string_view(context).starts_with('Q')) // Qt's own words are its translators'
            found = QTranslator::translate("headroom::ui", text, meaning, count);
        return found;
    }
};

QString& inForce()
{
    static QString code = QStringLiteral("en");
    return code;
}

QString chosen(const QString& choice)
{
    const QString wanted =
        isLanguage(choice) && choice != QLatin1String("system") ? choice : QLocale::system().name().section(u'_', 0, 0);
    return wanted == QLatin1String("de") ? wanted : QStringLiteral("en");
}

} // namespace

QList<LanguageRow> languages()
{
    return {{"system", QCoreApplication::translate("headroom::ui", "System")},
            {"en", QStringLiteral("English")},
            {"de", QStringLiteral("Deutsch")}};
}

bool isLanguage(const QString& code)
{
    return std::ranges::any_of(languages(),
                               [&code](const LanguageRow& row) { return code == QLatin1String(row.code); });
}

Language::Language(const QString& choice) : m_code(chosen(choice)), m_phrases(Phrases::embedded(toUtf8(m_code)))
{
    if (m_code == QLatin1String("en"))
        return;
    const auto install = [this](std::unique_ptr<QTranslator> translator, const QString& file, const QString& folder) {
        if (translator->load(file, folder) && QCoreApplication::installTranslator(translator.get()))
            m_translators.push_back(std::move(translator));
    };
    // Of Qt's dialogs and menus, where its translations are installed.
    install(std::make_unique<QTranslator>(), QStringLiteral("qtbase_") + m_code,
            QLibraryInfo::path(QLibraryInfo::TranslationsPath));
    install(std::make_unique<WindowTranslator>(), QStringLiteral("headroom_") + m_code, QStringLiteral(":/i18n"));
    speak(&m_phrases);
    // Numbers are typed as they are shown; of one language's countries the desktop's own.
    if (QLocale().language() != QLocale(m_code).language())
        QLocale::setDefault(QLocale(m_code));
    inForce() = m_code;
}

Language::~Language()
{
    for (const auto& translator : m_translators)
        QCoreApplication::removeTranslator(translator.get());
    speak(nullptr);
    QLocale::setDefault(m_before);
    inForce() = QStringLiteral("en");
}

QString Language::current()
{
    return inForce();
}

} // namespace headroom::ui
