// SPDX-License-Identifier: GPL-3.0-or-later
// A row of the CSV says of each figure what the JSON says: the same number, or nothing where that is null.
#include "core/metrics/evaluation_text.hpp"
#include "core/metrics/metric_registry.hpp"
#include "core/predict/evaluation_json.hpp"
#include "core/units/format.hpp"
#include "tests/support/program.hpp"
#include "tests/support/random_scenario.hpp"
#include "tests/support/serving_fixture.hpp"
#include "tests/support/support.hpp"
#include "tests/support/training_case.hpp"

#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace headroom::test_outputs_agree
{

using Json = nlohmann::json;

namespace
{

/// The value of a dotted key; null where it has none, as where a part that was not asked for is left out.
Json at(const Json& whole, std::string_view key)
{
    const Json* here = &whole;
    std::istringstream parts{std::string(key)};
    for (std::string part; std::getline(parts, part, '.'); here = &here->at(part))
        if (!here->is_object() || !here->contains(part))
            return {};
    return *here;
}

/// Cells of a row; names in quotes may hold commas.
std::vector<std::string> cellsOf(const std::string& row)
{
    std::vector<std::string> cells(1);
    bool quoted = false;
    for (const char c : row) {
        quoted = quoted != (c == '"');
        if (c == ',' && !quoted)
            cells.emplace_back();
        else
            cells.back() += c;
    }
    return cells;
}

/// Figures of which CSV and JSON differ; those that JSON has no key for are left out.
std::string difference(const PreparedScenario& p, const std::set<std::string_view>& known)
{
    constexpr std::size_t first = 7; // name, model, accelerator, count, task, fits, bound_by
    const Evaluation e = evaluate(p);
    const Json json = Json::parse(evaluationJson("", p, e, -1));
    const std::vector<std::string> cells = cellsOf(evaluationCsvRow("", p, e));
    std::string wrong;
    for (std::size_t i = 0; i < metricRegistry().size(); ++i) {
        const MetricRow& metric = metricRegistry()[i];
        const bool impossible = e.observed && e.observed->impossible; // JSON says what was stated, beside the warning
        if (!known.contains(metric.id) || (impossible && metric.id.starts_with("observed")))
            continue;
        const Json value = at(json, metric.id);
        const std::string& cell = cells.at(first + i);
        if (value.is_null() != cell.empty() || (value.is_number() && value.get<double>() != std::stod(cell)))
            wrong += std::string(metric.id) + ": \"" + cell + "\" and " + value.dump() + "; ";
    }
    return wrong;
}

/// Those that any of the scenarios has in JSON.
std::set<std::string_view> knownTo(const std::vector<PreparedScenario>& all)
{
    std::set<std::string_view> known;
    for (const PreparedScenario& p : all) {
        const Json json = Json::parse(evaluationJson("", p, evaluate(p), -1));
        for (const MetricRow& metric : metricRegistry())
            if (at(json, metric.id).is_number())
                known.insert(metric.id);
    }
    return known;
}

} // namespace

class TestOutputsAgree : public QObject
{
    Q_OBJECT
private slots:
    /// Memory beside the word is that of the GPU that the word names: one pool does not fit, the other does.
    void textSaysWhoseMemoryItIs()
    {
        PreparedScenario p = test::serving("llama-3.1-70b", "h200-sxm-141gb", 4, [](Scenario& s) {
            s.parallelism.tensor = 4;
            s.inference.scheduling = Scheduling::Disaggregated;
            s.inference.prefillPool.count = 4;
            s.inference.prefillPool.accelerator = CatalogId::from("l4");
        });
        const Evaluation e = evaluate(p);
        QVERIFY(e.pools && e.pools->decode.fits && !e.pools->prefill.fits && !e.fits);
        const std::string text = evaluationText("", p, e);
        const auto memory = [&text](std::string_view whose) {
            const auto from = text.find("Memory of the fullest GPU that " + std::string(whose) + ": ");
            return from == std::string::npos ? std::string("none") : text.substr(from, text.find('\n', from) - from);
        };
        QVERIFY2(memory("decodes").ends_with(formatText(e.capacityBytes, ValueFormat::Bytes)),
                 memory("decodes").c_str());
        QVERIFY2(memory("reads prompts").ends_with(", does not fit"), memory("reads prompts").c_str());
    }

    /// All that was measured stands in text, JSON and CSV, also what no utilisation follows from.
    void whatWasMeasuredIsNowhereLost()
    {
        PreparedScenario p = test::serving("llama-3.1-8b", "h100-sxm-80gb", 1);
        p.measured.ttftS = 0.125;
        p.measured.tokensPerS = 71.5;
        p.measured.peakMemoryBytes = 31e9;
        const Evaluation e = evaluate(p);
        const std::string text = evaluationText("", p, e);
        for (const char* words :
             {"TTFT, measured", "125", "Tokens/s, measured", "71.5", "Peak memory, measured", "31.0"})
            QVERIFY2(text.find(words) != std::string::npos, words);
        const Json observed = Json::parse(evaluationJson("", p, e, -1))["observed"];
        QCOMPARE(observed["ttft_s"].get<double>(), 0.125);
        QCOMPARE(observed["tokens_per_s"].get<double>(), 71.5);
        QCOMPARE(observed["peak_memory_bytes"].get<double>(), 31e9);
        const std::string wrong = difference(p, {"observed.ttft_s", "observed.tokens_per_s"});
        QVERIFY2(wrong.empty(), wrong.c_str());
        PreparedScenario trained = test::trainingCase("llama-3-8b", "h100-sxm-80gb", 8);
        trained.measured.stepTimeS = 20;
        const Evaluation step = evaluate(trained);
        QCOMPARE(*step.observed->tokensPerS, step.tokensPerStep / 20);
        QVERIFY(!step.observed->ttftS);
    }

    /// Limits of power stood in JSON alone, and tiers that hold nothing, or of which nothing is found, were 0 there and
    /// nothing in CSV.
    void csvSaysWhatJsonSays()
    {
        std::vector<PreparedScenario> all;
        for (const char* workload :
             {R"("kv_tiers": {"host_gb": 100})", R"("kv_tiers": {"nvme_gb": 100, "nvme_hit_rate": 0.5})",
              R"("requests_per_s": 1, "latency_targets": {"percentile": "p99"})", R"("output_tokens": 1)"})
            all.push_back(*test::prepareServing(workload));
        for (const int count : {1, 8})
            all.push_back(test::serving("llama-3-8b", "h100-sxm-80gb", count, [](Scenario& s) {
                s.hardware.pricePerGpuHour = 2;
                s.hardware.power.pue = 1.2;
            }));
        test::RandomScenarios random(5);
        for (int i = 0; i < 40; ++i)
            all.push_back(random.next(i % 2 ? Task::Inference : Task::Training));
        const std::set<std::string_view> known = knownTo(all);
        QVERIFY(known.contains("energy.best_limit_w") && known.contains("kv_tiers.saved_s") && known.size() > 40);
        for (const PreparedScenario& p : all) {
            const std::string wrong = difference(p, known);
            QVERIFY2(wrong.empty(), wrong.c_str());
        }
    }
};
HEADROOM_TEST(TestOutputsAgree)

} // namespace headroom::test_outputs_agree
#include "test_outputs_agree.moc"
