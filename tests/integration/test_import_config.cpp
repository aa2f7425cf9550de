// SPDX-License-Identifier: GPL-3.0-or-later
// headroom-cli import-config, run as a person or a script runs it.
#include "tests/support/support.hpp"

#include <QCoreApplication>
#include <QProcess>
#include <QTemporaryDir>
#include <nlohmann/json.hpp>

namespace headroom
{

namespace
{

struct Run {
    int status = -1;
    QByteArray output, messages;
};

Run importConfig(const QStringList& arguments)
{
    QProcess process;
    const QString program = QCoreApplication::applicationDirPath() + QStringLiteral("/../app/headroom-cli");
    process.start(program, QStringList{QStringLiteral("import-config")} + arguments);
    if (!process.waitForFinished())
        return {};
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

const QByteArray mixtral = R"({"model_type": "mixtral", "hidden_size": 4096, "num_hidden_layers": 32,
    "num_attention_heads": 32, "num_key_value_heads": 8, "intermediate_size": 14336, "vocab_size": 32000,
    "num_local_experts": 8, "num_experts_per_tok": 2, "max_position_embeddings": 32768,
    "tie_word_embeddings": false})";

} // namespace

class TestImportConfig : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    QString write(const char* name, const QByteArray& text)
    {
        const QString path = m_folder.filePath(QString::fromLatin1(name));
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
            qFatal("the temporary file cannot be written");
        return path;
    }

private slots:
    void textShowsTheCounts()
    {
        const Run run = importConfig({write("config.json", mixtral)});
        QCOMPARE(run.status, 0);
        QVERIFY2(run.output.contains("46,702,792,704"), run.output.constData());
        QVERIFY2(run.output.contains("12,879,925,248"), run.output.constData());
        QVERIFY2(run.output.contains("2 of 8"), run.output.constData());
        QVERIFY2(run.messages.isEmpty(), run.messages.constData());
    }

    void jsonHasTheStatedKeys()
    {
        const QString quant = write("quant.json", R"({"quantization": {"quant_algo": "FP8"}})");
        const Run run = importConfig({write("config.json", mixtral), QStringLiteral("--quant"), quant,
                                      QStringLiteral("--format"), QStringLiteral("json")});
        QCOMPARE(run.status, 0);
        const auto json = nlohmann::json::parse(run.output.toStdString());
        QCOMPARE(json["parameters"]["total"].get<std::int64_t>(), 46702792704);
        QCOMPARE(json["parameters"]["active"].get<std::int64_t>(), 12879925248);
        QVERIFY(json["exact"].get<bool>());
        QVERIFY(json["warnings"].is_array() && json["warnings"].empty());
        QCOMPARE(json["architecture"]["layers"].get<int>(), 32);
        QCOMPARE(json["architecture"]["quantization"]["algo"].get<std::string>(), std::string("FP8"));
    }

    void whatIsAssumedIsSaid()
    {
        QByteArray config = mixtral;
        config.replace(R"(,
    "tie_word_embeddings": false)",
                       "");
        const Run run = importConfig({write("config.json", config)});
        QCOMPARE(run.status, 0);
        QVERIFY2(run.output.contains("46,702,792,704"), run.output.constData());
        QVERIFY2(run.messages.contains("/tie_word_embeddings"), run.messages.constData());
    }

    void unknownFamiliesAreMarked()
    {
        QByteArray config = mixtral;
        config.replace("mixtral", "brandnew");
        const Run run =
            importConfig({write("config.json", config), QStringLiteral("--format"), QStringLiteral("json")});
        QCOMPARE(run.status, 0);
        const auto json = nlohmann::json::parse(run.output.toStdString());
        QVERIFY(!json["exact"].get<bool>());
        QCOMPARE(json["warnings"].size(), 1U);
        QVERIFY2(run.messages.contains("config.json") && run.messages.contains("brandnew"), run.messages.constData());
    }

    void refusalsNameTheFileAndThePlace()
    {
        const QString good = write("config.json", mixtral);
        Run run = importConfig({write("bad.json", R"({"model_type": "llama", "hidden_size": -1})")});
        QCOMPARE(run.status, 1);
        QVERIFY2(run.output.isEmpty(), run.output.constData());
        QVERIFY2(run.messages.contains("bad.json:1: /hidden_size"), run.messages.constData());

        run = importConfig({good, QStringLiteral("--quant"), write("badquant.json", "{")});
        QCOMPARE(run.status, 1);
        QVERIFY2(run.messages.contains("badquant.json"), run.messages.constData());
        run = importConfig({m_folder.filePath(QStringLiteral("nowhere.json"))});
        QCOMPARE(run.status, 1);
        QVERIFY2(run.messages.contains("nowhere.json"), run.messages.constData());
        run = importConfig({m_folder.path()});
        QCOMPARE(run.status, 1);
        QCOMPARE(importConfig({}).status, 2);
    }
};

} // namespace headroom

QTEST_GUILESS_MAIN(headroom::TestImportConfig)
#include "test_import_config.moc"
