// SPDX-License-Identifier: GPL-3.0-or-later
// headroom-cli import-config, run as a person or a script runs it.
#include "tests/support/cli_process.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

#include <QTemporaryDir>
#include <nlohmann/json.hpp>

namespace headroom::test_import_config
{
namespace
{

test::Outcome importConfig(const QStringList& arguments)
{
    return test::runCli(QStringList{QStringLiteral("import-config")} + arguments);
}

QByteArray mixtral()
{
    return R"({"model_type": "mixtral", "hidden_size": 4096, "num_hidden_layers": 32,
    "num_attention_heads": 32, "num_key_value_heads": 8, "intermediate_size": 14336, "vocab_size": 32000,
    "num_local_experts": 8, "num_experts_per_tok": 2, "max_position_embeddings": 32768,
    "tie_word_embeddings": false})";
}

} // namespace

class TestImportConfig : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    QString write(const char* name, const QByteArray& text)
    {
        return test::writtenFile(m_folder.filePath(QString::fromLatin1(name)), text);
    }

private slots:
    void textShowsTheCounts()
    {
        const test::Outcome run = importConfig({write("config.json", mixtral())});
        QCOMPARE(run.status, 0);
        QVERIFY2(run.out.contains("46,702,792,704"), run.out.constData());
        QVERIFY2(run.out.contains("12,879,925,248"), run.out.constData());
        QVERIFY2(run.out.contains("2 of 8"), run.out.constData());
        QVERIFY2(run.err.isEmpty(), run.err.constData());
    }

    void jsonHasTheStatedKeys()
    {
        const QString quant = write("quant.json", R"({"quantization": {"quant_algo": "FP8"}})");
        const test::Outcome run = importConfig({write("config.json", mixtral()), QStringLiteral("--quant"), quant,
                                                QStringLiteral("--format"), QStringLiteral("json")});
        QCOMPARE(run.status, 0);
        const auto json = nlohmann::json::parse(run.out.toStdString());
        QCOMPARE(json["parameters"]["total"].get<std::int64_t>(), 46702792704);
        QCOMPARE(json["parameters"]["active"].get<std::int64_t>(), 12879925248);
        QVERIFY(json["exact"].get<bool>());
        QVERIFY(json["warnings"].is_array() && json["warnings"].empty());
        QCOMPARE(json["architecture"]["layers"].get<int>(), 32);
        QCOMPARE(json["architecture"]["quantization"]["algo"].get<std::string>(), std::string("FP8"));
    }

    void whatIsAssumedIsSaid()
    {
        QByteArray config = mixtral();
        config.replace(R"(,
    "tie_word_embeddings": false)",
                       "");
        const test::Outcome run = importConfig({write("config.json", config)});
        QCOMPARE(run.status, 0);
        QVERIFY2(run.out.contains("46,702,792,704"), run.out.constData());
        QVERIFY2(run.err.contains("/tie_word_embeddings"), run.err.constData());
    }

    void unknownFamiliesAreMarked()
    {
        const QByteArray llama = R"({"model_type": "brandnew", "hidden_size": 4096, "num_hidden_layers": 32,
            "num_attention_heads": 32, "num_key_value_heads": 8, "intermediate_size": 14336, "vocab_size": 32000,
            "tie_word_embeddings": false})";
        const test::Outcome run =
            importConfig({write("config.json", llama), QStringLiteral("--format"), QStringLiteral("json")});
        QCOMPARE(run.status, 0);
        const auto json = nlohmann::json::parse(run.out.toStdString());
        QVERIFY(!json["exact"].get<bool>());
        QCOMPARE(json["warnings"].size(), 1U);
        QVERIFY2(run.err.contains("config.json") && run.err.contains("brandnew"), run.err.constData());
        // Experts are no part of a Llama.
        QByteArray mixture = mixtral();
        mixture.replace("mixtral", "brandnew");
        const test::Outcome refused = importConfig({write("config.json", mixture)});
        QCOMPARE(refused.status, 1);
        QVERIFY2(refused.err.contains("num_experts_per_tok") || refused.err.contains("num_local_experts"),
                 refused.err.constData());
    }

    void refusalsNameTheFileAndThePlace()
    {
        const QString good = write("config.json", mixtral());
        test::Outcome run = importConfig({write("bad.json", R"({"model_type": "llama", "hidden_size": -1})")});
        QCOMPARE(run.status, 1);
        QVERIFY2(run.out.isEmpty(), run.out.constData());
        QVERIFY2(run.err.contains("bad.json:1: /hidden_size"), run.err.constData());

        run = importConfig({good, QStringLiteral("--quant"), write("badquant.json", "{")});
        QCOMPARE(run.status, 1);
        QVERIFY2(run.err.contains("badquant.json"), run.err.constData());
        run = importConfig({m_folder.filePath(QStringLiteral("nowhere.json"))});
        QCOMPARE(run.status, 1);
        QVERIFY2(run.err.contains("nowhere.json"), run.err.constData());
        run = importConfig({m_folder.path()});
        QCOMPARE(run.status, 1);
        QCOMPARE(importConfig({}).status, 2);
    }
};
HEADROOM_TEST_WITH(QCoreApplication, TestImportConfig)

} // namespace headroom::test_import_config
#include "test_import_config.moc"
