// SPDX-License-Identifier: GPL-3.0-or-later
// Which layers lie on which stage of a pipeline, and what training and serving make of it.
#include "core/model/pipeline_layout.hpp"
#include "core/predict/evaluate.hpp"
#include "tests/support/near.hpp"
#include "tests/support/program.hpp"
#include "tests/support/serving_fixture.hpp"
#include "tests/support/support.hpp"
#include "tests/support/training_case.hpp"

#include <numeric>

namespace headroom::test_pipeline_layout
{

using headroom::test::near;
using headroom::test::serving;
using headroom::test::trainingCase;

class TestPipelineLayout : public QObject
{
    Q_OBJECT

    static PreparedScenario training(const char* model, std::int64_t stages, std::int64_t chunks = 1)
    {
        PreparedScenario p = trainingCase(model, "h100-sxm-80gb", stages);
        p.parallelism.pipeline = stages;
        p.parallelism.virtualPipeline = chunks;
        p.parallelism.sharding = Sharding::None;
        p.training.checkpointing = Checkpointing::Full;
        return p;
    }

    static std::vector<double> layersOf(const char* model, std::int64_t stages, std::int64_t chunks = 1)
    {
        const PreparedScenario p = trainingCase(model, "h100-sxm-80gb", 1);
        const PipelineLayout layout(*p.model, double(stages), double(chunks));
        std::vector<double> layers;
        for (std::size_t s = 0; s < layout.stages(); ++s) {
            layers.push_back(layout.layers(s));
            double kinds = 0;
            for (std::size_t k = 0; k < p.model->kinds.size(); ++k)
                kinds += layout.layers(s, k);
            if (kinds != layers.back()) // the kinds of a stage are its layers
                return {};
        }
        return layers;
    }

    /// A service of so many stages of one GPU.
    static PreparedScenario deep(const char* model, std::int64_t stages, std::int64_t batch, std::int64_t prompt,
                                 Scheduling scheduling)
    {
        return serving(model, "h200-sxm-141gb", stages, [&](Scenario& s) {
            s.parallelism.tensor = 1;
            s.parallelism.pipeline = stages;
            s.inference.batch = batch;
            s.inference.promptTokens = prompt;
            s.inference.outputTokens = 1000;
            s.inference.scheduling = scheduling;
        });
    }

    /// The same with layers of `kinds` one after the other, again and again.
    static PreparedScenario everyStage(PreparedScenario p, const std::vector<std::uint32_t>& kinds)
    {
        auto model = std::make_shared<ModelProfile>(*p.model);
        for (LayerKind& k : model->kinds)
            k.count = 0;
        for (std::size_t i = 0; i < model->order.size(); ++i)
            ++model->kinds[model->order[i] = kinds[i % kinds.size()]].count;
        p.model = model;
        return p;
    }

private slots:
    void layersAreDealtOutAsFrameworksDo()
    {
        using Layers = std::vector<double>;
        QCOMPARE(layersOf("llama-3-70b", 8), Layers(8, 10));
        // One layer more on the stages before the last, which has the head.
        QCOMPARE(layersOf("llama-3.2-1b", 5), (Layers{3, 3, 3, 4, 3}));
        QCOMPARE(layersOf("deepseek-v3", 8), (Layers{7, 7, 8, 8, 8, 8, 8, 7}));
        // Llama 3.1 405B: 126 layers on 8 × 8 pieces; embedding and head take a layer's place each.
        QCOMPARE(layersOf("llama-3.1-405b", 8, 8), (Layers{15, 16, 16, 16, 16, 16, 16, 15}));
    }

    void everyLayerLiesOnOneStage()
    {
        for (const char* model : {"llama-3.2-1b", "kimi-k2", "jamba-1.5-mini", "gemma-2-2b"}) {
            const double all = trainingCase(model, "h100-sxm-80gb", 1).model->layers;
            for (const std::int64_t stages : {1, 2, 3, 5, 8})
                for (const std::int64_t chunks : {1, 2}) {
                    const std::vector<double> layers = layersOf(model, stages, chunks);
                    QCOMPARE(std::accumulate(layers.begin(), layers.end(), 0.0), all);
                }
        }
    }

    /// Counted one by one, at once and without the table, in which so many stages of so many kinds find no room.
    void allWaysOfCountingAgree()
    {
        for (const char* model : {"llama-3.2-1b", "deepseek-v3", "jamba-1.5-mini", "nemotron-h-56b"})
            for (const std::int64_t stages : {1, 2, 3, 8, 16, 59, 61})
                for (const std::int64_t chunks : {1, 2}) {
                    const PreparedScenario p = trainingCase(model, "h100-sxm-80gb", 1);
                    const PipelineLayout layout(*p.model, double(stages), double(chunks));
                    double most = 0;
                    std::vector<double> counts(p.model->kinds.size());
                    for (std::size_t s = 0; s < layout.stages(); ++s) {
                        layout.count(s, counts);
                        for (std::size_t k = 0; k < counts.size(); ++k)
                            QCOMPARE(layout.layers(s, k), counts[k]);
                        QCOMPARE(layout.layers(s), std::accumulate(counts.begin(), counts.end(), 0.0));
                        most = std::max(most, layout.layers(s));
                    }
                    QCOMPARE(layout.mostLayers(), most);
                }
    }

    /// What is alike is evaluated once: neither a difference may be passed over nor an end.
    void stagesThatAreAlikeHoldTheSameLayers()
    {
        for (const char* model : {"llama-3-70b", "llama-3.1-405b", "llama-3.2-1b", "jamba-1.5-mini", "deepseek-v3"})
            for (const std::int64_t stages : {1, 2, 3, 4, 8})
                for (const std::int64_t chunks : {1, 2}) {
                    const PreparedScenario p = trainingCase(model, "h100-sxm-80gb", 1);
                    const PipelineLayout layout(*p.model, double(stages), double(chunks));
                    std::size_t next = 0;
                    for (std::size_t first = 0; first < layout.stages(); first = next) {
                        next = first + layout.alike(first);
                        QVERIFY(next == first + 1 || (first > 0 && next <= layout.last()));
                        for (std::size_t s = first; s < next; ++s)
                            for (std::size_t k = 0; k < p.model->kinds.size(); ++k)
                                QCOMPARE(layout.layers(s, k), layout.layers(first, k));
                    }
                    QCOMPARE(next, layout.stages());
                }
        const PreparedScenario p = trainingCase("llama-3.1-405b", "h100-sxm-80gb", 1);
        QCOMPARE(PipelineLayout(*p.model, 8, 8).alike(1), std::size_t(6)); // all between the ends
    }

    /// Llama 3.2 1B at 32k: its last stage, of fewer layers and with the head, was taken to set the pace alone: five
    /// stages came out four times as fast as four.
    void theSlowestStageSetsThePace()
    {
        const auto seconds = [](std::int64_t stages) {
            PreparedScenario p = training("llama-3.2-1b", stages);
            p.training.sequenceLength = 32768;
            p.training.globalBatch = 64;
            const Evaluation e = evaluate(p);
            return *e.stepTimeS;
        };
        QVERIFY(seconds(5) > 0.75 * seconds(4));
        QVERIFY(seconds(5) < seconds(4));
    }

    /// 61 layers on 32 stages left the last one without a layer, and the step without attention and experts.
    void noPartIsMissingWhereLayersDoNotDivide()
    {
        PreparedScenario p = training("kimi-k2", 32);
        p.hardware.count = 512;
        p.parallelism.expert = 16;
        p.training.globalBatch = 1024;
        const Evaluation e = evaluate(p);
        QVERIFY(e.part(TimePart::Attention) > 0 && e.part(TimePart::Experts) > 0);
    }

    /// Gemma 2's embedding alone is 1.18 GB in 16 bit: the first stage holds it, and no stage less than its layers.
    void embeddingAndHeadLieOnTheirStages()
    {
        const PreparedScenario p = serving("gemma-2-2b", "h100-sxm-80gb", 8, [](Scenario& s) {
            s.parallelism.tensor = 1;
            s.parallelism.pipeline = 8;
        });
        const Evaluation e = evaluate(p);
        const double layers = 4 * p.model->kinds.front().parameters * 2; // ⌈26/8⌉, all kinds alike in size
        QVERIFY(e.part(MemoryPart::Weights) > 1.18e9 + 0.7 * layers);
        QVERIFY(e.part(MemoryPart::Weights) < 1.18e9 + 1.1 * layers);
    }

    /// Gemma 3 27B on 8 stages: layers 23 and 29, both of full attention, lie on the fourth. A full layer caches
    /// 131,000 tokens of 8192 bytes, a window of 1024 the others: 110 GB for 50 sequences, beside 6.6 GB of weights. On
    /// 62 stages each layer has one of its own.
    void theFullestStageIsFound()
    {
        const auto gemma = [](std::int64_t stages, std::int64_t batch) {
            return evaluate(serving("gemma-3-27b", "h100-sxm-80gb", stages, [&](Scenario& s) {
                s.parallelism.tensor = 1;
                s.parallelism.pipeline = stages;
                s.inference.batch = batch;
                s.inference.promptTokens = 130000;
                s.inference.outputTokens = 1000;
            }));
        };
        const Evaluation eight = gemma(8, 50), each = gemma(62, 62);
        QCOMPARE(eight.part(MemoryPart::KvCache), 50 * (2 * 131000.0 + 6 * 1024) * 8192);
        QVERIFY(!eight.fits);
        QCOMPARE(*eight.maxBatch, 31.0);
        QCOMPARE(each.part(MemoryPart::KvCache), 62 * 131000.0 * 8192);
        QVERIFY(*each.maxBatch > 62 && *each.maxBatch < 80);
    }

    /// What lies in tiers is of the stage whose layers cache most, too.
    void tiersHoldTheFullestStage()
    {
        const Evaluation e = evaluate(serving("gemma-3-27b", "h100-sxm-80gb", 8, [](Scenario& s) {
            s.parallelism.tensor = 1;
            s.parallelism.pipeline = 8;
            s.inference.promptTokens = 130000;
            s.inference.tierHostHits = 0.5;
        }));
        QCOMPARE(e.tiers->promptBytes, (2 * 130000.0 + 6 * 1024) * 8192);
    }

    /// Llama 4 Scout on 24 stages of two layers: every other stage has one of full attention, and the others wait for
    /// it. gpt-oss-120b on 36: the last stage has full attention and the head. A model whose stages are all like the
    /// slowest decodes as fast, and a prompt costs it as much where others follow or write their answers.
    void theSlowestStagePacesAService()
    {
        const PreparedScenario scout = deep("llama-4-scout", 24, 48, 500000, Scheduling::Disaggregated);
        const PreparedScenario oss = deep("gpt-oss-120b", 36, 288, 100000, Scheduling::Disaggregated);
        QCOMPARE(scout.model->kinds.size(), std::size_t(2));
        QCOMPARE(oss.model->kinds.size(), std::size_t(2));
        const Evaluation mixed = evaluate(scout), even = evaluate(everyStage(scout, {0, 1}));
        // Two sequences' 500,500 tokens of 4096 bytes, 24 times, at 4.8 TB/s.
        QVERIFY(mixed.part(TimePart::Attention) > 24 * 2 * 500500.0 * 4096 / 4.8e12);
        QVERIFY(near(*mixed.tpotS, *even.tpotS));
        QVERIFY(near(*evaluate(oss).tpotS, *evaluate(everyStage(oss, {oss.model->order.back()})).tpotS));
        // The pool that reads prompts is as large as the slowest stage makes it.
        QVERIFY(near(*mixed.tokensPerS, *even.tokensPerS));

        const PreparedScenario joined = deep("llama-4-scout", 24, 48, 100000, Scheduling::Continuous);
        const auto beside = [](const PreparedScenario& p) { return evaluate(p).part(TimePart::PrefillInterference); };
        QVERIFY(beside(joined) > 0);
        QVERIFY(near(beside(joined), beside(everyStage(joined, {0, 1}))));
        const PreparedScenario one = deep("llama-4-scout", 24, 1, 500000, Scheduling::Static);
        const PreparedScenario all = deep("llama-4-scout", 24, 24, 500000, Scheduling::Static);
        const auto read = [](const PreparedScenario& p) { return evaluate(p).prefill->timeS; };
        QVERIFY(near(read(all) - read(one), read(everyStage(all, {0, 1})) - read(everyStage(one, {0, 1}))));
    }

    void moreStagesThanLayersAreRefused()
    {
        Scenario s;
        s.model.id = "llama-3-8b";
        s.accelerator.id = "h100-sxm-80gb";
        s.hardware.count = s.parallelism.pipeline = 100;
        for (const Task task : {Task::Training, Task::Inference}) {
            s.task = task;
            const auto refused = prepare(s, test::catalog(), nullptr);
            QVERIFY(!refused);
            QCOMPARE(refused.error().front().path, std::string("/parallelism/pipeline"));
        }
        s.task = Task::Training;
        s.hardware.count = s.parallelism.pipeline = 8;
        s.parallelism.virtualPipeline = 8;
        const auto refused = prepare(s, test::catalog(), nullptr);
        QVERIFY(!refused);
        QCOMPARE(refused.error().front().path, std::string("/parallelism/virtual_pipeline"));
    }
};
HEADROOM_TEST(TestPipelineLayout)

} // namespace headroom::test_pipeline_layout
#include "test_pipeline_layout.moc"
