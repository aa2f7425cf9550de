// SPDX-License-Identifier: GPL-3.0-or-later
// The built-in catalogue: look-up, search, additions, peaks. tests/bench/bench_catalog watches how long loading takes.
#include "core/catalog/catalog.hpp"
#include "core/model/model_profile.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

namespace headroom::test_catalog
{
namespace
{

template <typename Entries>
std::string ids(const Entries& entries, std::size_t most = 4)
{
    std::string all;
    for (std::size_t i = 0; i < std::min(most, entries.size()); ++i)
        all += (i > 0 ? " " : "") + entries[i]->id;
    return all;
}

} // namespace

class TestCatalog final : public QObject
{
    Q_OBJECT
private slots:
    void holdsThemAll()
    {
        const Catalog& catalog = Catalog::builtIn();
        QVERIFY(catalog.accelerators().size() >= 100);
        QVERIFY(catalog.models().size() >= 215);
    }

    void looksUpWholeNamesOnly()
    {
        const Catalog c = Catalog::builtIn();
        QCOMPARE(c.accelerator("H100-SXM-80GB")->id, std::string("h100-sxm-80gb"));
        QCOMPARE(c.accelerator("nvidia h100 80gb hbm3")->id, std::string("h100-sxm-80gb"));
        QCOMPARE(c.accelerator("NVIDIA A10G")->id, std::string("a10g"));
        QVERIFY(c.accelerator("h100") == nullptr);
        QVERIFY(c.accelerator("") == nullptr && c.model("") == nullptr);
        QCOMPARE(c.model("meta-llama/Meta-Llama-3-8B")->id, std::string("llama-3-8b"));
        QVERIFY(c.model("llama") == nullptr);
    }

    void everyIdFindsItself()
    {
        const Catalog c = Catalog::builtIn();
        for (const auto& a : c.accelerators())
            QVERIFY(c.accelerator(a->id) == a && c.searchAccelerators(a->id).front() == a && !a->custom);
        for (const auto& m : c.models())
            QVERIFY2(c.model(m->id) == m && c.searchModels(m->id).front() == m && !m->custom,
                     ids(c.searchModels(m->id)).c_str());
    }

    void searchFindsWhatIsMeant()
    {
        const Catalog c = Catalog::builtIn();
        for (const auto& a : c.searchAccelerators("mi3"))
            QVERIFY2(a->id.starts_with("mi3"), a->id.c_str());
        QVERIFY(c.searchAccelerators("mi3").size() >= 6);
        QCOMPARE(ids(c.searchAccelerators("h100 nvl"), 1), std::string("h100-nvl-94gb"));
        QCOMPARE(ids(c.searchAccelerators("h100 80"), 2), std::string("h100-sxm-80gb h100-pcie-80gb"));
        QCOMPARE(ids(c.searchAccelerators("h100"), 1), std::string("h100-sxm-80gb"));
        QCOMPARE(ids(c.searchAccelerators("a100 80"), 1), std::string("a100-sxm-80gb"));
        QCOMPARE(ids(c.searchAccelerators("h100sxm"), 1), std::string("h100-sxm-80gb"));
        QCOMPARE(ids(c.searchAccelerators("a10"), 1), std::string("a10"));
        const auto h100 = c.searchAccelerators("h100"); // the H20 is a GH100 die too: found, but last
        for (std::size_t i = 0; i < 6; ++i)
            QVERIFY2(h100.at(i)->id.starts_with("h100"), h100.at(i)->id.c_str());
        QCOMPARE(ids(c.searchAccelerators("4090"), 1), std::string("rtx-4090"));
        QVERIFY(!c.searchAccelerators("apple").empty());
        QVERIFY(c.searchAccelerators("h100 mi300").empty());
        QCOMPARE(c.searchAccelerators("  ").size(), c.accelerators().size());
        QCOMPARE(ids(c.searchModels("qwen 235"), 1), std::string("qwen3-235b-a22b"));
        QCOMPARE(ids(c.searchModels("gpt2 xl"), 1), std::string("gpt-2-xl"));
        QCOMPARE(ids(c.searchModels("llama 3 8b"), 1), std::string("llama-3-8b"));
        QCOMPARE(ids(c.searchModels("deepseek v3"), 1), std::string("deepseek-v3"));
        QCOMPARE(ids(c.searchModels("DeepSeekV3"), 1), std::string("deepseek-v3"));
        QCOMPARE(ids(c.searchModels("70b llama 3.1"), 1), std::string("llama-3.1-70b"));
    }

    /// What a driver calls one part of several is no name of it; what is common to all is asked back.
    void aliasesThatLeaveThePartOpenAreNone()
    {
        const Catalog& c = Catalog::builtIn();
        for (const char* open : {"NVIDIA H100", "nvidia h100", "NVIDIA H200", "GH200", "A800"}) {
            QVERIFY2(c.accelerator(open) == nullptr, open);
            QVERIFY2(acceleratorHint(c, open).starts_with("one of: "), open);
        }
        const std::string variants = acceleratorHint(c, "NVIDIA H100");
        for (const char* id : {"h100-sxm-80gb", "h100-sxm-94gb", "h100-nvl-94gb", "h100-pcie-80gb", "h100-sxm-64gb"})
            QVERIFY2(variants.find(id) != std::string::npos, variants.c_str());
        QVERIFY(acceleratorHint(c, "H100").starts_with("one of: "));
        QCOMPARE(acceleratorHint(c, "b200-sxn"), std::string("did you mean 'b200-sxm'?"));
        const auto found = [&](const char* name) {
            const auto entry = c.accelerator(name);
            return entry ? entry->id : std::string();
        };
        QCOMPARE(found("NVIDIA H100 80GB HBM3"), std::string("h100-sxm-80gb"));
        QCOMPARE(found("H100 SXM"), std::string("h100-sxm-80gb")); // those of 64, 94 and 96 GB are odd parts
        QCOMPARE(found("NVIDIA B200"), std::string("b200-sxm"));
        QCOMPARE(found("NVIDIA GeForce RTX 4070"), std::string("rtx-4070")); // whose whole name it is
        QCOMPARE(found("4070"), std::string("rtx-4070"));
        for (const auto& a : c.accelerators()) {
            QCOMPARE(found(a->id.c_str()), a->id);
            QCOMPARE(found(a->name.c_str()), a->id);
        }
    }

    void orderIsFamilyThenSize()
    {
        const Catalog c = Catalog::builtIn();
        std::string family;
        double size = 0;
        for (const auto& m : c.models()) {
            const double total = countParameters(*m).total;
            QVERIFY2(m->family != family || total >= size, m->id.c_str());
            family = m->family;
            size = total;
        }
        QCOMPARE(c.accelerators().front()->vendor, std::string("NVIDIA"));
        QVERIFY(c.accelerators().front()->family == AcceleratorFamily::V100);
    }

    void addsAndReplaces()
    {
        const Catalog c = Catalog::builtIn();
        Accelerator mine = *c.accelerator("a100-sxm-80gb");
        mine.memoryGb = 96;
        const Catalog replaced = c.with(mine);
        QCOMPARE(replaced.accelerators().size(), c.accelerators().size());
        QCOMPARE(replaced.accelerator("a100-sxm-80gb")->memoryGb, 96.0);
        QCOMPARE(c.accelerator("a100-sxm-80gb")->memoryGb, 80.0);
        mine.id = "my-card";
        QCOMPARE(c.with(mine).accelerators().size(), c.accelerators().size() + 1);
        ModelArchitecture model = *c.model("llama-3-8b");
        model.id = "mine";
        QVERIFY(c.with(model).model("mine") != nullptr && c.model("mine") == nullptr);
    }

    void peaks()
    {
        const Catalog c = Catalog::builtIn();
        const auto peak = [&](const char* id, DataType type) { return c.accelerator(id)->peakFlops(type) / 1e12; };
        QCOMPARE(peak("h100-sxm-80gb", DataType::Bf16), 989.4);
        QCOMPARE(peak("h100-sxm-80gb", DataType::Fp8), 1978.9);
        QCOMPARE(peak("h100-sxm-80gb", DataType::Mxfp8), 0.0); // its matmuls take no scales of blocks
        QCOMPARE(peak("b200-sxm", DataType::Mxfp8), peak("b200-sxm", DataType::Fp8));
        QCOMPARE(peak("h100-sxm-80gb", DataType::Fp4), 0.0);
        QCOMPARE(peak("b200-sxm", DataType::Mxfp4), 9000.0);
        QCOMPARE(peak("v100-sxm2-16gb", DataType::Bf16), 125.0); // fp16 stands in
        QCOMPARE(peak("v100-sxm2-16gb", DataType::Fp8), 0.0);
        QCOMPARE(peak("a100-sxm-80gb", DataType::Tf32), 156.0);
        QCOMPARE(peak("a100-sxm-80gb", DataType::Fp8), 0.0);
        QCOMPARE(peak("tpu-v4", DataType::Fp16), 275.0); // bf16 stands in
        QCOMPARE(peak("tpu-v4", DataType::Fp8), 0.0);
        QCOMPARE(peak("mi100", DataType::Bf16), 92.3); // half of fp16, not a stand-in
        QCOMPARE(c.accelerator("rtx-4090")->peak.fp16Accumulate16, 330.3);
    }

    void memory()
    {
        const Catalog c = Catalog::builtIn();
        QCOMPARE(c.accelerator("h100-sxm-80gb")->usableMemoryBytes(), 79.65 * 1073741824);
        Accelerator label = *c.accelerator("h100-sxm-80gb");
        label.memoryUsableGib.reset();
        QCOMPARE(label.usableMemoryBytes(), 80e9);
    }

    void onlyTwoPartsLackFacts()
    {
        std::string lacking;
        for (const auto& a : Catalog::builtIn().accelerators())
            for (const std::string& key : a->missingFacts())
                lacking += a->id + ' ' + key + "; ";
        QCOMPARE(lacking, std::string("h100-sxm-64gb memory_bandwidth_gbps_bytes; mi308x peak_tflops; "));
    }
};
HEADROOM_TEST(TestCatalog)

} // namespace headroom::test_catalog
#include "test_catalog.moc"
