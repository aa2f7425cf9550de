// SPDX-License-Identifier: GPL-3.0-or-later
// Keys for what decides a run and used to be left unsaid: power limit, version and scheduler of the engine, compiler
// and attention kernel of the training stack.
#include "core/hardware/power.hpp"
#include "core/predict/key_effects.hpp"
#include "core/scenario/effective.hpp"
#include "core/scenario/scenario_json.hpp"
#include "tests/support/program.hpp"
#include "tests/support/serving_fixture.hpp"
#include "tests/support/support.hpp"

#include <cmath>

namespace headroom::test_said_keys
{

using test::serving;

namespace
{

PreparedScenario training(TrainingSoftware software = TrainingSoftware::TorchFsdp)
{
    return serving("llama-3-8b", "h100-sxm-80gb", 8, [software](Scenario& s) {
        s.task = Task::Training;
        s.parallelism.tensor = 1;
        s.training.sequenceLength = 8192;
        s.training.checkpointing = Checkpointing::SelectiveOp;
        s.training.software = software;
    });
}

PreparedScenario limited(PreparedScenario scenario, double watts)
{
    scenario.hardware.powerLimitW = watts;
    return scenario;
}

InferenceSoftware serves(InferenceSoftware software, const char* version, std::optional<bool> async = {})
{
    InferenceWorkload w;
    w.software = software;
    w.softwareVersion = SoftwareVersion::from(version);
    w.asyncScheduling = async;
    return effectiveSoftware(w);
}

Expected<ScenarioReading> readWorkload(const QByteArray& keys)
{
    const QByteArray text = R"({"format": "headroom-scenario", "version": 1, "model": "llama-3-8b", "hardware": )"
                            R"({"accelerator": "h100-sxm-80gb"}, "workload": {"task": "inference", )" +
                            keys + "}}";
    static const Catalog catalog = Catalog::builtIn();
    return readScenario(text.toStdString(), catalog);
}

} // namespace

class TestSaidKeys : public QObject
{
    Q_OBJECT
private slots:
    void aShareFallsWithThePowerLimit()
    {
        QCOMPARE(shareUnderLimit(0.72, 1), 0.72);
        // (e⁻⁴ − π + π·c^(−4/3.15))^(−1/4) by hand, e = 0.72, s = 5/7: e⁻⁴ = 3.7211, π = e⁻⁴ − 1.8281, c = (s −
        // 0.2)/0.8 = 0.64286, c^(−4/3.15) = 1.7525.
        QVERIFY(std::abs(shareUnderLimit(0.72, 5.0 / 7) - std::pow(1.8281 + 1.8930 * 1.7525, -0.25)) < 1e-5);
        // At 150 of 250 W: c = 0.5, c^(−4/3.15) = 2.4112.
        QVERIFY(std::abs(shareUnderLimit(0.72, 0.6) - std::pow(1.8281 + 1.8930 * 2.4112, -0.25)) < 1e-5);
        double before = 0;
        for (int percent = 5; percent <= 100; percent += 5) {
            const double share = shareUnderLimit(0.9, percent / 100.0); // beyond full clock: a tenth counts as power
            QVERIFY(share > before && share <= 0.9);
            before = share;
        }
    }

    void aPowerLimitSlowsTrainingAndPromptsButNotDecoding()
    {
        const Evaluation full = evaluate(training()), less = evaluate(limited(training(), 500));
        QVERIFY(*less.stepTimeS > 1.03 * *full.stepTimeS && *less.stepTimeS < 1.1 * *full.stepTimeS);
        QVERIFY(*less.watts < *full.watts);
        PreparedScenario ideal = training();
        ideal.efficiency.base = EfficiencyBase::Ideal;
        QCOMPARE(*evaluate(limited(ideal, 500)).stepTimeS, *evaluate(ideal).stepTimeS);

        const PreparedScenario served = serving("llama-3-8b", "h100-sxm-80gb", 1);
        const Evaluation fast = evaluate(served), slow = evaluate(limited(served, 350));
        QVERIFY(slow.prefill->timeS > 1.1 * fast.prefill->timeS);
        QVERIFY(*slow.tpotS < 1.02 * *fast.tpotS);                          // one sequence at a time waits for memory
        QVERIFY(*evaluate(limited(served, 150)).tpotS > 1.5 * *fast.tpotS); // which waits for power in the end
    }

    void wattsStayBelowTheLimit()
    {
        const auto hostFactor = Calibration::builtIn()->energy.hostFactor;
        for (const double limit : {200.0, 450.0, 700.0})
            QVERIFY(*evaluate(limited(training(), limit)).watts <= limit * 8 * hostFactor * (1 + 1e-12));
    }

    void aLimitAboveTheRatingIsWarnedOf()
    {
        QVERIFY(!hasKeyWithoutEffect(limited(training(), 700)));
        const PreparedScenario above = limited(training(), 900);
        QVERIFY(evaluate(above).warnings.has(WarningCode::KeyWithoutEffect));
        QVERIFY(keysWithoutEffectText(above).find("700 W") != std::string::npos);
        QCOMPARE(*evaluate(above).stepTimeS, *evaluate(training()).stepTimeS);
    }

    /// Boards take no limit far below a quarter of their rating: an H100 of 700 W is not run at 10.
    void aLimitBelowWhatBoardsTakeIsTheLowest()
    {
        const PreparedScenario low = limited(training(), 10), quarter = limited(training(), 175);
        QCOMPARE(boardWatts(low.hardware, *low.accelerator), 175.0);
        QCOMPARE(*evaluate(low).watts, *evaluate(quarter).watts);
        QCOMPARE(*evaluate(low).stepTimeS, *evaluate(quarter).stepTimeS);
        QVERIFY(keysWithoutEffectText(low).find("175 W") != std::string::npos);
        QVERIFY(keysWithoutEffectText(quarter).empty());
    }

    /// What is described and not asked for changes nothing: the result says so.
    void keysThatNobodyLooksAtAreSaid()
    {
        PreparedScenario trained = training();
        QVERIFY(keysWithoutEffectText(trained).empty());
        trained.training.loraRank = 64;
        QVERIFY(keysWithoutEffectText(trained).find("lora has no effect") == 0);
        trained.training.method = Method::Lora;
        QVERIFY(keysWithoutEffectText(trained).empty());
        trained.hardware.power.idleW = 500; // an H100 that runs kernels takes 371 before they do anything
        QVERIFY(keysWithoutEffectText(trained).find("idle_w counts as 371 W") == 0);
        trained.hardware.power.idleW = 100;
        QVERIFY(keysWithoutEffectText(trained).empty());
        trained.hardware.spotMtbfHours = 100;
        QVERIFY(keysWithoutEffectText(trained).find("spot_mtbf_hours has no effect") == 0);
        trained.hardware.priceKind = PriceKind::Spot;
        QVERIFY(keysWithoutEffectText(trained).find("spot_mtbf_hours has no effect") == std::string::npos);

        PreparedScenario served = serving("llama-3-8b", "h100-sxm-80gb", 1);
        served.inference.arrivalCv = 4;
        QVERIFY(keysWithoutEffectText(served).find("arrival_cv has no effect") == 0);
        served.inference.requestsPerS = 1;
        QVERIFY(keysWithoutEffectText(served).empty());
        served.inference.admissionWait = 10;
        QVERIFY(keysWithoutEffectText(served).empty());
        served.inference.scheduling = Scheduling::Static;
        QVERIFY(keysWithoutEffectText(served).find("arrival and admission_wait") == 0);
    }

    /// Sizes of the pool that reads prompts are said by their own numbers: 64 query heads over 3, 80 layers over 3.
    void sizesOfThePrefillPoolAreSaid()
    {
        PreparedScenario p = serving("llama-3-70b", "h100-sxm-80gb", 8);
        p.parallelism.tensor = 8;
        p.inference.scheduling = Scheduling::Disaggregated;
        p.inference.prefillPool.expert = 8;
        QCOMPARE(keysWithoutEffectText(p),
                 std::string("prefill_pool.parallelism.expert = 8 has no effect: Llama 3 70B has no experts."));
        p.inference.prefillPool.expert.reset();
        p.inference.prefillPool.tensor = 3;
        p.inference.prefillPool.pipeline = 3;
        const auto said = [](WarningCode code, const PreparedScenario& scenario) {
            const Evaluation e = evaluate(scenario);
            return e.warnings.has(code) ? warningText(code, e.warnings.number(code), scenario) : "";
        };
        QVERIFY(said(WarningCode::HeadsNotDivisible, p).find("tensor = 3:") != std::string::npos);
        QVERIFY(said(WarningCode::LayersNotDivisible, p).find("80 layers do not divide into 3 ") == 0);
        PreparedScenario experts = serving("deepseek-v3", "h200-sxm-141gb", 16);
        experts.parallelism.tensor = 16;
        experts.inference.scheduling = Scheduling::Disaggregated;
        experts.inference.prefillPool.expert = 3;
        QVERIFY(said(WarningCode::ExpertsNotDivisible, experts).find("256 experts do not divide by expert = 3:") == 0);
        QVERIFY(said(WarningCode::ExpertGroupTooLarge, experts).find("expert = 3 does not divide the 16 ranks") == 0);
    }

    /// An adapter as usual, and no method that trains one: nothing of it is left in the scenario, so the reader tells.
    void adaptersWithoutAMethodAreToldWhereTheyAreRead()
    {
        const auto warnings = [](const char* keys) {
            const std::string text = std::string(R"({"format": "headroom-scenario", "version": 1, "model": )"
                                                 R"("llama-3-8b", "hardware": {"accelerator": "h100-sxm-80gb"}, )"
                                                 R"("workload": {"task": "training", )") +
                                     keys + "}}";
            return readScenario(text, Catalog::builtIn()).value().warnings;
        };
        const Diagnostics told = warnings(R"("lora": {"rank": 16})");
        QCOMPARE(told.size(), std::size_t{1});
        QCOMPARE(QString::fromStdString(told.front().path), QStringLiteral("/workload/lora"));
        QVERIFY(warnings(R"("lora": {"rank": 16}, "method": "qlora")").empty());
        QVERIFY(warnings(R"("lora": {"rank": 8})").empty()); // of these the result tells
    }

    void replicasWithoutShardingAreSaid()
    {
        PreparedScenario p = training();
        p.parallelism.replicas = 2;
        p.parallelism.sharding = Sharding::Fsdp;
        QVERIFY(keysWithoutEffectText(p).find("replicas") == std::string::npos);
        p.parallelism.sharding = Sharding::None;
        QVERIFY(keysWithoutEffectText(p).find("replicas = 2") != std::string::npos);
    }

    /// Each pass that goes by before a request is taken costs its first token a pass, and nothing else.
    void aRequestWaitsUntilItIsTaken()
    {
        PreparedScenario p = serving("llama-3-8b", "h100-sxm-80gb", 1, [](Scenario& s) { s.inference.batch = 32; });
        const auto ttft = [&p](std::optional<double> passes) {
            p.inference.admissionWait = passes;
            return *evaluate(p).ttftS;
        };
        const double usual = ttft({}), tpot = *evaluate(p).tpotS, alone = *evaluate(p).ttftAloneS;
        QCOMPARE(ttft(0.5), usual);
        const double pass = ttft(1.5) - usual;
        QVERIFY(pass > 0 && pass <= tpot); // TPOT has newcomers' prompts in it
        QVERIFY(std::abs((ttft(15.5) - usual) / (15 * pass) - 1) < 1e-9);
        QCOMPARE(*evaluate(p).tpotS, tpot);
        QCOMPARE(*evaluate(p).ttftAloneS, alone);
        p.inference.scheduling = Scheduling::Static;
        QCOMPARE(ttft(15), ttft({}));
    }

    /// FlashAttention 2 has no kernels for Blackwell: an H100's arithmetic beside twice the matmuls'.
    void olderAttentionIsNoFasterOnBlackwell()
    {
        const auto seconds = [](const char* accelerator, FlashAttention kernel) {
            PreparedScenario p = serving("llama-3-8b", accelerator, 8, [kernel](Scenario& s) {
                s.task = Task::Training;
                s.parallelism.tensor = 1;
                s.training.sequenceLength = 131072;
                s.training.flashAttention = kernel;
            });
            const Evaluation e = evaluate(p);
            return e.part(TimePart::Attention);
        };
        const double second = seconds("b200-sxm", FlashAttention::V2);
        QVERIFY(second > 3 * seconds("b200-sxm", FlashAttention::On));
        QVERIFY(second > 0.8 * seconds("h100-sxm-80gb", FlashAttention::On));
        QCOMPARE(seconds("b200-sxm", FlashAttention::V1), second);
        QCOMPARE(seconds("b200-sxm", FlashAttention::Cudnn), seconds("b200-sxm", FlashAttention::On));
    }

    void oneKernelDispatchesTokens()
    {
        const auto with = [](std::optional<bool> fused) {
            PreparedScenario p = serving("qwen3-30b-a3b", "h100-sxm-80gb", 8, [fused](Scenario& s) {
                s.task = Task::Training;
                s.training.sequenceLength = 4096;
                s.parallelism.tensor = 1;
                s.parallelism.expert = 8;
                s.training.fusedDispatch = fused;
            });
            return evaluate(p);
        };
        QCOMPARE(*with(false).stepTimeS, *with({}).stepTimeS);
        QVERIFY(*with(true).stepTimeS < 0.95 * *with({}).stepTimeS);
        QCOMPARE(with(true).part(TimePart::Experts), with({}).part(TimePart::Experts));
    }

    void theVersionChoosesTheProfile()
    {
        using enum InferenceSoftware;
        QCOMPARE(serves(Vllm, "0.6.6"), Vllm2024);
        QCOMPARE(serves(Vllm, "0.9.1"), VllmSync);
        QCOMPARE(serves(Vllm, "0.14.0rc1"), Vllm);
        QCOMPARE(serves(Vllm2024, "0.15"), Vllm);
        QCOMPARE(serves(TrtLlm, "0.5.0"), TrtLlm2023);
        QCOMPARE(serves(TrtLlm, "0.10"), TrtLlm2024);
        QCOMPARE(serves(TrtLlm, "1.0.0rc3"), TrtLlm);
        QCOMPARE(serves(Sglang, "0.5.9"), Sglang);
        QCOMPARE(serves(VllmSync, ""), VllmSync); // no version: as named
    }

    void theSchedulerCanBeSaid()
    {
        using enum InferenceSoftware;
        QCOMPARE(serves(Vllm, "0.19.0", false), VllmSync);
        QCOMPARE(serves(Vllm, "0.12.0", true), Vllm);
        QCOMPARE(serves(Sglang, "0.5.9", false), Sglang);
        PreparedScenario p = serving("llama-3-8b", "h100-sxm-80gb", 1, [](Scenario& s) {
            s.inference.software = InferenceSoftware::Vllm;
            s.inference.batch = 32;
        });
        const double async = *evaluate(p).tpotS;
        p.inference.asyncScheduling = false;
        QVERIFY(*evaluate(p).tpotS > async);
        p.inference.software = Sglang;
        QVERIFY(evaluate(p).warnings.has(WarningCode::KeyWithoutEffect));
    }

    void compilingFusesKernels()
    {
        PreparedScenario p = training();
        const double unknown = *evaluate(p).stepTimeS;
        p.training.compile = true;
        QVERIFY(*evaluate(p).stepTimeS < unknown);
        p.training.compile = false;
        QVERIFY(*evaluate(p).stepTimeS > unknown);
        p = training(TrainingSoftware::Megatron);
        p.training.compile = true;
        QVERIFY(evaluate(p).warnings.has(WarningCode::KeyWithoutEffect));
    }

    void aReleaseFusesGatedExpertsInMxfp8()
    {
        const auto step = [](const char* model, const char* version, DataType precision) {
            PreparedScenario p = serving(model, "gb200", 8, [](Scenario& s) {
                s.task = Task::Training;
                s.parallelism.tensor = 1;
                s.parallelism.expert = 8;
                s.training.software = TrainingSoftware::Megatron;
            });
            p.training.precision = precision;
            p.training.softwareVersion = SoftwareVersion::from(version);
            return *evaluate(p).stepTimeS;
        };
        QVERIFY(step("qwen3-30b-a3b", "26.06", DataType::Mxfp8) <
                0.8 * step("qwen3-30b-a3b", "26.04.01", DataType::Mxfp8));
        QCOMPARE(step("qwen3-30b-a3b", "26.06", DataType::Bf16), step("qwen3-30b-a3b", "26.04.01", DataType::Bf16));
        // Its experts have no gate.
        QCOMPARE(step("nemotron-3-nano-30b-a3b", "26.06", DataType::Mxfp8),
                 step("nemotron-3-nano-30b-a3b", "26.04.01", DataType::Mxfp8));
    }

    void cudnnAttentionIsMadeForHopper()
    {
        PreparedScenario p = training();
        const double second = *evaluate(p).stepTimeS;
        p.training.flashAttention = FlashAttention::Cudnn;
        const double cudnn = *evaluate(p).stepTimeS;
        QVERIFY(cudnn < second);
        p.training.flashAttention = FlashAttention::V3;
        QCOMPARE(*evaluate(p).stepTimeS, cudnn);
    }

    void versionsAreReadAndWritten()
    {
        const auto read =
            readWorkload(R"("software": "vllm", "software_version": "v0.14.1rc2", "flash_attention": "cudnn")");
        QVERIFY(read);
        QCOMPARE(read->scenario.inference.softwareVersion->text(), "0.14.1rc2");
        QVERIFY(writeScenario(read->scenario).find(R"("software_version": "0.14.1rc2")") != std::string::npos);
        QVERIFY(writeScenario(read->scenario).find(R"("flash_attention": "cudnn")") != std::string::npos);
    }

    void aPriceOfZeroIsToldToBeLeftOut()
    {
        static const Catalog catalog = Catalog::builtIn();
        const auto read =
            readScenario(R"({"format": "headroom-scenario", "version": 1, "model": "llama-3-8b", "hardware":
            {"accelerator": "h100-sxm-80gb", "price_per_gpu_hour": 0}, "workload": {"task": "inference"}})",
                         catalog);
        QVERIFY(!read);
        QCOMPARE(read.error().front().path, "/hardware/price_per_gpu_hour");
        QCOMPARE(read.error().front().hint, "leave the key out where it is not known");
    }

    void whatIsNoVersionIsRefused_data()
    {
        QTest::addColumn<QByteArray>("value");
        QTest::newRow("word") << QByteArray(R"("latest")");
        QTest::newRow("empty") << QByteArray(R"("")");
        QTest::newRow("number") << QByteArray("0.14");
        QTest::newRow("blank") << QByteArray(R"("0.14 dev")");
        QTest::newRow("long") << QByteArray(R"("0.14.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0")");
    }
    void whatIsNoVersionIsRefused()
    {
        QFETCH(QByteArray, value);
        const auto read = readWorkload("\"software_version\": " + value);
        QVERIFY(!read);
        QCOMPARE(read.error().front().path, "/workload/software_version");
    }
};
HEADROOM_TEST(TestSaidKeys)

} // namespace headroom::test_said_keys
#include "test_said_keys.moc"
