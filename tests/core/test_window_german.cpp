// SPDX-License-Identifier: GPL-3.0-or-later
// The window's German (headroom_de.ts): every text of ui has its finished translation, which keeps what must be kept.
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

#include <QFile>
#include <QLibraryInfo>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QXmlStreamReader>

namespace headroom::test_window_german
{
namespace
{

struct Message {
    QString context, source;
    QStringList translations; ///< one, or a form each for one and for many
    bool finished = true, counted = false;
};

QString committedFile()
{
    return QString::fromStdString(test::sourcePath("resources/translations/headroom_de.ts"));
}

QList<Message> messagesOf(const QString& path)
{
    QList<Message> list;
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return list;
    QXmlStreamReader xml(&file);
    QString context;
    while (!xml.atEnd()) {
        if (!xml.readNextStartElement())
            continue;
        if (xml.name() == QLatin1String("name")) {
            context = xml.readElementText();
        } else if (xml.name() == QLatin1String("message")) {
            list.push_back({context, {}, {}, true, xml.attributes().hasAttribute(QStringLiteral("numerus"))});
        } else if (xml.name() == QLatin1String("source")) {
            list.back().source = xml.readElementText();
        } else if (xml.name() == QLatin1String("translation")) {
            list.back().finished = !xml.attributes().hasAttribute(QStringLiteral("type"));
            if (!list.back().counted)
                list.back().translations << xml.readElementText();
        } else if (xml.name() == QLatin1String("numerusform")) {
            list.back().translations << xml.readElementText();
        }
    }
    return list;
}

/// What a translation has to keep: arguments, tags, file patterns.
QStringList kept(const QString& text)
{
    static const QRegularExpression marks(QStringLiteral("%L?[0-9n]|<[^>]*>|\\(\\*[^)]*\\)|\\[\\*\\]"));
    QStringList found;
    for (auto match = marks.globalMatch(text); match.hasNext();)
        found << match.next().captured();
    found.sort();
    return found;
}

bool hasMnemonic(const QString& text)
{
    static const QRegularExpression mnemonic(QStringLiteral("&[^&\\s]"));
    return mnemonic.match(text).hasMatch();
}

QString shown(const QStringList& lines)
{
    return QStringLiteral("\n    ") + lines.join(QStringLiteral("\n    "));
}

/// The texts whose German is not there, or not released for use.
QStringList unfinished(const QList<Message>& messages)
{
    QStringList list;
    for (const Message& message : messages)
        if (!message.finished || message.translations.isEmpty() || message.translations.contains(QString()))
            list << QStringLiteral("%1: “%2”").arg(message.context, message.source);
    return list;
}

} // namespace

class TestWindowGerman final : public QObject
{
    Q_OBJECT
private slots:
    void everyTextOfTheFileIsTranslated()
    {
        const QList<Message> messages = messagesOf(committedFile());
        QVERIFY(messages.size() > 600);
        const QStringList missing = unfinished(messages);
        QVERIFY2(missing.isEmpty(), qPrintable(shown(missing)));
    }

    /// The file holds what the sources say now: a text that was added, changed or removed since shows here.
    void theFileHoldsTheTextsOfTheSources()
    {
        const QString lupdate = QStandardPaths::findExecutable(
            QStringLiteral("lupdate"),
            {QLibraryInfo::path(QLibraryInfo::BinariesPath), QLibraryInfo::path(QLibraryInfo::LibraryExecutablesPath)});
        if (lupdate.isEmpty())
            QSKIP("Qt's lupdate is not installed");
        const QTemporaryDir folder;
        const QString copy = folder.filePath(QStringLiteral("headroom_de.ts"));
        QVERIFY(QFile::copy(committedFile(), copy));
        QProcess process;
        process.setWorkingDirectory(QString::fromStdString(test::sourcePath("")));
        process.setProcessChannelMode(QProcess::MergedChannels);
        // as ui/CMakeLists.txt has it for the target update_translations
        process.start(lupdate, {QStringLiteral("-silent"), QStringLiteral("-locations"), QStringLiteral("none"),
                                QStringLiteral("-no-obsolete"), QStringLiteral("-tr-function-alias"),
                                QStringLiteral("QT_TR_NOOP+=TEXT"), QStringLiteral("-I"), QStringLiteral("."),
                                QStringLiteral("ui"), QStringLiteral("app/gui/main.cpp"), QStringLiteral("-ts"), copy});
        constexpr int mostMs = 240'000;
        QVERIFY(process.waitForFinished(mostMs));
        QVERIFY2(process.exitCode() == 0, process.readAll().constData());
        const QList<Message> now = messagesOf(copy), committed = messagesOf(committedFile());
        const QStringList missing = unfinished(now);
        QVERIFY2(missing.isEmpty(), qPrintable(QStringLiteral("build the target update_translations, then translate in "
                                                              "resources/translations/headroom_de.ts:") +
                                               shown(missing)));
        QStringList leftOver;
        for (const Message& message : committed)
            if (std::ranges::none_of(now, [&](const Message& each) {
                    return each.context == message.context && each.source == message.source;
                }))
                leftOver << QStringLiteral("%1: “%2”").arg(message.context, message.source);
        QVERIFY2(leftOver.isEmpty(), qPrintable(QStringLiteral("no longer in the sources:") + shown(leftOver)));
    }

    void germanKeepsArgumentsTagsAndKeys()
    {
        QStringList wrong;
        for (const Message& message : messagesOf(committedFile())) {
            if (message.counted && message.translations.size() != 2)
                wrong << QStringLiteral("needs a form for one and one for many: ") + message.source;
            for (const QString& german : message.translations) {
                const bool same = kept(german) == kept(message.source) &&
                                  hasMnemonic(german) == hasMnemonic(message.source) &&
                                  german.endsWith(u'…') == message.source.endsWith(u'…') &&
                                  german.count(QStringLiteral(";;")) == message.source.count(QStringLiteral(";;"));
                if (!same)
                    wrong << QStringLiteral("“%1” and “%2”").arg(message.source, german);
            }
        }
        QVERIFY2(wrong.isEmpty(), qPrintable(shown(wrong)));
    }

    /// docs/german.md has one word for it; it had four.
    void aDeploymentHasOneWord()
    {
        QStringList others;
        for (const Message& message : messagesOf(committedFile()))
            if (message.source.contains(u"deployment", Qt::CaseInsensitive))
                for (const QString& german : message.translations)
                    if (!german.contains(u"Deployment"))
                        others << german;
        QVERIFY2(others.isEmpty(), qPrintable(shown(others)));
    }

    void germanIsGerman()
    {
        static const QRegularExpression english(QStringLiteral(
            "\\b(the|of|is|and|with|for|not|by|that|this|are|does|from|your|you|on|it|at|no|none|cannot)\\b"));
        static const QRegularExpression tag(QStringLiteral("<[^>]*>"));
        static const QRegularExpression quotes(QStringLiteral("“[^”]*”|[\"!]"));
        QStringList wrong;
        for (const Message& message : messagesOf(committedFile()))
            for (const QString& german : message.translations)
                if (english.match(german).hasMatch() || quotes.match(QString(german).remove(tag)).hasMatch())
                    wrong << german;
        QVERIFY2(wrong.isEmpty(), qPrintable(shown(wrong)));
    }
};
HEADROOM_TEST(TestWindowGerman)

} // namespace headroom::test_window_german
#include "test_window_german.moc"
