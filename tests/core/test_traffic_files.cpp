// SPDX-License-Identifier: GPL-3.0-or-later
// Traffic in a file: what cannot be is refused in its place, and what is written is read again.
#include "core/scenario/parameter_registry.hpp"
#include "core/scenario/scenario_json.hpp"
#include "tests/support/program.hpp"
#include "tests/support/serving_fixture.hpp"
#include "tests/support/support.hpp"

#include <array>

namespace headroom::test_traffic_files
{

using test::prepareServing;

class TestTrafficFiles : public QObject
{
    Q_OBJECT
private slots:
    void whatCannotBeIsRefusedInItsPlace()
    {
        struct Case {
            const char *workload, *path;
        };
        constexpr std::array cases{
            Case{R"("prompt_tokens": 1000, "prompt_tokens_p99": 900)", "/workload/prompt_tokens_p99"},
            Case{R"("output_tokens": 100, "output_tokens_p95": 300, "output_tokens_p99": 200)",
                 "/workload/output_tokens_p99"},
            Case{R"("prompt_tokens": 1000, "prompt_tokens_p95": 20001)", "/workload/prompt_tokens_p95"},
            Case{R"("output_tokens": 100, "output_tokens_p99": 10001)", "/workload/output_tokens_p99"},
            Case{R"("prompt_tokens": 1000, "prompt_tokens_p50": 3000, "prompt_tokens_p95": 2000)",
                 "/workload/prompt_tokens_p50"},
            Case{R"("batch": 256, "max_tokens_per_pass": 256)", "/workload/max_tokens_per_pass"},
            Case{R"("mix": [{"share": 1, "prompt_tokens": 10, "output_tokens": 10}])", "/workload/mix"},
            Case{
                R"("mix": [{"share": 0.5, "prompt_tokens": 10, "output_tokens": 10}, {"share": 0.4, "prompt_tokens": 20, )"
                R"("output_tokens": 10}])",
                "/workload/mix"},
            Case{
                R"("mix": [{"share": 0.5, "prompt_tokens": 10, "output_tokens": 10}, {"share": 0.5, "prompt_tokens": 0, )"
                R"("output_tokens": 10}])",
                "/workload/mix/1/prompt_tokens"},
            Case{R"("prompt_tokens": 99, "mix": [{"share": 0.5, "prompt_tokens": 10, "output_tokens": 10}, )"
                 R"({"share": 0.5, "prompt_tokens": 20, "output_tokens": 10}])",
                 "/workload/prompt_tokens"},
            Case{R"("prefix_hit_rate": 0.5, "prefix_cached_tokens": 100)", "/workload/prefix_hit_rate"},
            Case{R"("prefix_hit_rate": 1.5)", "/workload/prefix_hit_rate"},
            Case{R"("prompt_tokens_cv": -1)", "/workload/prompt_tokens_cv"},
            Case{R"("arrival_cv": 1000)", "/workload/arrival_cv"},
            Case{R"("latency_targets": {"percentile": "p90"})", "/workload/latency_targets/percentile"}};
        for (const Case& one : cases) {
            const auto result = prepareServing(one.workload);
            QVERIFY2(!result, one.workload);
            QVERIFY2(result.error().front().path == one.path, result.error().front().path.c_str());
        }
        QVERIFY(prepareServing(
            R"("prompt_tokens": 1155, "prompt_tokens_p50": 1020, "prompt_tokens_p95": 4083, "arrival_cv": 13)"));
    }

    void aFileKeepsItsTraffic()
    {
        Scenario s;
        s.task = Task::Inference;
        s.inference.promptTokensP50 = 500;
        s.inference.promptTokensP99 = 9000;
        s.inference.outputTokensP50 = 100;
        s.inference.outputTokensP99 = 2000;
        s.inference.promptTokensCv = 0.96;
        s.inference.outputTokensCv = 0.77;
        s.inference.arrivalCv = 1.09;
        s.inference.prefixHitRate = 0.37;
        s.inference.maxTokensPerPass = 8192;
        s.inference.targetPercentile = TargetPercentile::P99;
        RequestMix mix;
        mix.count = 2;
        mix.all[0] = {0.25, 1000, 100};
        mix.all[1] = {0.75, 2000, 300};
        s.inference.mix = mix;
        s.inference.promptTokens = 1750;
        s.inference.outputTokens = 250;
        const auto again = readScenario(writeScenario(s), Catalog::builtIn());
        QVERIFY(again && again->scenario.inference == s.inference);
    }

    /// σ = z is the widest log-normal that a percentile knows: e^(1.6449²/2) = 3.868 and e^(2.3263²/2) = 14.97 times.
    void aPercentileThatNoLogNormalReachesIsSaid()
    {
        const auto warns = [](const char* work) {
            return evaluate(*prepareServing(work)).warnings.has(WarningCode::PercentileTooFar);
        };
        QVERIFY(!warns(R"("prompt_tokens": 1000, "prompt_tokens_p95": 3867)"));
        QVERIFY(warns(R"("prompt_tokens": 1000, "prompt_tokens_p95": 3869)"));
        QVERIFY(!warns(R"("output_tokens": 1000, "output_tokens_p99": 14960)"));
        QVERIFY(warns(R"("output_tokens": 1000, "output_tokens_p99": 14980)"));
        QVERIFY(!warns(R"("prompt_tokens": 1000, "prompt_tokens_p95": 5000, "prompt_tokens_cv": 2)"));
        const PreparedScenario s = *prepareServing(R"("prompt_tokens": 1000, "prompt_tokens_p95": 5000)");
        const std::string text = warningText(WarningCode::PercentileTooFar, 5, s);
        QVERIFY2(
            text.starts_with("'prompt_tokens_p95' is 5.00 times the mean, that of a log-normal at most 3.87 times"),
            text.c_str());
    }

    /// What the window can say of a mix: a second class beside what there is, which by itself changes nothing.
    void rowsSayASecondClass()
    {
        auto s = *prepareServing(R"("prompt_tokens": 1000, "output_tokens": 200, "batch": 16)");
        const Evaluation alone = evaluate(s);
        const auto row = [](const char* id) { return *parameterRow(id); };
        QVERIFY(!row("mix_prompt_tokens").applies(s) && row("mix_share").applies(s));
        row("mix_share").set(s, 0.25);
        QVERIFY(s.inference.mix && row("mix_prompt_tokens").applies(s));
        QCOMPARE(*evaluate(s).tpotS, *alone.tpotS);
        QCOMPARE(evaluate(s).mix->latencyS, *alone.requestLatencyS);
        row("mix_prompt_tokens").set(s, 5000);
        row("mix_output_tokens").set(s, 40);
        QCOMPARE(s.inference.promptTokens, 2000);
        QCOMPARE(s.inference.outputTokens, 160);
        row("mix_share").set(s, 0.5);
        QCOMPARE(s.inference.mix->all[0].share, 0.5);
        QCOMPARE(s.inference.promptTokens, 3000);
        QVERIFY(evaluate(s).mix->all[1].ttftS > evaluate(s).mix->all[0].ttftS);
        Scenario file;
        file.setup() = s.setup();
        file.model.id = "llama-3-8b";
        file.accelerator.id = "h100-sxm-80gb";
        const auto again = readScenario(writeScenario(file), Catalog::builtIn());
        QVERIFY(again && again->scenario.inference == s.inference);
        row("mix_output_tokens").reset(s); // no second class: the first alone, as before
        QVERIFY(!s.inference.mix);
        QCOMPARE(s.inference.promptTokens, 1000);
        QCOMPARE(s.inference.outputTokens, 200);
        QVERIFY(evaluate(s) == alone);
    }
};
HEADROOM_TEST(TestTrafficFiles)

} // namespace headroom::test_traffic_files
#include "test_traffic_files.moc"
