// SPDX-License-Identifier: GPL-3.0-or-later
// What layers keep and read in serving besides keys and values: recurrent states, windows of convolutions, per-layer
// embeddings; worked out by hand.
#include "core/predict/inference/inference_count.hpp"
#include "core/predict/inference/inference_serving.hpp"
#include "tests/support/serving_fixture.hpp"
#include "tests/support/support.hpp"

#include <array>

namespace headroom
{

using namespace inference;
using test::serving;

class TestServingStates : public QObject
{
    Q_OBJECT
private slots:
    /// What a sequence keeps whatever its length: recurrent state in 32 bit, last inputs of the convolution in 16 bit.
    void recurrentStates()
    {
        const auto bytes = [](const char* model, double tensor = 1) { // of the layers that have a state
            double sum = 0;
            for (const LayerKind& k : serving(model, "h100-sxm-80gb", 1).model->kinds)
                sum += k.count * stateBytes(k, tensor);
            return sum;
        };
        QCOMPARE(bytes("llama-3-8b"), 0.0);
        QCOMPARE(bytes("falcon-mamba-7b"), 64 * (8192.0 * 16 * 4 + 8192 * 3 * 2));                // Mamba-1
        QCOMPARE(bytes("mamba-2-2.7b"), 64 * (80 * 64 * 128.0 * 4 + (5120 + 2 * 128) * 3.0 * 2)); // Mamba-2
        QCOMPARE(bytes("qwen3-next-80b-a3b"), 36 * 1024 * (2048.0 + 48)); // gated DeltaNet: 2 MiB and 8192 · 3 · 2
        QCOMPARE(bytes("kimi-linear-48b-a3b"), 20 * (32 * 128 * 128.0 * 4 + 3 * 4096 * 3.0 * 2)); // Kimi delta
        QCOMPARE(bytes("minimax-m1"), 70 * 64 * 128 * 128.0 * 4); // lightning: no convolution
        // Ranks divide all but the one group of Mamba-2, whose values each of them needs.
        QCOMPARE(bytes("qwen3-next-80b-a3b", 4), bytes("qwen3-next-80b-a3b") / 4);
        QCOMPARE(bytes("mamba-2-2.7b", 8), 64 * (10 * 64 * 128.0 * 4 + (640 + 2 * 128) * 3.0 * 2));
        // They are all that a sequence of a pure state-space model keeps; each step reads them once and writes them
        // once.
        const PreparedScenario p = serving("falcon-mamba-7b", "h100-sxm-80gb", 1);
        QCOMPARE(sequenceCacheBytes(*p.model, 100000, 2, 1, 1), bytes("falcon-mamba-7b"));
        QCOMPARE(sequenceReadBytes(makeMachine(p, false), *p.model, {9, 9, 9, 9}), 2 * bytes("falcon-mamba-7b"));
        QCOMPARE(travellingCacheBytes(*p.model, 100000, 2, 1, 8), bytes("falcon-mamba-7b"));
    }

    /// Gemma 4 E2B: each token meets the ways into and out of its per-layer vectors, and looks the table up only.
    void perLayerEmbeddings()
    {
        const PreparedScenario p = serving("gemma-4-e2b", "h100-sxm-80gb", 1);
        const std::array<double, 4> contexts{0, 0, 0, 0};
        const FlopCounts flop = decodeFlops(*p.model, contexts, 1);
        QCOMPARE(flop.forward - flop.attention, 2 * 2279473152.0);
        const Machine m = makeMachine(p, false);
        QCOMPARE(decodeBytes(m, *p.model, contexts, 1) - sequenceReadBytes(m, *p.model, contexts), 2 * 2279473152.0);
        QCOMPARE(storedWeightBytes(*p.model, m), 2 * 4628569379.0); // all of it stays on the device
        // Its last 20 layers read the cache of earlier ones: 12 sliding and 3 full ones keep theirs.
        QCOMPARE(sequenceCacheBytes(*p.model, 4096, 2, 1, 1), 2.0 * 2 * (12 * 512 * 256 + 3 * 4096 * 512));
    }
};

} // namespace headroom

QTEST_APPLESS_MAIN(headroom::TestServingStates)
#include "test_serving_states.moc"
