// SPDX-License-Identifier: GPL-3.0-or-later
// One result in several formats: a key, a column and a sentence say the same of it.
#include "tests/support/cli_process.hpp"
#include "tests/support/program.hpp"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace headroom::test_formats_agree
{

using namespace Qt::StringLiterals;
using test::Outcome;

namespace
{

/// Its step fits; a later phase does not.
constexpr const char* phases = R"({"format": "headroom-scenario", "version": 1, "model": "llama-3.1-8b",
    "hardware": {"accelerator": "h100-sxm-80gb", "count": 16}, "workload": {"task": "training",
    "sequence_length": 4096, "checkpointing": "full", "phases": [{"tokens": 1e10},
    {"tokens": 1e9, "sequence_length": 1048576}]}, "parallelism": {"sharding": "fsdp"}})";
/// Its update fits; the copies that generate do not.
constexpr const char* learning = R"({"format": "headroom-scenario", "version": 1, "model": "llama-3.3-70b",
    "hardware": {"accelerator": "h100-sxm-80gb", "count": 64}, "workload": {"task": "training",
    "sequence_length": 2048, "checkpointing": "full", "rl": {"prompts": 64, "samples": 8, "prompt_tokens": 200,
    "output_tokens": 1000}}, "parallelism": {"sharding": "fsdp"}})";

Outcome run(QStringList arguments, const char* scenario)
{
    arguments.insert(1, u"-"_s);
    return test::runCli(arguments, scenario);
}

/// The cell of a column in the first row; no cell before it is quoted.
QByteArray cell(const Outcome& csv, const QByteArray& column)
{
    const auto lines = csv.lines();
    const auto at = lines.value(0).trimmed().split(',').indexOf(column);
    return lines.value(1).trimmed().split(',').value(at);
}

} // namespace

class TestFormatsAgree : public QObject
{
    Q_OBJECT
private slots:
    /// JSON said that it fits where CSV and sweeps said no and the text "A phase does not fit".
    void whetherItFits()
    {
        for (const char* scenario : {phases, learning}) {
            const QJsonObject json =
                QJsonDocument::fromJson(run({u"evaluate"_s, u"--format"_s, u"json"_s}, scenario).out).object();
            QVERIFY2(json.contains(u"fits"_s) && !json[u"fits"_s].toBool(), scenario);
            QVERIFY2(json[u"step_fits"_s].toBool(), scenario);
            const auto figure = [&](const QString& format) {
                return run({u"evaluate"_s, u"--metric"_s, u"mfu"_s, u"--format"_s, format}, scenario);
            };
            QVERIFY(figure(u"json"_s).out.contains(R"("fits":false)"));
            QCOMPARE(cell(figure(u"csv"_s), "fits"), QByteArray("false"));
            QVERIFY(figure(u"text"_s).out.contains("(does not fit)"));
            QCOMPARE(cell(run({u"evaluate"_s, u"--format"_s, u"csv"_s}, scenario), "fits"), QByteArray("false"));
        }
    }

    /// What `evaluate` notes, `explain` notes: it said 48 sequences of 256, and nothing of why.
    void explainHasTheNotes()
    {
        constexpr const char* large = R"({"format": "headroom-scenario", "version": 1, "model": "llama-3.1-8b",
            "hardware": {"accelerator": "h100-sxm-80gb"}, "workload": {"task": "inference", "batch": 256,
            "prompt_tokens": 8192}})";
        for (const char* scenario : {large, phases}) {
            QByteArrayList notes;
            for (const QByteArray& line : run({u"evaluate"_s}, scenario).lines())
                if (line.startsWith("Note: "))
                    notes << line;
            QVERIFY(!notes.isEmpty());
            const Outcome why = run({u"explain"_s, u"--metric"_s, u"tokens_per_s"_s}, scenario);
            for (const QByteArray& note : notes)
                QVERIFY2(why.out.contains(note), note.constData());
        }
    }

    /// A step of a plan is that of reinforcement learning in its JSON as in its CSV.
    void thePlansStepIsTheSame()
    {
        const QStringList question{u"--gpus"_s, u"64"_s, u"--top"_s, u"1"_s, u"--lock"_s, u"tensor"_s};
        const Outcome csv = run(QStringList{u"plan"_s, u"--format"_s, u"csv"_s} + question, learning);
        const Outcome answer = run(QStringList{u"plan"_s, u"--format"_s, u"json"_s} + question, learning);
        const QJsonObject row = QJsonDocument::fromJson(answer.out).object()[u"ranked"_s][0].toObject();
        const QJsonObject result = row[u"evaluation"_s].toObject();
        for (const char* key : {"step_time_s", "tokens_per_s"}) {
            // Layouts are quoted where they have a comma; these have none.
            QCOMPARE(row[QLatin1StringView(key)].toDouble(), cell(csv, key).toDouble());
            QCOMPARE(row[u"update_"_s + QLatin1StringView(key)], result[QLatin1StringView(key)]);
        }
        QCOMPARE(row[u"step_time_s"_s], result[u"rl"_s][u"step_s"_s]);
    }
};
HEADROOM_TEST(TestFormatsAgree)

} // namespace headroom::test_formats_agree
#include "test_formats_agree.moc"
