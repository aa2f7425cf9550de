// SPDX-License-Identifier: GPL-3.0-or-later
// Results of TensorRT-LLM's trtllm-bench, as it prints them ("PERFORMANCE OVERVIEW") and as it saves them
// (--report_json): https://github.com/NVIDIA/TensorRT-LLM, tensorrt_llm/bench/dataclasses/reporting.py.
#include "core/runs/serving_result.hpp"
#include "core/support/json_parse.hpp"
#include "core/support/say.hpp"

#include <algorithm>

namespace headroom::logs
{
namespace
{

constexpr ServingFormat trtLlm{
    "trtllm-bench",
    {"Average time-to-first-token [TTFT] (ms):", "Average time-per-output-token [TPOT] (ms):",
     "Total Output Throughput (tokens/sec):", "Number of concurrent requests:", "Number of requests:",
     "Average Input Length (tokens):", "Average Output Length (tokens):"},
    phrase("does not say its concurrency: the scenario's batch is taken"),
    phrase("import the whole result")};

constexpr FactRow trtllmFacts[] = {
    {"TP Size:", "TP Size:", "tensor"},
    {"PP Size:", "PP Size:", "pipeline"},
    {"EP Size:", "EP Size:", "expert"},
    {"Max Runtime Batch Size:", "Max Runtime Batch Size:", "largest_batch"},
};

/// What both forms state, as far as it was read.
struct Stated {
    ServingResult result;
    std::optional<double> input, output; ///< mean lengths, tokens
    std::string device;
    int deviceLine = 0;
};

/// Means become sums; requests that wait for a place are no part of the batch, and nothing says how long they did.
void settle(Stated& s, Diagnostics& notes)
{
    auto& f = s.result.figures;
    const double requests = f[Completed].value_or(1);
    f[Completed] = requests;
    if (s.input && s.output) {
        f[InputTokens] = *s.input * requests;
        f[OutputTokens] = *s.output * requests;
    }
    JobFacts& facts = *s.result.facts;
    if (const auto tensor = facts.value("tensor"))
        facts.set("count", std::max(*tensor * facts.value("pipeline").value_or(1), facts.value("world").value_or(1)));
    const auto largest = facts.value("largest_batch");
    if (!f[Concurrency] || !largest || *f[Concurrency] <= *largest)
        return;
    f[Concurrency] = *largest;
    if (!f[Ttft])
        return;
    f[Ttft].reset();
    notes.push_back(problem(s.result.line, "queue-in-ttft",
                            said("more requests came than ran at once: its TTFT holds their wait and is left out"),
                            said("run the benchmark with --concurrency"), Severity::Warning));
}

Expected<LogReading> finished(const LogInput& input, std::vector<Stated> all)
{
    std::vector<ServingResult> results;
    Diagnostics notes;
    for (Stated& one : all) {
        settle(one, notes);
        if (auto other = otherDevice(input, one.device, one.deviceLine))
            notes.push_back(*std::move(other));
        results.push_back(std::move(one.result));
    }
    auto reading = servingReading(input, trtLlm, std::move(results));
    if (reading)
        reading->warnings.insert(reading->warnings.end(), notes.begin(), notes.end());
    return reading;
}

} // namespace

Expected<LogReading> readTrtllmText(const LogInput& input)
{
    if (auto wrong = wrongTask(input, Task::Inference, phrase("serving benchmark")))
        return tl::unexpected(Diagnostics{*std::move(wrong)});
    std::string spaced(input.text); // some of its columns are set with tabs
    std::ranges::replace(spaced, '\t', ' ');
    std::vector<Stated> all;
    Stated now;
    now.result.facts.emplace(trtllmFacts);
    const auto finish = [&] {
        if (now.result.figures[OutputRate])
            all.push_back(std::move(now));
        now = {};
        now.result.facts.emplace(trtllmFacts);
    };
    Lines lines(spaced);
    bool machine = false;
    while (lines.next()) {
        const std::string& text = lines.text();
        if (text.starts_with("= ") && now.result.figures[OutputRate])
            finish(); // the next result begins with a heading of its own
        now.result.facts->read(lines);
        if (machine && text.find(", memory ") != text.npos) {
            now.device = text.substr(0, text.find(','));
            now.deviceLine = lines.number();
        }
        if (text.starts_with("Model:"))
            now.result.model = text.substr(std::min(text.find_first_not_of(' ', 6), text.size()));
        machine = (machine && now.device.empty()) || text.find("= MACHINE DETAILS") != text.npos;
        for (std::size_t i = 0; i < figureCount; ++i) {
            if (text.find(trtLlm.figures[i]) == text.npos)
                continue;
            const auto value = numberAfter(text, trtLlm.figures[i]);
            if (!value)
                return refuse(lines.number(), "not-a-number", say("no number follows \"{}\"", trtLlm.figures[i]),
                              said("is the line complete?"));
            if (now.result.line == 0)
                now.result.line = lines.number();
            (i == InputTokens ? now.input : i == OutputTokens ? now.output : now.result.figures[i]) = value;
        }
        if (auto many = tooMany(all.size(), lines.number()))
            return tl::unexpected(Diagnostics{*std::move(many)});
    }
    finish();
    return finished(input, std::move(all));
}

Expected<LogReading> readTrtllmJson(const LogInput& input)
{
    if (auto wrong = wrongTask(input, Task::Inference, phrase("serving benchmark")))
        return tl::unexpected(Diagnostics{*std::move(wrong)});
    JsonLimits limits;
    limits.bytes = 64u << 20;
    const auto json = parseJson(withoutInfinities(input.text), limits);
    if (!json)
        return tl::unexpected(json.error());
    if (!json->is_object())
        return refuse(1, "wrong-type", said("a result must be a JSON object"));
    std::optional<Diagnostic> wrong;
    const auto number = [&](const char* section, const char* key) -> std::optional<double> {
        const auto part = json->find(section);
        if (part == json->end() || !part->is_object())
            return std::nullopt;
        const auto found = part->find(key);
        if (found == part->end() || found->is_null())
            return std::nullopt;
        if (found->is_number())
            return found->get<double>();
        wrong = problem(1, "wrong-type", say("\"{}\" must be a number", key));
        return std::nullopt;
    };
    Stated s;
    s.result.line = 1;
    s.result.facts.emplace(trtllmFacts);
    auto& f = s.result.figures;
    f[Ttft] = number("streaming_metrics", "avg_ttft_ms");
    f[Tpot] = number("streaming_metrics", "avg_tpot_ms");
    f[OutputRate] = number("performance", "system_output_throughput_tok_s");
    f[Concurrency] = number("request_info", "avg_num_concurrent_requests");
    f[Completed] = number("request_info", "num_requests");
    s.input = number("request_info", "avg_input_length");
    s.output = number("request_info", "avg_output_length");
    for (const auto& [key, fact] :
         {std::pair("tp_size", "tensor"), std::pair("pp_size", "pipeline"), std::pair("ep_size", "expert"),
          std::pair("world_size", "world"), std::pair("max_batch_size", "largest_batch")})
        if (const auto value = number("world_info", key); value && *value > 0)
            s.result.facts->set(fact, *value);
    if (wrong)
        return tl::unexpected(Diagnostics{*std::move(wrong)});
    if (const auto engine = json->find("engine"); engine != json->end() && engine->is_object())
        if (const auto model = engine->find("model"); model != engine->end() && model->is_string())
            s.result.model = model->get<std::string>();
    if (const auto machine = json->find("machine"); machine != json->end() && machine->is_object())
        if (const auto name = machine->find("name"); name != machine->end() && name->is_string())
            s.device = name->get<std::string>();
    s.deviceLine = 1;
    return finished(input, {std::move(s)});
}

} // namespace headroom::logs
