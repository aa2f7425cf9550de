// SPDX-License-Identifier: GPL-3.0-or-later
// The keys of the scenario file: each has a row that a person can adjust, each row has a key, and the page tells them.
// HEADROOM_UPDATE_FORMAT_PAGE=1 writes docs/scenario_format.md anew; read the difference.
#include "core/scenario/parameter_registry.hpp"
#include "core/scenario/scenario_json.hpp"
#include "core/scenario/scenario_keys.hpp"
#include "core/scenario/scenario_names.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

#include <fmt/format.h>

#include <QtGlobal>
#include <algorithm>
#include <fstream>
#include <set>

namespace headroom::test_scenario_keys
{

class TestScenarioKeys : public QObject
{
    Q_OBJECT

private slots:
    void everyKeyHasARowOrAReason()
    {
        // What describes a file, or what a published run states, is no slider.
        const std::set<std::string> without{"/name",
                                            "/notes",
                                            "/source",
                                            "/year",
                                            "/efficiency/base",           // its row is /efficiency
                                            "/workload/software_version", // text: no slider
                                            "/workload/speculative/draft_model",
                                            "/workload/prefill_pool/accelerator",
                                            "/workload/mix",
                                            "/workload/load_profile", // its row is .../peak_to_trough
                                            "/measured/bandwidth_count",
                                            "/measured/max_batch",
                                            "/measured/kv_cache_tokens",
                                            "/measured/peak_memory_kind",
                                            "/measured/out_of_memory"};
        const auto ofList = [](const std::string& path) { // a profile's, a phase's, a question's: no slider
            return path.starts_with("/measured/profile/") || path.starts_with("/workload/phases/") ||
                   path.starts_with("/plan/");
        };
        std::set<std::string> seen;
        for (const ScenarioKey& key : scenarioKeys()) {
            QVERIFY2(key.hasRow != (without.contains(key.path) || ofList(key.path)), key.path.c_str());
            QVERIFY2(!key.hasRow || !key.words.empty(), key.path.c_str());
            QVERIFY2(!key.values.empty() && (key.training || key.inference), key.path.c_str());
            seen.insert(key.path);
        }
        QVERIFY(seen.contains("/measured/profile/matmul_s"));
        for (const std::string& path : without)
            QVERIFY2(seen.contains(path), path.c_str());
    }

    void aKeyInTheWrongPlaceIsToldWhereItBelongs()
    {
        const auto hintOf = [](const char* rest) {
            const auto read =
                readScenario(fmt::format(R"({{"format": "headroom-scenario", "version": 1, "model": "llama-3-8b",
                    "hardware": {{"accelerator": "h100-sxm-80gb", "count": 2}}, {}}})",
                                         rest),
                             Catalog::builtIn());
            return read ? std::string("read") : read.error().front().hint;
        };
        const auto serving = [&](const char* key) {
            return hintOf(fmt::format(R"("workload": {{"task": "inference", "{}": 2}})", key).c_str());
        };
        QCOMPARE(serving("tensor"), std::string("did you mean '/parallelism/tensor'?"));
        QCOMPARE(serving("price_per_gpu_hour"), std::string("did you mean '/hardware/price_per_gpu_hour'?"));
        QCOMPARE(hintOf(R"("software": "vllm", "workload": {"task": "inference"})"),
                 std::string("did you mean '/workload/software'?"));
        QCOMPARE(serving("ttft_target_s"), std::string("did you mean '/workload/latency_targets/ttft_s'?"));
        // Nobody who gives a batch to a training asks for reinforcement learning.
        QVERIFY(hintOf(R"("workload": {"task": "training", "batch": 8})").find("/rl/") == std::string::npos);
        // A key of the other task is no place to move to.
        QVERIFY(serving("micro_batch").find("/workload/micro_batch") == std::string::npos);
    }

    void everyRowHasAKey()
    {
        const auto keys = scenarioKeys();
        for (const ParameterRow& row : parameterRegistry()) {
            if (row.path == "/efficiency" || row.path == "/accounting")
                continue; // values of the document itself
            const bool found = std::ranges::any_of(keys, [&row](const ScenarioKey& key) {
                // "/workload/checkpointing/every" is part of a value with two forms.
                return row.path == key.path || row.path.starts_with(key.path + "/");
            });
            QVERIFY2(found, std::string(row.path).c_str());
        }
    }

    void everyKeyHasAMeaning()
    {
        for (const ScenarioKey& key : scenarioKeys())
            QVERIFY2(!key.words.empty(), key.path.c_str());
        for (const auto& convention : names::conventions)
            QVERIFY2(scenarioFormatPage().find(std::string(convention.id)) != std::string::npos,
                     std::string(convention.id).c_str());
    }

    void thePageTellsThem()
    {
        const std::string path = test::sourcePath("docs/scenario_format.md"), now = scenarioFormatPage();
        if (qEnvironmentVariableIsSet("HEADROOM_UPDATE_FORMAT_PAGE"))
            std::ofstream(path) << now;
        QCOMPARE(test::readFile(path), now);
    }
};
HEADROOM_TEST(TestScenarioKeys)

} // namespace headroom::test_scenario_keys
#include "test_scenario_keys.moc"
