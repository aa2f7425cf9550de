// SPDX-License-Identifier: GPL-3.0-or-later
// How an architecture becomes layer kinds: merging, windows, indexers, experts, multi-token prediction.
#include "core/model/model_profile.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

namespace headroom::test_model_profile
{
namespace
{

ModelArchitecture llama3()
{
    ModelArchitecture m;
    m.id = "llama-3-8b";
    m.layers = 32;
    m.hidden = 4096;
    m.heads = 32;
    m.kvHeads = 8;
    m.headDim = 128;
    m.ffn = 14336;
    m.vocab = 128256;
    m.schedule = {{1, {{32, "full", MlpKind::Dense}}}};
    return m;
}

ModelArchitecture deepseekV3()
{
    ModelArchitecture m;
    m.layers = 61;
    m.hidden = 7168;
    m.heads = m.kvHeads = 128;
    m.headDim = 192;
    m.ffn = 18432;
    m.vocab = 129280;
    m.attention.kind = AttentionKind::Mla;
    m.attention.mla = {1536, 512, 128, 64, 128};
    m.moe.experts = 256;
    m.moe.topK = 8;
    m.moe.ffn = m.moe.sharedFfn = 2048;
    m.moe.routerBias = true;
    m.mtp = MtpShape{};
    m.mtp->layers = 1;
    m.mtp->mlp = MlpKind::Moe;
    m.mtp->storesEmbedAndHead = true;
    m.schedule = {{1, {{3, "full", MlpKind::Dense}}}, {1, {{58, "full", MlpKind::Moe}}}};
    return m;
}

} // namespace

class TestModelProfile final : public QObject
{
    Q_OBJECT
private slots:
    void denseModelIsOneKind()
    {
        const ModelProfile p = compileModel(llama3());
        QCOMPARE(p.kinds.size(), std::size_t(1));
        QCOMPARE(p.kinds[0].count, 32.0);
        QCOMPARE(p.parameters.total, 8030261248.0); // meta-llama/Meta-Llama-3-8B, safetensors total
        QCOMPARE(p.kinds[0].mixerWeights, 4096.0 * (4096 + 2 * 1024 + 4096));
        QCOMPARE(p.kinds[0].denseWeights, 3.0 * 4096 * 14336);
        QCOMPARE(p.headWeights, 4096.0 * 128256);
        QCOMPARE(p.untiedHeadParameters, 4096.0 * 128256);
        QCOMPARE(p.parameters.activeNoInputEmbedding, 8030261248.0 - 4096.0 * 128256);
        QCOMPARE(p.experts, 0.0);
        QCOMPARE(p.attentionLayers, 32.0);
    }

    void tiedHeadIsStoredOnceAndMultipliesStill()
    {
        ModelArchitecture m = llama3();
        const double untied = compileModel(m).parameters.total;
        m.tied = true;
        const ModelProfile p = compileModel(m);
        QCOMPARE(p.parameters.total, untied - 4096.0 * 128256);
        QCOMPARE(p.untiedHeadParameters, 0.0);
        QCOMPARE(p.headWeights, 4096.0 * 128256);
        QCOMPARE(p.parameters.activeNoInputEmbedding, p.parameters.active);
    }

    void mixtureOfExperts()
    {
        const ModelProfile p = compileModel(deepseekV3());
        QCOMPARE(p.kinds.size(), std::size_t(2));
        QVERIFY(!p.kinds[0].hasMoe && p.kinds[1].hasMoe);
        QCOMPARE(p.kinds[1].mixerOf, std::size_t(0)); // one attention under two feed-forwards
        QCOMPARE(p.kinds[1].feedForwardOf, std::size_t(1));
        QVERIFY(p.kinds[0].mixerLayers == 61 && p.kinds[1].mixerLayers == 0);
        QVERIFY(p.kinds[0].feedForwardLayers == 3 && p.kinds[1].feedForwardLayers == 58);
        QCOMPARE(p.kinds[1].ffn, 0.0);
        QCOMPARE(p.kinds[1].expertWeights, 3.0 * 7168 * 2048);
        QCOMPARE(p.kinds[1].sharedWeights, 3.0 * 7168 * 2048);
        QCOMPARE(p.kinds[1].routerWeights, 7168.0 * 256);
        QCOMPARE(p.moeLayers, 58.0);
        QVERIFY(p.experts == 256 && p.topK == 8);
        QCOMPARE(p.parameters.router, 58.0 * 7168 * 256);
        // Hub total 684,531,386,000 less 41,540,496 FP8 block scales.
        QCOMPARE(p.parameters.total + p.parameters.mtp + p.parameters.mtpCopies, 684531386000.0 - 41540496.0);
        QVERIFY(p.mtp && p.mtp->count == 1 && p.mtp->hasMoe);
        QCOMPARE(p.mtp->mixerWeights, p.kinds[1].mixerWeights);
        QCOMPARE(p.mtp->parameters, p.kinds[1].parameters + 2.0 * 7168 * 7168 + 3 * 7168);
    }

    void kindsAddUpToTheTotal()
    {
        const ModelProfile p = compileModel(deepseekV3());
        double sum = p.parameters.embedding + p.parameters.lmHead + p.parameters.finalNorm, active = sum;
        for (const LayerKind& kind : p.kinds) {
            sum += kind.count * kind.parameters;
            active += kind.count * kind.activeParameters;
        }
        QCOMPARE(sum, p.parameters.total);
        QCOMPARE(active, p.parameters.active);
    }

    void repeatedGroupsMerge()
    {
        ModelArchitecture m = llama3();
        m.sliding.window = 1024;
        m.schedule = {{5, {{5, "sliding", MlpKind::Dense}, {1, "full", MlpKind::Dense}}},
                      {1, {{2, "sliding", MlpKind::Dense}}}};
        const ModelProfile p = compileModel(m);
        QCOMPARE(p.kinds.size(), std::size_t(2));
        QCOMPARE(p.kinds[0].count, 27.0);
        QCOMPARE(p.kinds[0].window, 1024.0);
        QCOMPARE(p.kinds[1].count, 5.0);
        QCOMPARE(p.kinds[1].window, 0.0);
        QCOMPARE(p.kinds[1].mixerOf, std::size_t(1)); // two attentions over one feed-forward
        QCOMPARE(p.kinds[1].feedForwardOf, std::size_t(0));
        QVERIFY(!p.kinds[0].chunked);
        m.schedule = {{1, {{24, "chunked", MlpKind::Dense}, {8, "cross", MlpKind::Dense}}}};
        const ModelProfile q = compileModel(m);
        QVERIFY(q.kinds[0].chunked && q.kinds[1].cross);
        QCOMPARE(q.kinds[0].window, 1024.0);
    }

    void variantsChangeOnlyTheirLayers()
    {
        ModelArchitecture m = llama3();
        m.attentionVariants["sliding"].heads = 64;
        m.attentionVariants["sliding"].vHeadDim = 64;
        m.schedule = {{1, {{16, "full", MlpKind::Dense}, {16, "sliding", MlpKind::DenseDouble}}}};
        const ModelProfile p = compileModel(m);
        QCOMPARE(p.kinds[0].attention.heads, std::int64_t(32));
        QCOMPARE(p.kinds[1].attention.heads, std::int64_t(64));
        QCOMPARE(p.kinds[1].attention.valueDim(), std::int64_t(64));
        QCOMPARE(p.kinds[1].mixerWeights, 4096.0 * (64 * 128 + 8 * 128 + 8 * 64 + 64 * 64));
        QCOMPARE(p.kinds[1].ffn, 2.0 * 14336);
    }

    void sharedIndexHasNoneOfItsOwn()
    {
        ModelArchitecture m = deepseekV3();
        IndexerShape indexer;
        indexer.heads = 64;
        indexer.headDim = 128;
        indexer.topk = 2048;
        indexer.qLoraRank = 1536;
        m.indexer = indexer;
        m.schedule = {{1,
                       {{20, "full", MlpKind::Moe},
                        {20, "full_shared_index", MlpKind::Moe},
                        {21, "full_no_index", MlpKind::Moe}}}};
        const ModelProfile p = compileModel(m);
        QCOMPARE(p.kinds.size(), std::size_t(3));
        const double weights = 1536.0 * 64 * 128 + 7168.0 * 128 + 7168.0 * 64;
        QCOMPARE(p.kinds[0].indexerWeights, weights);
        QCOMPARE(p.kinds[0].mixerWeights, p.kinds[1].mixerWeights + weights);
        QCOMPARE(p.kinds[0].parameters, p.kinds[1].parameters + weights + 2 * 128);
        QVERIFY(p.kinds[1].indexer && p.kinds[1].indexer->heads == 0 && p.kinds[1].indexer->topk == 2048);
        QVERIFY(!p.kinds[2].indexer);
        QCOMPARE(p.kinds[2].parameters, p.kinds[1].parameters);
        QCOMPARE(p.parameters.indexer, 20 * (weights + 2 * 128));
    }

    void customBlocksCarryTheirOwnWidths()
    {
        ModelArchitecture m = llama3();
        m.customBlocks = {{"full", 14336}, {"none", 0}, {"full", 7168}, {"none", 14336}};
        m.layers = 4;
        m.schedule = {{1, {{1, "full", MlpKind::None}}}};
        const ModelProfile p = compileModel(m);
        QCOMPARE(p.kinds.size(), std::size_t(4));
        QCOMPARE(p.kinds[1].parameters, 0.0);
        QCOMPARE(p.kinds[3].parameters, 3.0 * 4096 * 14336 + 4096);
        QCOMPARE(p.kinds[2].denseWeights, 3.0 * 4096 * 7168);
        QCOMPARE(p.attentionLayers, 2.0);
    }

    void linearAndStateSpaceMixers()
    {
        ModelArchitecture m = llama3();
        m.linear.kind = LinearKind::GatedDeltaNet;
        m.linear.keyHeads = 16;
        m.linear.valueHeads = 32;
        m.linear.keyDim = m.linear.valueDim = 128;
        m.linear.conv = 4;
        m.mamba = {2, 8192, 128, 64, 128, 8, 4, 0, true, false, false};
        m.schedule = {{1, {{16, "linear", MlpKind::Dense}, {8, "mamba", MlpKind::None}, {8, "none", MlpKind::Dense}}}};
        const ModelProfile p = compileModel(m);
        QCOMPARE(p.kinds.size(), std::size_t(3));
        QVERIFY(p.kinds[0].mixer == MixerKind::Linear && p.kinds[1].mixer == MixerKind::StateSpace &&
                p.kinds[2].mixer == MixerKind::None);
        // h(2K + 2U) + 2·h·nv + U·h with K = 2048, U = 4096
        QCOMPARE(p.kinds[0].mixerWeights, 4096.0 * (2 * 2048 + 2 * 4096 + 64 + 4096));
        // h(2·di + 2·g·n + heads) + di·h
        QCOMPARE(p.kinds[1].mixerWeights, 4096.0 * (2 * 8192 + 2 * 8 * 128 + 128 + 8192));
        QCOMPARE(p.attentionLayers, 0.0);
        QCOMPARE(p.parameters.stateSpace, 8 * (p.kinds[1].mixerWeights + (8192.0 + 2048) * 5 + 3 * 128 + 8192));
    }
};
HEADROOM_TEST(TestModelProfile)

} // namespace headroom::test_model_profile
#include "test_model_profile.moc"
