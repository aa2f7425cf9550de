// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/evaluation_text.hpp"
#include "core/metrics/metric_registry.hpp"
#include "core/predict/evaluation_json.hpp"
#include "tests/support/every_figure.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

#include <limits>
#include <nlohmann/json.hpp>
#include <set>

namespace headroom::test_evaluation_json
{
namespace
{

using Json = nlohmann::ordered_json;

QString qt(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

PreparedScenario prepared(Task task = Task::Training)
{
    Scenario scenario;
    scenario.task = task;
    return *prepare(scenario, Catalog::builtIn(), nullptr);
}

/// "a.b" within a document; null where the path ends nowhere.
const Json* at(const Json& json, std::string_view path)
{
    const Json* here = &json;
    while (!path.empty()) {
        const auto dot = path.find('.');
        const std::string key(path.substr(0, dot));
        if (!here->is_object() || !here->contains(key))
            return nullptr;
        here = &here->at(key);
        path = dot == path.npos ? std::string_view() : path.substr(dot + 1);
    }
    return here;
}

/// Names of an object and of the objects within it, "prefill.mfu".
void collectKeys(const Json& json, const std::string& prefix, std::set<std::string>& keys)
{
    for (const auto& [key, value] : json.items()) {
        if (value.is_object())
            collectKeys(value, prefix + key + '.', keys);
        else
            keys.insert(prefix + key);
    }
}

void collectNumbers(const Json& json, std::set<double>& numbers)
{
    for (const Json& value : json) {
        if (value.is_structured())
            collectNumbers(value, numbers);
        else if (value.is_number())
            numbers.insert(value.get<double>());
    }
}

int columns(const std::string& row)
{
    int count = 1;
    for (bool quoted = false; const char c : row) {
        quoted = quoted != (c == '"');
        count += c == ',' && !quoted ? 1 : 0;
    }
    return count;
}

} // namespace

class TestEvaluationJson : public QObject
{
    Q_OBJECT
private slots:
    void keysAreThoseOfTheFormat()
    {
        std::set<std::string> expected{"name",
                                       "fits",
                                       "parameters.total",
                                       "parameters.active",
                                       "parameters.trainable",
                                       "mfu",
                                       "hfu",
                                       "mbu",
                                       "prefill.mfu",
                                       "prefill.time_s",
                                       "ttft_alone_s",
                                       "observed.mfu",
                                       "observed.hfu",
                                       "observed.mbu",
                                       "observed.step_time_s",
                                       "observed.achieved_bandwidth_gb_per_s",
                                       "observed.ttft_s",
                                       "observed.tokens_per_s",
                                       "observed.peak_memory_bytes",
                                       "observed.impossible",
                                       "conventions.standard",
                                       "conventions.six_n",
                                       "conventions.palm",
                                       "conventions.causal",
                                       "conventions.megatron",
                                       "conventions.megatron_causal",
                                       "conventions.sc21",
                                       "conventions.matmul",
                                       "conventions.palm_4_3",
                                       "conventions.exact",
                                       "step_time_s",
                                       "tokens_per_s",
                                       "tokens_per_s_per_gpu",
                                       "model_tflops_per_gpu",
                                       "hardware_tflops_per_gpu",
                                       "ttft_s",
                                       "tpot_s",
                                       "request_latency_s",
                                       "requests_per_s",
                                       "max_batch",
                                       "batch",
                                       "queue.utilization",
                                       "queue.mean_wait_s",
                                       "queue.p95_wait_s",
                                       "queue.capacity_requests_per_s",
                                       "interval.step_time_s",
                                       "interval.tpot_s",
                                       "interval.ttft_s",
                                       "interval.tokens_per_s",
                                       "interval.memory.used_bytes",
                                       "flops.model",
                                       "flops.hardware",
                                       "flops.forward",
                                       "flops.backward_activation",
                                       "flops.backward_weight",
                                       "flops.recompute",
                                       "flops.attention",
                                       "flops.router",
                                       "flops.lm_head",
                                       "time",
                                       "memory.capacity_bytes",
                                       "speculation.tokens_per_cycle",
                                       "speculation.tokens_added",
                                       "speculation.cycle_s",
                                       "speculation.verify_s",
                                       "speculation.draft_s",
                                       "speculation.host_s",
                                       "speculation.plain_tpot_s",
                                       "speculation.speedup",
                                       "memory.used_bytes",
                                       "memory.weights",
                                       "memory.gradients",
                                       "memory.optimizer",
                                       "memory.activations",
                                       "memory.logits",
                                       "memory.kv_cache",
                                       "memory.overhead",
                                       "memory_kinds.allocated",
                                       "memory_kinds.reserved",
                                       "memory_kinds.device",
                                       "bound_by",
                                       "cost.per_hour",
                                       "cost.per_million_tokens",
                                       "cost.to_train",
                                       "energy.watts",
                                       "energy.joules_per_token",
                                       "seconds_to_train",
                                       "goodput.ettr",
                                       "goodput.ettr_low",
                                       "goodput.share",
                                       "goodput.tokens_per_s",
                                       "goodput.mtbf_s",
                                       "goodput.checkpoint_bytes",
                                       "goodput.checkpoint_s",
                                       "goodput.interval_s",
                                       "goodput.best_interval_s",
                                       "goodput.lost_s",
                                       "goodput.losses.checkpoints",
                                       "goodput.losses.restarts",
                                       "goodput.losses.lost_work",
                                       "goodput.losses.stragglers",
                                       "goodput.losses.maintenance",
                                       "phases.tokens",
                                       "phases.seconds",
                                       "phases.gpu_hours",
                                       "phases.cost",
                                       "phases.fits",
                                       "phases.each",
                                       "rl.fits",
                                       "warnings"};
        for (const char* key : {"step_s",          "generate_s",
                                "generate_share",  "update_s",
                                "sync_s",          "tail_s",
                                "wait_s",          "hidden_s",
                                "idle_share",      "tokens_per_s_per_gpu",
                                "answers_per_s",   "cost_per_step",
                                "answers",         "tokens",
                                "longest_tokens",  "train_gpus",
                                "rollout_gpus",    "imbalance",
                                "answers_s",       "states_s",
                                "state_bytes",     "copies",
                                "batch",           "sync_bytes",
                                "used_bytes",      "capacity_bytes",
                                "parts.generate",  "parts.old_log_prob",
                                "parts.reference", "parts.critic",
                                "parts.reward",    "parts.update",
                                "parts.sync",      "parts.controller"})
            expected.insert(std::string("rl.") + key);
        expected.insert({"rl.update_used_bytes", "rl.update_capacity_bytes", "step_fits"});
        for (const char* key : {"tail.share", "tail.prompt_tokens", "tail.wait_s", "tail.ttft_s", "queue.p99_wait_s",
                                "mix.ttft_s", "mix.latency_s", "mix.classes", "host_states.bytes", "host_states.gpus",
                                "host_states.host_bytes", "host_states.most_bytes"})
            expected.insert(key);
        for (const char* key : {"peak_requests_per_s", "trough_requests_per_s", "replica_requests_per_s", "replicas",
                                "peak_replicas", "gpu_hours", "cost", "peak_share", "late_share", "saving",
                                "fixed.replicas", "fixed.gpu_hours", "fixed.cost", "fixed.peak_share", "hours"})
            expected.insert(std::string("day.") + key);
        for (const char* key : {"limit", "ratio", "prompts_per_pass", "pass_s", "request_s", "wait_s", "p95_wait_s",
                                "p99_wait_s", "transfer_bytes", "transfer_s", "transfer_shown_s"})
            expected.insert(std::string("pools.") + key);
        for (const char* key : {"gpus", "instances", "instances_needed", "requests_per_s", "utilization", "used_bytes",
                                "capacity_bytes", "fits", "mfu", "mbu", "watts", "cost_per_hour"})
            for (const char* pool : {"pools.prefill.", "pools.decode."})
                expected.insert(std::string(pool) + key);
        for (const char* key : {"prompt_bytes", "load_bytes", "load_s", "load_shown_s", "recompute_s", "saved_s",
                                "break_even_bytes_per_s"})
            expected.insert(std::string("kv_tiers.") + key);
        for (const char* key : {"bytes", "tokens", "hit_tokens", "bytes_per_s"})
            for (const char* tier : {"kv_tiers.host.", "kv_tiers.nvme."})
                expected.insert(std::string(tier) + key);
        for (const char* key : {"bytes", "share", "read_bytes", "bytes_per_s", "read_s", "shown_s"})
            expected.insert(std::string("host_weights.") + key);
        std::set<std::string> keys;
        collectKeys(Json::parse(evaluationJson("n", prepared(), test::everyFigure(), -1)), "", keys);
        for (const std::string& key : expected)
            QVERIFY2(keys.contains(key), key.c_str());
        for (const std::string& key : keys)
            QVERIFY2(expected.contains(key), key.c_str());
    }

    void metricsReadTheSameThere()
    {
        const Evaluation e = test::everyFigure();
        const Json json = Json::parse(evaluationJson("n", prepared(), e, -1));
        std::set<double> numbers;
        collectNumbers(json, numbers);
        int compared = 0;
        for (const MetricRow& metric : metricRegistry()) {
            const Json* value = at(json, metric.id);
            if (!value) { // worked out from others: no key of its own, nor one of another name
                QVERIFY2(!numbers.contains(metric.value(e).value_or(0)), std::string(metric.id).c_str());
                continue;
            }
            QVERIFY2(value->is_number(), std::string(metric.id).c_str());
            QVERIFY2(value->get<double>() == metric.value(e), std::string(metric.id).c_str());
            ++compared;
        }
        QVERIFY(compared > 40);
        const Json& one = json.at("mix").at("classes").at(0);
        QVERIFY(one.size() == 8 && one.at("request_latency_s") == e.mix->all[0].latencyS);
        QVERIFY(one.at("in_flight") == e.mix->all[0].inFlight && one.at("ttft_s") == e.mix->all[0].ttftS);
    }

    void undefinedIsNullAndNeverLeftOut()
    {
        const Json json = Json::parse(evaluationJson("", prepared(), Evaluation{}, -1));
        for (const char* key : {"name", "mfu", "prefill", "observed", "step_time_s", "tpot_s", "queue", "speculation",
                                "pools", "interval.tpot_s", "cost.per_hour", "energy.watts", "conventions.exact"}) {
            const Json* value = at(json, key);
            QVERIFY2(value != nullptr && value->is_null(), key);
        }
        QVERIFY(json.at("warnings").empty());
    }

    void numbersReadBackEqual()
    {
        Evaluation e;
        for (const double value : {0.1, 1.0 / 3, 8030261248.0, 6.02e23, 5e-324, 9007199254740993.0, 1e300, 1e16}) {
            e.mfu = value;
            const Json json = Json::parse(evaluationJson("", prepared(), e, -1));
            QCOMPARE(json.at("mfu").get<double>(), value);
        }
        QVERIFY(evaluationJson("", prepared(), test::everyFigure(), -1).find("\"total\":2.25,") != std::string::npos);
    }

    void namesMayHoldAnything()
    {
        const std::string name = "a \"b\"\n\\ ä \xFF";
        const Json json = Json::parse(evaluationJson(name, prepared(), Evaluation{}, -1));
        QCOMPARE(qt(json.at("name").get<std::string>()), QStringLiteral("a \"b\"\n\\ ä \uFFFD"));
    }

    void indentedIsTheSameDocument()
    {
        const std::string line = evaluationJson("n", prepared(), test::everyFigure(), -1);
        const std::string indented = evaluationJson("n", prepared(), test::everyFigure(), 2);
        QVERIFY(line.find('\n') == line.npos);
        QVERIFY(indented.starts_with("{\n  \"name\""));
        QVERIFY(Json::parse(line) == Json::parse(indented));
    }

    void indentedIsLaidOutAsTheLibraryDoes()
    {
        Evaluation e = test::everyFigure();
        for (const std::string_view name : {"", "a {\"b\": [1, 2]}\n\\ \\\" ä, c: {}"}) {
            const std::string line = evaluationJson(name, prepared(), e, -1);
            for (const int indent : {0, 2, 4})
                QCOMPARE(evaluationJson(name, prepared(), e, indent), nlohmann::ordered_json::parse(line).dump(indent));
            e = Evaluation{};
        }
    }

    void partsHaveNamesOfTheirOwn()
    {
        const Json json = Json::parse(evaluationJson("n", prepared(), test::everyFigure(), -1));
        std::set<std::string> names;
        double sum = 0;
        for (const Json& part : json.at("time")) {
            names.insert(part.at("what").get<std::string>());
            sum += part.at("s").get<double>();
        }
        QCOMPARE(int(names.size()), timePartCount);
        double expected = 0;
        for (const double s : test::everyFigure().time)
            expected += s;
        QCOMPARE(sum, expected);
    }

    void everyWarningSaysSomethingOfItsOwn()
    {
        Evaluation e;
        for (int i = 0; i < warningCodeCount; ++i)
            e.warnings.add(static_cast<WarningCode>(i), 2);
        std::set<std::string> codes, texts;
        for (const Task task : {Task::Training, Task::Inference}) {
            PreparedScenario scenario = prepared(task);
            scenario.parallelism.attentionData = scenario.parallelism.virtualPipeline = 2; // no effect in either task
            const Json json = Json::parse(evaluationJson("n", scenario, e, -1));
            QCOMPARE(int(json.at("warnings").size()), warningCodeCount);
            for (const Json& warning : json.at("warnings")) {
                codes.insert(warning.at("code"));
                texts.insert(warning.at("text"));
                QVERIFY(warning.at("text").get<std::string>().ends_with('.'));
            }
        }
        QCOMPARE(int(codes.size()), warningCodeCount);
        QVERIFY(int(texts.size()) >= warningCodeCount);
    }

    void refusalsAreOneLine()
    {
        Diagnostic diagnostic;
        diagnostic.code = "out-of-range";
        diagnostic.path = "/workload/batch";
        diagnostic.message = "must be at least 1\n(found 0)";
        const std::string line = errorJson("", {diagnostic});
        QVERIFY(line.find('\n') == line.npos);
        const Json json = Json::parse(line), error = json.at("error");
        QVERIFY(json.at("name").is_null() && error.contains("hint"));
        QCOMPARE(qt(error.at("code").get<std::string>()), QStringLiteral("out-of-range"));
        QCOMPARE(qt(error.at("path").get<std::string>()), QStringLiteral("/workload/batch"));
    }

    void csvRowsHaveTheColumnsOfTheHeader()
    {
        const int expected = columns(evaluationCsvHeader());
        QVERIFY(expected > 40);
        QCOMPARE(columns(evaluationCsvRow("a, \"b\"", prepared(), test::everyFigure())), expected);
        QCOMPARE(columns(evaluationCsvRow("", prepared(), Evaluation{})), expected);
        QCOMPARE(columns(errorCsvRow("x", {})), expected);
        QCOMPARE(qt(csvCell("a, \"b\"")), QStringLiteral("\"a, \"\"b\"\"\""));
        // What a spreadsheet would run is text there; numbers and their signs stay as they are.
        for (const char* formula : {"=1+1", "@SUM(A1)", "+cmd|' /C calc'!A0", "-2+HYPERLINK(1)", "=cmd()"})
            QCOMPARE(qt(csvCell(formula)), QStringLiteral("'") + QLatin1String(formula));
        QCOMPARE(qt(csvCell("=a,b")), QStringLiteral("\"'=a,b\""));
        for (const char* plain : {"-1.5", "+3 %", "-", "a=b", ""})
            QCOMPARE(qt(csvCell(plain)), QLatin1String(plain));
    }

    void tableNamesWhatMatters()
    {
        Evaluation e = test::everyFigure();
        e.mfu = 0.561;
        e.warnings.add(WarningCode::EfficiencyOverridden);
        const std::string text = evaluationText("my run", prepared(), e);
        QVERIFY(text.starts_with("my run\nLlama 3 8B on 1 × "));
        QVERIFY(text.find("MFU                       56") != text.npos);
        QVERIFY(text.find("tensor parallel exposed") != text.npos);
        QVERIFY(text.find("Note: The calibrated") != text.npos);
    }
};
HEADROOM_TEST(TestEvaluationJson)

} // namespace headroom::test_evaluation_json
#include "test_evaluation_json.moc"
