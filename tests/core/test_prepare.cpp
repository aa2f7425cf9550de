// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/evaluate.hpp"
#include "core/support/language.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

#include <thread>

namespace headroom::test_prepare
{
namespace
{

QString qt(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

Setup training(std::int64_t count, std::int64_t tensor, std::int64_t pipeline = 1)
{
    Setup setup;
    setup.hardware.count = count;
    setup.parallelism.tensor = tensor;
    setup.parallelism.pipeline = pipeline;
    return setup;
}

Setup inference(std::int64_t count, std::int64_t tensor)
{
    Setup setup = training(count, tensor);
    setup.task = Task::Inference;
    return setup;
}

/// "code path" of the only refusal, empty where there is none.
QString refusal(const Setup& setup)
{
    const Diagnostics problems = checkSetup(setup);
    if (problems.size() > 1)
        return QStringLiteral("%1 refusals").arg(problems.size());
    return problems.empty() ? QString() : qt(problems.front().code + " " + problems.front().path);
}

} // namespace

class TestPrepare : public QObject
{
    Q_OBJECT
private slots:
    void oneIsSaidInTheSingular_data()
    {
        QTest::addColumn<std::int64_t>("count");
        QTest::addColumn<bool>("serves");
        QTest::addColumn<std::int64_t>("replicas");
        QTest::addColumn<std::string>("english");
        QTest::addColumn<std::string>("german");
        constexpr std::int64_t none = 0;
        const auto row = [](const char* name, std::int64_t count, bool serves, std::int64_t replicas,
                            const char* english, const char* german) {
            QTest::newRow(name) << count << serves << replicas << std::string(english) << std::string(german);
        };
        row("training, one", 1, false, none, "1 GPU does not divide into groups of tensor",
            "1 GPU lässt sich nicht in Gruppen von tensor");
        row("training, more", 3, false, none, "3 GPUs do not divide into groups of tensor",
            "3 GPUs lassen sich nicht in Gruppen von tensor");
        row("serving, one", 1, true, none, "1 GPU does not divide into replicas of tensor",
            "1 GPU lässt sich nicht in Replikate zu tensor");
        row("serving, more", 3, true, none, "3 GPUs do not divide into replicas of tensor",
            "3 GPUs lassen sich nicht in Replikate zu tensor");
        row("one GPU, two replicas", 1, true, 2, "1 GPU is not 2 replicas of tensor", "1 GPU ist nicht 2 Replikate zu");
        row("three GPUs, one replica", 3, true, 1, "3 GPUs are not 1 replica of tensor",
            "3 GPUs sind nicht 1 Replikat zu");
    }
    void oneIsSaidInTheSingular()
    {
        QFETCH(const std::int64_t, count);
        QFETCH(const bool, serves);
        QFETCH(const std::int64_t, replicas);
        QFETCH(const std::string, english);
        QFETCH(const std::string, german);
        Setup setup = serves ? inference(count, 2) : training(count, 2);
        if (replicas > 0)
            setup.parallelism.replicas = replicas;
        const auto begins = [&setup](const std::string& text) {
            const Diagnostics problems = checkSetup(setup);
            return problems.size() == 1 && problems.front().message.starts_with(text);
        };
        QVERIFY2(begins(english), checkSetup(setup).front().message.c_str());
        static const Phrases phrases = Phrases::embedded("de");
        speak(&phrases);
        const std::string said = checkSetup(setup).front().message;
        const bool right = begins(german);
        speak(nullptr);
        QVERIFY2(right, said.c_str());
    }

    /// So is a GPU that generates.
    void oneThatGeneratesIsSaidInTheSingular()
    {
        Setup setup = training(1, 1);
        setup.training.rl.prompts = 8;
        setup.training.rl.rolloutTensor = 4;
        const Diagnostics problems = checkSetup(setup);
        QCOMPARE(problems.size(), std::size_t(1));
        QCOMPARE(problems.front().message,
                 std::string("1 GPU does not divide into copies of the model on 4 GPUs each"));
    }

    void countMustDivide()
    {
        const QString count = QStringLiteral("not-divisible /hardware/count");
        QCOMPARE(refusal(training(64, 8)), QString());
        QCOMPARE(refusal(training(64, 8, 3)), count);
        QCOMPARE(refusal(training(4, 8)), count);
        QCOMPARE(refusal(inference(8, 4)), QString());
        QCOMPARE(refusal(inference(6, 4)), count);
        Setup replicas = inference(8, 4);
        replicas.parallelism.replicas = 2;
        QCOMPARE(refusal(replicas), QString());
        replicas.parallelism.replicas = 3;
        QCOMPARE(refusal(replicas), count);
        Setup attention = inference(16, 4);
        attention.parallelism.attentionData = 4;
        QCOMPARE(refusal(attention), QString());
        attention.parallelism.attentionData = 8;
        QCOMPARE(refusal(attention), count);
    }

    void countSaysWhatWouldBeRight()
    {
        const Diagnostics problems = checkSetup(training(1, 8));
        QCOMPARE(qt(problems.front().hint), QStringLiteral("use a multiple of 8, or smaller parallel sizes"));
    }

    void globalBatchMustDivide()
    {
        Setup setup = training(64, 8); // data = 8
        setup.training.microBatch = 2;
        setup.training.globalBatch = 64;
        QCOMPARE(refusal(setup), QString());
        setup.training.globalBatch = 72;
        QCOMPARE(refusal(setup), QStringLiteral("not-divisible /workload/global_batch"));
        setup.training.globalBatch = 8;
        QCOMPARE(refusal(setup), QStringLiteral("not-divisible /workload/global_batch"));
        setup.task = Task::Inference; // not its business
        setup.hardware.count = 8;
        QCOMPARE(refusal(setup), QString());
    }

    void replicasOfTrainingDivideData()
    {
        Setup setup = training(64, 8);
        setup.parallelism.replicas = 4;
        QCOMPARE(refusal(setup), QString());
        setup.parallelism.replicas = 3;
        QCOMPARE(refusal(setup), QStringLiteral("not-divisible /parallelism/replicas"));
    }

    void cachedPrefixLiesWithinThePrompt()
    {
        Setup setup = inference(1, 1);
        setup.inference.prefixCachedTokens = setup.inference.promptTokens + 1;
        QCOMPARE(refusal(setup), QStringLiteral("out-of-range /workload/prefix_cached_tokens"));
    }

    void sizesFromAnywhereAreChecked()
    {
        Setup setup = training(8, 0);
        QCOMPARE(refusal(setup), QStringLiteral("out-of-range /parallelism/tensor"));
        setup = training(8, std::int64_t{1} << 62, std::int64_t{1} << 62); // no overflow
        QCOMPARE(refusal(setup), QStringLiteral("not-divisible /hardware/count"));
    }

    void looksUpAndKeepsTheSetup()
    {
        Scenario scenario;
        scenario.training.microBatch = 4;
        const auto prepared = prepare(scenario, Catalog::builtIn(), nullptr);
        QVERIFY(prepared);
        QCOMPARE(qt(prepared->model->architecture.id), QStringLiteral("llama-3-8b"));
        QCOMPARE(qt(prepared->accelerator->id), QStringLiteral("h100-sxm-80gb"));
        QVERIFY(prepared->calibration != nullptr);
        QVERIFY(static_cast<const Setup&>(*prepared) == scenario);
    }

    void everyProblemIsTold()
    {
        Scenario scenario;
        scenario.model.id = "llama-3-8";
        scenario.accelerator.id = "h100-sxm-80bg";
        scenario.parallelism.tensor = 3;
        const auto prepared = prepare(scenario, Catalog::builtIn(), nullptr);
        QVERIFY(!prepared);
        QCOMPARE(prepared.error().size(), 3u);
        QCOMPARE(qt(prepared.error()[1].path), QStringLiteral("/model"));
        QCOMPARE(qt(prepared.error()[1].hint), QStringLiteral("did you mean 'llama-3-8b'?"));
        QCOMPARE(qt(prepared.error()[2].path), QStringLiteral("/hardware/accelerator"));
        QCOMPARE(qt(prepared.error()[2].hint), QStringLiteral("did you mean 'h100-sxm-80gb'?"));
    }

    void incompletePartsAreRefused()
    {
        Scenario scenario;
        scenario.accelerator.id = "h100-sxm-64gb"; // no memory bandwidth is published
        const auto refused = prepare(scenario, Catalog::builtIn(), nullptr);
        QVERIFY(!refused);
        QCOMPARE(qt(refused.error().front().code), QStringLiteral("incomplete-accelerator"));
        scenario.accelerator.object = R"({"id": "h100-sxm-64gb", "memory_bandwidth_gbps_bytes": 2000})";
        QVERIFY(prepare(scenario, Catalog::builtIn(), nullptr));
    }

    void modelsAreCompiledOncePerThread()
    {
        const Catalog catalog = Catalog::builtIn();
        const auto profile = [&catalog] { return prepare(Scenario{}, catalog, nullptr)->model; };
        const auto first = profile();
        QVERIFY(profile() == first);
        std::shared_ptr<const ModelProfile> other;
        std::thread([&] { other = profile(); }).join();
        QVERIFY(other != first);
        // An entry of the same id in another catalogue is another model.
        ModelArchitecture changed = *catalog.model("llama-3-8b");
        changed.vocab = 1000;
        const auto prepared = prepare(Scenario{}, catalog.with(changed), nullptr);
        QVERIFY(prepared);
        QCOMPARE(prepared->model->vocab, 1000.0);
    }

    void commonWarningsAreAdded()
    {
        Scenario scenario;
        scenario.efficiency.matmul = 0.9;
        const Evaluation result = evaluate(*prepare(scenario, Catalog::builtIn(), nullptr));
        QVERIFY(result.warnings.has(WarningCode::EfficiencyOverridden));
        QVERIFY(!evaluate(*prepare(Scenario{}, Catalog::builtIn(), nullptr))
                     .warnings.has(WarningCode::EfficiencyOverridden));
    }
};
HEADROOM_TEST(TestPrepare)

} // namespace headroom::test_prepare
#include "test_prepare.moc"
