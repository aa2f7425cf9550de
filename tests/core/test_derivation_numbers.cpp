// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers that an explanation puts in are those that give its figure: what stands beside each other agrees.
#include "core/explain/derive.hpp"
#include "core/predict/evaluate.hpp"
#include "core/units/format.hpp"
#include "tests/support/program.hpp"
#include "tests/support/serving_fixture.hpp"
#include "tests/support/support.hpp"

#include <algorithm>
#include <cmath>

namespace headroom::test_derivation_numbers
{
namespace
{

const DerivationStep& stepOf(const Derivation& d, std::string_view symbol)
{
    static const DerivationStep none;
    const auto found = std::ranges::find(d.steps, symbol, &DerivationStep::symbol);
    return found == d.steps.end() ? none : *found;
}

bool agrees(double a, double b)
{
    return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b));
}

PreparedScenario llama(std::int64_t count, const std::function<void(Scenario&)>& change)
{
    return test::serving("llama-3.1-8b", "h100-sxm-80gb", count, [&](Scenario& s) {
        s.parallelism.tensor = 1;
        change(s);
    });
}

bool has(std::string_view text, std::string_view part)
{
    return text.find(part) != std::string_view::npos;
}

} // namespace

class TestDerivationNumbers : public QObject
{
    Q_OBJECT
private slots:
    /// A load brings prompts one by one: "Why 8.6 %?" multiplied eight, one for each rank, and ended in 68 %.
    void promptsThatRunTogetherAreThoseOfThePass()
    {
        for (const bool load : {true, false}) {
            const PreparedScenario p = llama(8, [load](Scenario& s) {
                s.parallelism.attentionData = 8;
                s.inference.batch = 16;
                s.inference.promptTokens = 4096;
                s.inference.prefixCachedTokens = 96;
                s.inference.outputTokens = 256;
                if (load)
                    s.inference.requestsPerS = 0.5;
            });
            const Evaluation e = evaluate(p);
            const Derivation d = derive("prefill.mfu", p, e);
            QVERIFY(agrees(d.steps.back().value, *e.prefill->mfu));
            QCOMPARE(stepOf(d, "l").value, 4000.0);
            QCOMPARE(stepOf(d, "n").value, e.prefill->prompts);
            QVERIFY(load ? e.prefill->prompts < 2 : e.prefill->prompts == 8);
        }
    }

    /// What the memory cuts stands beside what the file says.
    void aBatchThatMemoryCutsNamesBoth()
    {
        const PreparedScenario p = llama(1, [](Scenario& s) {
            s.inference.batch = 256;
            s.inference.promptTokens = 8192;
        });
        const Evaluation e = evaluate(p);
        QVERIFY(e.batch < 256);
        const Derivation rate = derive("tokens_per_s", p, e);
        const std::string& name = stepOf(rate, "B").name;
        QVERIFY2(has(name, "(of 256 that are asked for)"), name.c_str());
        // The cache is of all of them, fit or not.
        const Derivation cache = derive("memory.kv_cache", p, e);
        QCOMPARE(stepOf(cache, "B").value, 256.0);
        QVERIFY(!has(stepOf(cache, "B").name, "asked for"));
    }

    /// Each GPU has its part of the heads and layers; the formula had neither, and no numbers.
    void theCacheIsThatOfTheFullestGpu()
    {
        const PreparedScenario p = test::serving("llama-3.1-8b", "h100-sxm-80gb", 4, [](Scenario& s) {
            s.parallelism.tensor = 2;
            s.parallelism.pipeline = 2;
            s.inference.batch = 10;
            s.inference.promptTokens = 1000;
            s.inference.outputTokens = 24;
        });
        const Evaluation e = evaluate(p);
        const Derivation d = derive("memory.kv_cache", p, e);
        QCOMPARE(stepOf(d, "L").value, 16.0);
        QCOMPARE(stepOf(d, "v").value, 1024.0); // of eight KV heads of 128, keys and values of four
        QCOMPARE(stepOf(d, "k").value, stepOf(d, "l").value * 16 * 1024 * 2);
        QCOMPARE(d.steps.back().value, 10 * stepOf(d, "k").value);
        QVERIFY(agrees(d.steps.back().value, e.part(MemoryPart::KvCache)));
        QVERIFY2(d.steps.back().substituted.starts_with("10 × "), d.steps.back().substituted.c_str());
    }

    void latentsStatesAndRanksGiveTheirCache()
    {
        const auto check = [](const char* model, std::int64_t count, const std::function<void(Scenario&)>& change) {
            const PreparedScenario p = test::serving(model, "h100-sxm-80gb", count, change);
            const Evaluation e = evaluate(p);
            const Derivation d = derive("memory.kv_cache", p, e);
            const double sequences = std::max(stepOf(d, "n").value, stepOf(d, "B").value / double(count));
            QVERIFY2(agrees(sequences * stepOf(d, "k").value, e.part(MemoryPart::KvCache)), model);
        };
        check("deepseek-v3", 16, [](Scenario& s) {
            s.parallelism.tensor = 1;
            s.parallelism.attentionData = 16;
            s.parallelism.expert = 16;
            s.inference.batch = 100;
        });
        const PreparedScenario mamba = test::serving("nemotron-nano-9b-v2", "h100-sxm-80gb", 1);
        const Evaluation e = evaluate(mamba);
        const Derivation d = derive("memory.kv_cache", mamba, e);
        QVERIFY(stepOf(d, "k").formula.empty() && stepOf(d, "k").value > 0);
        QVERIFY(agrees(stepOf(d, "B").value * stepOf(d, "k").value, e.part(MemoryPart::KvCache)));
    }

    /// ⌊left ÷ one⌋ is the figure, to the sequence.
    void theLargestBatchIsWhatIsLeftOverOne()
    {
        for (const char* model : {"llama-3.1-8b", "qwen3-8b", "mistral-7b-v0.3", "gemma-3-12b", "deepseek-v2-lite"})
            for (const std::int64_t prompt : {500, 3000, 30000})
                for (const InferenceSoftware software : {InferenceSoftware::Vllm, InferenceSoftware::Sglang}) {
                    const PreparedScenario p = test::serving(model, "h100-sxm-80gb", 2, [&](Scenario& s) {
                        s.inference.promptTokens = prompt;
                        s.inference.software = software;
                    });
                    const Evaluation e = evaluate(p);
                    const Derivation d = derive("max_batch", p, e);
                    const std::string at = std::string(model) + " " + std::to_string(prompt);
                    QVERIFY2(d.steps.back().value == *e.maxBatch, at.c_str());
                    const double left = stepOf(d, "M").value, one = stepOf(d, "k").value;
                    if (has(d.steps.back().formula, "⌊"))
                        QVERIFY2(std::floor(left / one * (1 + 1e-12)) == *e.maxBatch, at.c_str());
                    else
                        QVERIFY2(*e.maxBatch * one <= left && *e.maxBatch < 200, at.c_str());
                }
    }

    /// "PP = 6" was said where the file has 4: the slowest stage reads more than the mean of them.
    void theSlowestStageIsNoSetting()
    {
        const PreparedScenario p = test::serving("llama-3.3-nemotron-super-49b", "h100-sxm-80gb", 4, [](Scenario& s) {
            s.parallelism.tensor = 1;
            s.parallelism.pipeline = 4;
            s.inference.hostWeightsGb = 2;
            s.inference.batch = 8;
        });
        const Evaluation e = evaluate(p);
        const Derivation d = derive("host_weights.read_s", p, e);
        QCOMPARE(stepOf(d, "PP").value, 4.0);
        QVERIFY(stepOf(d, "n").value > 4);
        QVERIFY(agrees(stepOf(d, "b").value * stepOf(d, "n").value / stepOf(d, "r").value, e.hostWeights->readS));
        QVERIFY(agrees(d.steps.back().value, e.hostWeights->readS));
    }

    /// A narrow pool that reads prompts keeps a mean in flight, which is no whole number.
    void aMeanInFlightIsMultiplied()
    {
        const PreparedScenario p = llama(2, [](Scenario& s) {
            s.inference.batch = 64;
            s.inference.promptTokens = 4096;
            s.inference.outputTokens = 256;
            s.inference.scheduling = Scheduling::Disaggregated;
            s.inference.prefillPool.count = 1;
        });
        const Evaluation e = evaluate(p);
        QVERIFY(e.batch != std::round(e.batch));
        const Derivation d = derive("tokens_per_s", p, e);
        QCOMPARE(stepOf(d, "n").value, e.batch);
        QVERIFY2(d.steps.back().substituted.starts_with(formatText(e.batch, ValueFormat::Plain) + " × "),
                 d.steps.back().substituted.c_str());
    }

    /// Without autoscaling the rule decides nothing: it said ⌈0.300 ÷ …⌉ = 1 where that is 12.
    void ownReplicasFollowNoRule()
    {
        const PreparedScenario p = llama(1, [](Scenario& s) {
            s.inference.promptTokens = 8000;
            s.inference.outputTokens = 2000;
            s.inference.batch = 2;
            s.inference.requestsPerS = 0.2;
            s.inference.loadProfile = LoadProfile::shaped(LoadShape::Sine, 3);
        });
        const Derivation own = derive("day.peak_replicas", p, evaluate(p));
        QCOMPARE(own.steps.back().formula, std::string("the scenario's own replicas"));
        QVERIFY2(own.statement.ends_with(own.steps.back().formula), own.statement.c_str());
        PreparedScenario scales = p;
        scales.inference.requestsPerS = 5;
        scales.inference.autoscale.max = 2;
        const Derivation bound = derive("day.peak_replicas", scales, evaluate(scales));
        QVERIFY2(bound.steps.back().formula.starts_with("min(most replicas, "), bound.steps.back().formula.c_str());
        QVERIFY(bound.steps.back().substituted.starts_with("min(2, "));
    }

    void everySymbolHasItsValue()
    {
        for (const Task task : {Task::Training, Task::Inference}) {
            PreparedScenario p = llama(8, [task](Scenario& s) { s.task = task; });
            if (task == Task::Training)
                for (const char* figure : {"model_tflops_per_gpu", "hardware_tflops_per_gpu"})
                    QVERIFY(derive(figure, p, evaluate(p)).steps.back().substituted.ends_with(" ÷ 10¹²"));
            else
                p.parallelism.tensor = 8; // one replica
            const Derivation plain = derive("mfu", p, evaluate(p));
            QVERIFY(agrees(stepOf(plain, "F").value, stepOf(plain, "c").value * stepOf(plain, "T").value));
            p.accounting = Convention::Sc21;
            const Derivation paper = derive("mfu", p, evaluate(p));
            const double layers = stepOf(paper, "L").value, hidden = stepOf(paper, "h").value,
                         seen = stepOf(paper, "s").value, vocabulary = stepOf(paper, "V").value;
            QCOMPARE(layers, 32.0);
            QCOMPARE(hidden, 4096.0);
            const double passes = task == Task::Training ? 1 : 3;
            QVERIFY(agrees(stepOf(paper, "c").value * passes,
                           72 * layers * hidden * hidden * (1 + seen / (6 * hidden)) + 6 * hidden * vocabulary));
            const double prompt = double(p.inference.promptTokens), answer = double(p.inference.outputTokens);
            QVERIFY(agrees(seen, task == Task::Training ? double(p.training.sequenceLength) : prompt + answer / 2));
        }
        const PreparedScenario tiers = llama(1, [](Scenario& s) {
            s.inference.promptTokens = 8000;
            s.inference.tierHostGb = 100;
            s.inference.tierHostHits = 0.5;
        });
        const Derivation first = derive("ttft_s", tiers, evaluate(tiers));
        QVERIFY(has(first.steps.back().formula, "t_l"));
        QVERIFY2(std::ranges::count(first.steps.back().substituted, '+') == 2, first.steps.back().substituted.c_str());
    }

    /// A difference of large amounts leaves a part of a byte, which nobody has.
    void aPartOfAByteIsNone()
    {
        const std::string none = formatText(0, ValueFormat::Bytes);
        QVERIFY(none.starts_with("0"));
        QCOMPARE(formatText(1.91e-6, ValueFormat::Bytes), none);
        QCOMPARE(formatText(-1.91e-6, ValueFormat::Bytes), none);
        QVERIFY(formatText(1, ValueFormat::Bytes).starts_with("1"));
    }
};
HEADROOM_TEST(TestDerivationNumbers)

} // namespace headroom::test_derivation_numbers
#include "test_derivation_numbers.moc"
