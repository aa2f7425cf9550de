// SPDX-License-Identifier: GPL-3.0-or-later
// Of files whose family nobody knows: windows, layers that repeat, nested parts; files of other programs; contexts.
#include "tests/support/program.hpp"
#include "tests/support/small_config.hpp"
#include "tests/support/support.hpp"

namespace headroom::test_hf_config_unknown
{

using nlohmann::json;
using test::has;
using test::smallConfig;

namespace
{

std::string refusal(const json& config)
{
    return test::refusalOfConfig(config.dump());
}

std::int64_t context(const char* type, const json& more)
{
    const auto imported = importHfConfig(smallConfig(type, more).dump());
    return imported ? imported->architecture.maxContext : 0;
}

} // namespace

class TestHfConfigUnknown : public QObject
{
    Q_OBJECT
private slots:
    /// Mistral's params.json of a Mamba has a model_type; its sizes have other names.
    void foreignFormatsBeforeTheType()
    {
        const json params{{"dim", 4096},   {"n_layers", 64},          {"vocab_size", 32768},
                          {"n_groups", 8}, {"tie_embeddings", false}, {"model_type", "mamba"}};
        QVERIFY2(has(refusal(params), "not-hugging-face /dim: "), refusal(params).c_str());
        QVERIFY(has(refusal({{"dim", 768}, {"n_layers", 6}, {"model_type", "distilbert"}}), "it is an encoder"));
    }

    /// vLLM's rule; the file of a model whose positions are scaled otherwise states what it reaches.
    void scaledContexts()
    {
        const auto rope = [](json object) { return json{{"rope_scaling", std::move(object)}}; };
        QCOMPARE(
            context("qwen3", rope({{"rope_type", "yarn"}, {"factor", 4.0}, {"original_max_position_embeddings", 32}})),
            128);
        QCOMPARE(context("llama", rope({{"type", "linear"}, {"factor", 4.0}})), 256);
        QCOMPARE(context("llama", rope({{"type", "dynamic"}, {"factor", 2}})), 128);
        QCOMPARE(context("qwen3", rope({{"type", "yarn"}, {"factor", 2}, {"original_max_position_embeddings", 16}})),
                 64);
        QCOMPARE(context("llama", rope({{"rope_type", "llama3"}, {"factor", 8.0}})), 64);
        QCOMPARE(context("phi3", rope({{"type", "longrope"}, {"factor", 8.0}})), 64);
        QCOMPARE(context("gemma3_text", rope({{"rope_type", "linear"}, {"factor", 8.0}})), 64);
        QCOMPARE(context("llama", {{"rope_parameters", {{"rope_type", "yarn"}, {"factor", 3.0}}}}), 192);
        QCOMPARE(context("llama", rope(nullptr)), 64);
    }
};
HEADROOM_TEST(TestHfConfigUnknown)

} // namespace headroom::test_hf_config_unknown
#include "test_hf_config_unknown.moc"
