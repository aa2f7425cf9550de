// SPDX-License-Identifier: GPL-3.0-or-later
// One of something is said in the singular, in English and in German: what is imported, and what a result warns of.
// Keys of files have names for people.
#include "core/catalog/hf_config.hpp"
#include "core/metrics/words.hpp"
#include "core/predict/evaluate.hpp"
#include "core/support/language.hpp"
#include "tests/support/places.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>

namespace headroom::test_counted_words
{
namespace
{

/// Everything that is said of a Llama of so many layers with one more key.
std::string saidOf(int layers, const std::string& more = {})
{
    std::string config = R"({"transformers_version":"4.44.0","model_type":"llama","hidden_size":8,)"
                         R"("num_attention_heads":1,"intermediate_size":16,"vocab_size":32,)"
                         R"("max_position_embeddings":64,"num_hidden_layers":)" +
                         std::to_string(layers) + more + "}";
    const auto imported = importHfConfig(config, {});
    std::string text;
    for (const Diagnostic& each : imported ? imported->warnings : imported.error())
        text += each.message + "\n";
    return text;
}

std::string warned(WarningCode code, std::int64_t layers, std::int64_t experts, double value)
{
    auto model = std::make_shared<ModelProfile>();
    model->layers = layers;
    model->experts = experts;
    PreparedScenario scenario;
    scenario.model = model;
    scenario.parallelism.pipeline = 2;
    scenario.parallelism.expert = 2;
    return warningText(code, value, scenario);
}

} // namespace

class TestCountedWords : public QObject
{
    Q_OBJECT
private slots:
    void cleanup() { speak(nullptr); }

    void imports_data()
    {
        QTest::addColumn<int>("layers");
        QTest::addColumn<QString>("more");
        QTest::addColumn<QString>("english");
        QTest::addColumn<QString>("german");
        const QString one = QStringLiteral(R"(,"layer_types":["full_attention"])");
        QTest::newRow("one layer") << 1 << QString() << "1 layer: a draft model or a shortened file"
                                   << "1 Schicht: ein Entwurfsmodell oder eine gekürzte Datei";
        QTest::newRow("two layers") << 2 << QString() << "2 layers: a draft model or a shortened file"
                                    << "2 Schichten: ein Entwurfsmodell oder eine gekürzte Datei";
        QTest::newRow("one entry") << 3 << one << "layer_types has 1 entry for 3 layers"
                                   << "layer_types hat 1 Eintrag für 3 Schichten";
        QTest::newRow("one head") << 2 << QStringLiteral(R"(,"num_key_value_heads":2)")
                                  << "2 key-value heads do not divide 1 query head"
                                  << "2 Key/Value-Köpfe teilen 1 Query-Kopf nicht";
    }
    void imports()
    {
        QFETCH(int, layers);
        QFETCH(QString, more);
        QFETCH(QString, english);
        QFETCH(QString, german);
        const Phrases phrases = Phrases::embedded("de");
        for (const QString& expected : {english, german}) {
            speak(expected == german ? &phrases : nullptr);
            const QString text = QString::fromStdString(saidOf(layers, more.toStdString()));
            QVERIFY2(text.contains(expected), qPrintable(text));
        }
    }

    void warnings_data()
    {
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("one");
        QTest::addColumn<QString>("two");
        QTest::addColumn<QString>("eine");
        QTest::newRow("layers") << int(WarningCode::LayersNotDivisible) << "1 layer does not divide into 2 "
                                << "3 layers do not divide into 2 "
                                << "1 Schicht lässt sich nicht in 2 ";
        QTest::newRow("experts") << int(WarningCode::ExpertsNotDivisible)
                                 << "1 expert does not divide by expert = 2: it"
                                 << "3 experts do not divide by expert = 2: they"
                                 << "1 Experte lässt sich nicht durch expert = 2 ";
        QTest::newRow("sequences") << int(WarningCode::BatchLimitedByMemory) << "Memory holds 1 sequence at"
                                   << "Memory holds 3 sequences at"
                                   << "Der Speicher fasst 1 Sequenz zugleich";
    }
    void warnings()
    {
        QFETCH(int, code);
        QFETCH(QString, one);
        QFETCH(QString, two);
        QFETCH(QString, eine);
        const auto begins = [&](std::int64_t count, const QString& words) {
            const std::string text = warned(static_cast<WarningCode>(code), count, count, double(count));
            return QString::fromStdString(text).startsWith(words);
        };
        QVERIFY(begins(1, one));
        QVERIFY(begins(3, two));
        const Phrases phrases = Phrases::embedded("de");
        speak(&phrases);
        QVERIFY(begins(1, eine));
    }

    /// Windows name what files have keys for, in both languages.
    void keysBecomeLabels()
    {
        QCOMPARE(withLabels("tensor = 3: they are rounded up. price_kind looks nothing up."),
                 std::string("tensor parallel 3: they are rounded up. Kind of price looks nothing up."));
        QCOMPARE(withLabels("Set 'scale_out_gbit_per_s' to yours."), std::string("Set network per GPU to yours."));
        QCOMPARE(withLabels("rollout_pool.count and 'prefill_pool', but not this_one = 3."),
                 std::string("rollout GPUs and prefill pool, but not this_one = 3."));
        QCOMPARE(withLabels("State prefill_pool.price_per_gpu_hour."), std::string("State price of a prefill GPU."));
        QCOMPARE(withLabels("tensor × pipeline = 8 × 4 = 32, and others' batch = 4"),
                 std::string("tensor parallel × pipeline parallel = 8 × 4 = 32, and others' batch 4"));
        QCOMPARE(withLabels("compile has no effect. lora has none."),
                 std::string("torch.compile has no effect. LoRA has none."));
        QCOMPARE(capitalized("torch.compile has no effect."), std::string("torch.compile has no effect."));
        const Phrases phrases = Phrases::embedded("de");
        speak(&phrases);
        QCOMPARE(withLabels("Ohne „load_profile“ nicht; batch = 4"),
                 std::string("Ohne Last über den Tag nicht; Batch 4"));
    }

    /// What is chosen has a label, too. Two rows have "full": the one that the sentence names.
    void choicesBecomeLabels()
    {
        QCOMPARE(withLabels("There is no fit: 'tuned' is used."),
                 std::string("There is no fit: “well tuned” is used."));
        QCOMPARE(withLabels("Checkpointing is not stated: 'full' is assumed."),
                 std::string("Checkpointing is not stated: “full” is assumed."));
        QCOMPARE(withLabels("'full' is assumed."), std::string("'full' is assumed."));
        QCOMPARE(withLabels("'max' is at most 2048."), std::string("“As many as fit” is at most 2048."));
        QCOMPARE(withLabels("'megatron_causal' counts more than 'exact'."),
                 std::string("“Megatron, causal” counts more than “exact, causal”."));
        const Phrases phrases = Phrases::embedded("de");
        speak(&phrases);
        QCOMPARE(withLabels("Nur mit Scheduling 'disaggregated' oder „continuous“"),
                 std::string("Nur mit Scheduling „getrennt“ oder „kontinuierlich“"));
    }

    /// In no sentence that a result warns with is a word left that only files have.
    void noWarningHasAWordOfFiles()
    {
        QFile file(QString::fromStdString(headroom::test::sourcePath("resources/translations/de/warnings.json")));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QStringList sentences = QJsonDocument::fromJson(file.readAll()).object().keys();
        QVERIFY(sentences.size() > 100);
        static const QRegularExpression raw(QStringLiteral("'[a-z_.]+'|[a-z]_[a-z]"));
        for (const QString& sentence : sentences) {
            QString filled = sentence;
            filled.replace(QStringLiteral("{}"), QStringLiteral("3"));
            const QString shown = QString::fromStdString(withLabels(filled.toStdString()));
            QVERIFY2(!shown.contains(raw), qPrintable(shown));
        }
    }
};
HEADROOM_TEST(TestCountedWords)

} // namespace headroom::test_counted_words
#include "test_counted_words.moc"
