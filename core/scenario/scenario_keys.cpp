// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/scenario_keys.hpp"

#include "core/scenario/field_reader.hpp"
#include "core/scenario/parameter_registry.hpp"
#include "core/scenario/scenario_fields.hpp"
#include "core/support/key_words.hpp"
#include "core/support/language.hpp"

namespace headroom
{
namespace
{

/// Walks the lists of scenario_fields.hpp and writes down what each key may hold.
template <typename Section>
class FieldLister final
{
public:
    FieldLister(std::vector<ScenarioKey>& keys, std::string path, Task task)
        : m_keys(keys), m_path(std::move(path)), m_task(task)
    {
    }

    template <typename Value>
    void key(std::string_view key, Value Section::*member)
    {
        using Own = ValueOf<Value>;
        const NumberRange* range = rangeOfKey(childPath(m_path, key));
        std::string values;
        if constexpr (std::is_same_v<Own, bool>)
            values = "true or false";
        else if constexpr (std::is_integral_v<Own>)
            values = rangeWords("whole number", range != nullptr ? *range : NumberRange{1, 1e15});
        else if constexpr (std::is_floating_point_v<Own>)
            values = rangeWords("number", range != nullptr ? *range : NumberRange::positive());
        else if constexpr (std::is_same_v<Own, std::string>)
            values = "text";
        else if constexpr (std::is_same_v<Own, FlashAttention>)
            values = "true, false, a version (1, 2 or 3), or cudnn";
        else if constexpr (std::is_same_v<Own, SoftwareVersion>)
            values = "a release as its maker writes it: \"0.14.1\"";
        else if constexpr (std::is_same_v<Own, Acceptance>)
            values = "number from 0 to 1, or an array of them, position by position";
        else if constexpr (std::is_same_v<Own, RequestMix>)
            values = R"(array of 2 to 8 classes, {"share": 0.7, "prompt_tokens": 1155, "output_tokens": 211})";
        else if constexpr (std::is_same_v<Own, LoadProfile>)
            values =
                R"({"shape": "sine" or "office", "peak_to_trough": 3}; an array of 24 multiples of the mean, from )"
                R"(midnight on; or {"requests_per_s": [24 rates]})";
        else if constexpr (std::is_same_v<Own, MeasuredShapes>)
            values = R"(array of 1 to 12 shapes of matmuls, {"m": 8192, "n": 4096, "k": 4096, "type": "bf16", )"
                     R"("count": 32, "time_s": 0.02})";
        else if constexpr (std::is_same_v<Own, CatalogId>)
            values = "id in the catalogue";
        else
            values = "all-linear, attention, qv, or an array of q, k, v, o, gate, up, down";
        add(key, std::move(values), usualOf(m_usual.*member));
    }
    template <typename Value>
    void key(std::string_view key, Value Section::*member, NumberRange range)
    {
        const bool whole = std::is_integral_v<ValueOf<Value>>;
        add(key, rangeWords(whole ? "whole number" : "number", range), usualOf(m_usual.*member));
    }
    template <typename Value>
    void like(std::string_view key, Value Section::*, std::string_view path)
    {
        const bool whole = std::is_integral_v<ValueOf<Value>>;
        add(key, rangeWords(whole ? "whole number" : "number", *rangeOfKey(path)),
            {}); // the default is that key's value
    }
    template <typename Value, typename Name, std::size_t count>
    void key(std::string_view key, Value Section::*member, const std::array<NamedValue<Name>, count>& names)
    {
        std::string usual;
        if constexpr (!isOptional<Value>)
            usual = nameOf(names, m_usual.*member);
        add(key, nameWords(names), std::move(usual));
    }
    void key(std::string_view key, Checkpointing Section::*mode, std::int64_t Section::*every)
    {
        add(key, nameWords(names::checkpointing) + R"(; or {"mode": "selective_layer", "every": 2})",
            formOf(m_usual.*mode, m_usual.*every).template get<std::string>());
    }
    void key(std::string_view key, std::int64_t Section::*batch, bool Section::*most)
    {
        add(key, rangeWords("whole number", *rangeOfKey(childPath(m_path, key))) + ", or \"max\"",
            formOf(m_usual.*batch, m_usual.*most).dump());
    }
    template <typename Keys>
    void object(std::string_view key, Keys keys)
    {
        const std::string outer = std::exchange(m_path, childPath(m_path, key));
        keys(*this);
        m_path = outer;
    }
    template <typename Part, typename Keys>
    void part(std::string_view key, Part Section::*, Keys keys)
    {
        FieldLister<Part> lister(m_keys, childPath(m_path, key), m_task);
        keys(lister);
    }
    template <typename Keys>
    void only(Task task, Keys keys)
    {
        const std::size_t before = m_keys.size();
        keys(*this);
        for (std::size_t i = before; i < m_keys.size(); ++i)
            (task == Task::Training ? m_keys[i].inference : m_keys[i].training) = false;
    }

private:
    template <typename Value>
    static std::string usualOf(const Value& value)
    {
        if constexpr (isOptional<Value> || std::is_same_v<Value, std::string>)
            return {};
        else if (const OrderedJson json = jsonOf(value); json.is_string())
            return json.template get<std::string>();
        else
            return json.dump();
    }
    void add(std::string_view key, std::string values, std::string usual)
    {
        ScenarioKey entry{childPath(m_path, key), std::move(values), std::move(usual), {}};
        // A workload's key is described by the row of its task; another may be of one task alone.
        const bool ofTask = entry.path.starts_with("/workload/");
        for (const ParameterRow& row : parameterRegistry()) {
            if (row.path != entry.path || (ofTask && !appliesTo(row, m_task)))
                continue;
            entry.hasRow = true;
            entry.words = row.description;
            entry.training = row.training;
            entry.inference = row.inference;
            break;
        }
        m_keys.push_back(std::move(entry));
    }

    std::vector<ScenarioKey>& m_keys;
    std::string m_path;
    Task m_task; ///< whose rows describe the keys
    Section m_usual{};
};

template <typename Section, typename Keys>
void list(std::vector<ScenarioKey>& all, std::string path, Task task, Keys keys)
{
    FieldLister<Section> lister(all, std::move(path), task);
    keys(lister);
}

/// A workload's keys belong to its task alone.
template <typename Workload, typename Keys>
void listWorkload(std::vector<ScenarioKey>& all, const char* path, Task task, Keys keys)
{
    const std::size_t before = all.size();
    list<Workload>(all, path, task, keys);
    for (std::size_t i = before; i < all.size(); ++i)
        (task == Task::Training ? all[i].inference : all[i].training) = false;
}

std::string tasksOf(const ScenarioKey& key)
{
    if (key.training == key.inference)
        return {};
    return key.training ? "training" : "inference";
}

} // namespace

std::vector<ScenarioKey> scenarioKeys()
{
    std::vector<ScenarioKey> all;
    const Task any = Task::Training;
    list<Scenario>(all, "", any, [](auto& keys) { fields::document(keys); });
    list<Hardware>(all, "/hardware", any, [](auto& keys) { fields::hardware(keys); });
    listWorkload<TrainingWorkload>(all, "/workload", Task::Training, [](auto& keys) { fields::training(keys); });
    listWorkload<InferenceWorkload>(all, "/workload", Task::Inference, [](auto& keys) { fields::inference(keys); });
    list<Parallelism>(all, "/parallelism", any, [](auto& keys) { fields::parallelism(keys); });
    listWorkload<TrainingPhase>(all, "/workload/phases/…", Task::Training, [](auto& keys) { fields::phase(keys); });
    const std::size_t plan = all.size();
    list<PlanQuestion>(all, "/plan", any, [](auto& keys) { fields::plan(keys); });
    for (std::size_t i = 0; i < planRows().size(); ++i)
        all[plan + i].words = planRows()[i].tip;
    list<Efficiency>(all, "/efficiency", any, [](auto& keys) { fields::efficiency(keys); });
    list<Measured>(all, "/measured", any, [](auto& keys) { fields::measured(keys); });
    for (ScenarioKey& key : all)
        if (key.words.empty())
            key.words = keyWords(key.path);
    return all;
}

std::string pathOfKey(std::string_view name, Task task)
{
    static const std::vector<ScenarioKey> keys = scenarioKeys(); // a file may have many keys in wrong places
    std::string shortest;
    for (const ScenarioKey& key : keys) {
        const bool named = std::string_view(key.path).substr(key.path.rfind('/') + 1) == name;
        if (named && (task == Task::Training ? key.training : key.inference) &&
            (shortest.empty() || key.path.size() < shortest.size()))
            shortest = key.path;
    }
    if (shortest.empty()) // a sweep or a lock calls it so
        if (const ParameterRow* row = parameterRow(name); row && appliesTo(*row, task))
            shortest = row->path;
    return shortest;
}

std::string scenarioFormatPage()
{
    std::string page =
        "# The scenario file\n\n"
        "A `.headroom` file is one JSON object; a `.jsonl` file holds one on each line. Comments (`//`, `/* */`) are "
        "read and not kept. This page is made from the lists that read and write the file "
        "(`HEADROOM_UPDATE_FORMAT_PAGE=1 build/dev/tests/core_tests test_scenario_keys`); do not edit it.\n\n"
        "Three keys stand in every file: `\"format\": \"headroom-scenario\"`, `\"version\": 1` and `\"model\"`, the id "
        "of "
        "an entry of the catalogue or an object that describes a model. `/hardware/accelerator` is needed too, an id "
        "or "
        "an object. `/workload/task` is `training` or `inference` and decides which keys the workload has. "
        "`/accounting` names the convention by which FLOP are counted, `standard` where it is left out: standard, "
        "six_n, palm, "
        "causal, megatron, megatron_causal, sc21, matmul, palm_4_3 or exact. A key that is left out has its default; "
        "one "
        "that "
        "is not listed is refused. `/measured_with` holds the settings of a measurement where the scenario has moved "
        "on "
        "from them: `model`, `hardware`, `workload`, `parallelism` and `accounting` as below.\n\n"
        "`/plan` holds what was asked of the planner, and changes no figure: the keys below and `accelerators`, an "
        "array "
        "of `{\"id\": …, \"price_per_gpu_hour\": …}` to compare with the scenario's own.\n\n"
        "`/pins` holds what is pinned beside the scenario, at most three of `{\"name\": …, \"scenario\": …}`: a name "
        "of "
        "at most 40 bytes, which may be left out, and a whole scenario without pins. `/recorded` says when a run was "
        "entered or imported, in UTC (`2026-11-25T03:40:00Z`): the history of the window (`runs.jsonl`) has it on each "
        "line.\n\n"
        "`/workload/phases` of a training is an array of up to 16 objects, phases that run one after the other. "
        "`tokens` is needed; each other key below says what differs from the scenario's own.\n\n"
        "`/workload/autoscale` may be an empty object: replicas then follow the load with the defaults below. They "
        "have a "
        "load to follow where `/workload/load_profile` says how it changes; the load of an hour is its multiple of "
        "`/workload/requests_per_s`, the mean of the day.\n\n"
        "`/profile_kernels` holds the kernels of `/measured/profile` by their names, at most 100 of `{\"name\": …, "
        "\"class\": …, \"count\": …, \"time_s\": …}` of a mean step, where whoever imported the profile wanted names "
        "to "
        "be kept; without a profile it says nothing. `class` is matmul, attention, router, norm, quantise, "
        "elementwise, "
        "optimizer, copy, communication or other, which no rule recognised.\n\n"
        "An object `/workload/rl` of a training, even an empty one, asks for a step of reinforcement learning.\n\n"
        "Instead of an object `/efficiency` may be `\"expected\"` or `\"ideal\"`. `/efficiency/fitted_on` says whose "
        "runs the multipliers were fitted to, as `calibrate` writes it: `{\"training\": [\"h100-sxm-80gb\"]}`, ids "
        "(or names) of accelerators for each task. A note says where the scenario is of another.\n\n"
        "| key | task | value | default | meaning |\n|---|---|---|---|---|\n";
    const InEnglish english;
    for (const ScenarioKey& key : scenarioKeys())
        page += fmt::format("| `{}` | {} | {} | {} | {} |\n", key.path, tasksOf(key), key.values,
                            key.usual.empty() ? std::string() : "`" + key.usual + "`", key.words);
    return page;
}

} // namespace headroom
