// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/options.hpp"

#include "ui/pages/page_registry.hpp"
#include "ui/settings/appearance.hpp"
#include "ui/settings/language.hpp"

#include <QCommandLineParser>
#include <QRegularExpression>
#include <cstdio>
#include <string_view>

namespace headroom
{
namespace
{

QString tr(const char* text)
{
    return QCoreApplication::translate("Options", text);
}

QtMessageHandler qtMessages = nullptr; ///< what Qt does with a message by itself

/// The offscreen platform says of each window with a least size that it cannot hold it to it, and Qt that a login made
/// no folder for sockets, which a picture needs none of: nobody can act on that.
void tellWhatCanBeActedOn(QtMsgType type, const QMessageLogContext& context, const QString& message)
{
    if (!message.contains(QLatin1String("propagateSizeHints")) &&
        !message.startsWith(QLatin1String("QStandardPaths: XDG_RUNTIME_DIR not set")))
        qtMessages(type, context, message);
}

} // namespace

void prepareEnvironment(int argc, char** argv)
{
    bool headless = false;
    for (int i = 1; i < argc; ++i) {
        const std::string_view argument(argv[i]);
        headless = headless || argument == "--render" || argument.starts_with("--render=") || argument == "--help" ||
                   argument == "--guide" || argument.starts_with("--guide=") || argument == "-h" ||
                   argument == "--version" || argument == "-v";
        if (argument == "--scale" && i + 1 < argc)
            qputenv("QT_SCALE_FACTOR", argv[i + 1]);
        else if (argument.starts_with("--scale="))
            qputenv("QT_SCALE_FACTOR", QByteArray(argv[i] + std::string_view("--scale=").size()));
    }
    if (!headless)
        return;
    qtMessages = qInstallMessageHandler(tellWhatCanBeActedOn);
    // A picture needs no display; on one it would only flash a window.
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
}

bool complain(const QString& what)
{
    std::fprintf(stderr, "headroom: %s\n", qUtf8Printable(what));
    return false;
}

Options readOptions(const QStringList& arguments)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(tr("What-if explorer for the efficiency of large models."));
    parser.addHelpOption();
    parser.addVersionOption();
    const QCommandLineOption render(QStringLiteral("render"), tr("Write a picture of the window and end."),
                                    QStringLiteral("OUT.png"));
    QStringList pages;
    for (const ui::PageRow& row : ui::pageRegistry())
        pages << QLatin1String(row.id);
    pages << QLatin1String(stagePage);
    const QString pageNames = pages.join(QStringLiteral(", "));
    const QCommandLineOption page(QStringLiteral("page"), tr("Page to show: %1.").arg(pageNames),
                                  QStringLiteral("page"));
    const QCommandLineOption size(QStringLiteral("size"), tr("Size of the window, for example 1600x900."),
                                  QStringLiteral("WxH"));
    const QCommandLineOption theme(QStringLiteral("theme"), tr("light, dark, high-contrast or high-contrast-dark."),
                                   QStringLiteral("theme"));
    const QCommandLineOption scale(QStringLiteral("scale"), tr("Pixels per point, 0.5 to 4."),
                                   QStringLiteral("factor"));
    const QCommandLineOption fit(QStringLiteral("fit"), tr("Longest side of the picture, pixels: a thumbnail."),
                                 QStringLiteral("pixels"));
    const QCommandLineOption language(QStringLiteral("language"), tr("en, de, or system for the desktop's."),
                                      QStringLiteral("language"));
    QCommandLineOption guide(QStringLiteral("guide"), tr("Write the user guide and its pictures (packaging/docs)."),
                             QStringLiteral("FOLDER"));
    guide.setFlags(QCommandLineOption::HiddenFromHelp);
    parser.addOptions({render, page, size, theme, scale, fit, language, guide});
    parser.addPositionalArgument(QStringLiteral("FILE"), tr("Scenario to open."), QStringLiteral("[FILE]"));
    parser.process(arguments);

    Options options;
    options.renderTo = parser.value(render);
    options.guide = parser.value(guide);
    options.page = parser.value(page);
    if (parser.isSet(page) && !pages.contains(options.page))
        options.error = tr("--page: there is no page “%1”; use one of %2").arg(options.page, pageNames);
    if (parser.isSet(size)) {
        static const QRegularExpression form(QStringLiteral("^(\\d{3,5})[x×](\\d{3,5})$"));
        const auto match = form.match(parser.value(size));
        if (match.hasMatch())
            options.size = {match.captured(1).toInt(), match.captured(2).toInt()};
        else
            options.error = tr("--size: “%1” is not a size; write 1600x900").arg(parser.value(size));
    }
    if (parser.isSet(theme)) {
        options.theme = ui::themeNamed(parser.value(theme));
        if (!options.theme)
            options.error =
                tr("--theme: “%1” is not light, dark, high-contrast or high-contrast-dark").arg(parser.value(theme));
    }
    if (parser.isSet(scale)) {
        bool number = false;
        const double factor = parser.value(scale).toDouble(&number);
        if (!number || factor < 0.5 || factor > 4)
            options.error = tr("--scale: “%1” is not a number from 0.5 to 4").arg(parser.value(scale));
    }
    if (parser.isSet(fit)) {
        bool number = false;
        options.fit = parser.value(fit).toInt(&number);
        if (!number || options.fit < 16 || options.fit > 16384)
            options.error = tr("--fit: “%1” is not a number of pixels from 16 to 16384").arg(parser.value(fit));
    }
    options.language = parser.value(language);
    if (parser.isSet(language) && !ui::isLanguage(options.language))
        options.error = tr("--language: “%1” is not en, de or system").arg(options.language);
    const QStringList files = parser.positionalArguments();
    if (files.size() > 1)
        options.error = tr("one scenario at a time; found %1").arg(files.size());
    options.file = files.value(0);
    return options;
}

} // namespace headroom
