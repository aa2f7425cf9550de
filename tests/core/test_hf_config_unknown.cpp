// SPDX-License-Identifier: GPL-3.0-or-later
// Of files whose family nobody knows: windows, layers that repeat, nested parts; files of other programs; contexts.
#include "tests/support/program.hpp"
#include "tests/support/small_config.hpp"
#include "tests/support/support.hpp"

namespace headroom::test_hf_config_unknown
{

using nlohmann::json;
using test::smallConfig;

namespace
{

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
