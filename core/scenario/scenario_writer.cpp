// SPDX-License-Identifier: GPL-3.0-or-later
// Writing scenario files: known key order, defaults left out.
#include "core/scenario/scenario_fields.hpp"
#include "core/scenario/scenario_json.hpp"
#include "core/scenario/value_forms.hpp"

namespace headroom
{
namespace
{

/// Walks a list of scenario_fields.hpp and takes what differs from its default.
template <typename Section>
class FieldWriter final
{
public:
    explicit FieldWriter(const Section& value) : m_value(value) {}

    template <typename Value>
    void key(const char* key, Value Section::*member)
    {
        if (differs(member))
            m_json[key] = jsonOf(valueOf(m_value.*member));
    }
    template <typename Value>
    void key(const char* key, Value Section::*member, NumberRange)
    {
        this->key(key, member);
    }
    template <typename Value>
    void like(const char* key, Value Section::*member, std::string_view)
    {
        this->key(key, member);
    }
    template <typename Value, typename Name, std::size_t count>
    void key(const char* key, Value Section::*member, const std::array<NamedValue<Name>, count>& names)
    {
        if (differs(member))
            m_json[key] = nameOf(names, valueOf(m_value.*member));
    }
    template <typename First, typename Second>
    void key(const char* key, First Section::*first, Second Section::*second)
    {
        if (differs(first) || differs(second))
            m_json[key] = formOf(m_value.*first, m_value.*second);
    }
    template <typename Keys>
    void object(const char* key, Keys keys)
    {
        FieldWriter inner(m_value);
        keys(inner);
        if (!inner.m_json.empty())
            m_json[key] = std::move(inner.m_json);
    }
    template <typename Part, typename Keys>
    void part(const char* key, Part Section::*member, Keys keys)
    {
        FieldWriter<Part> inner(m_value.*member);
        keys(inner);
        if (OrderedJson json = inner.take(); !json.empty())
            m_json[key] = std::move(json);
    }
    template <typename Keys>
    void only(Task, Keys keys)
    {
        keys(*this);
    }
    [[nodiscard]] OrderedJson take() { return std::move(m_json); }

private:
    template <typename Value>
    [[nodiscard]] bool differs(Value Section::*member) const
    {
        return m_value.*member != m_usual.*member;
    }
    template <typename Value>
    static const Value& valueOf(const Value& value)
    {
        return value;
    }
    template <typename Value>
    static const Value& valueOf(const std::optional<Value>& value)
    {
        return *value; // what differs from an empty default is there
    }

    const Section& m_value;
    Section m_usual{};
    OrderedJson m_json = OrderedJson::object();
};

/// The keys of a section that differ from their defaults.
template <typename Section, typename Keys>
OrderedJson written(const Section& section, Keys keys)
{
    FieldWriter<Section> writer(section);
    keys(writer);
    return writer.take();
}

/// Leaves out what has nothing to say.
void put(OrderedJson& document, const char* key, OrderedJson section)
{
    if (!section.empty())
        document[key] = std::move(section);
}

/// The id, or the object form, whose text readScenario() or a dialog made.
OrderedJson choiceJson(const std::string& id, const std::string& object)
{
    if (object.empty())
        return id;
    OrderedJson parsed = OrderedJson::parse(object, nullptr, false);
    return parsed.is_discarded() ? OrderedJson(id) : parsed;
}

/// Model, hardware, workload and parallelism: of the scenario, or of the run that was measured.
void putSettings(OrderedJson& document, const Setup& s, const ModelChoice& model, const AcceleratorChoice& accelerator)
{
    OrderedJson hardware{{"accelerator", choiceJson(accelerator.id, accelerator.object)}};
    hardware.update(written(s.hardware, [](auto& keys) { fields::hardware(keys); }));
    OrderedJson workload{{"task", nameOf(names::tasks, s.task)}};
    workload.update(s.task == Task::Training ? written(s.training, [](auto& keys) { fields::training(keys); })
                                             : written(s.inference, [](auto& keys) { fields::inference(keys); }));
    document["model"] = choiceJson(model.id, model.object);
    document["hardware"] = std::move(hardware);
    document["workload"] = std::move(workload);
    put(document, "parallelism", written(s.parallelism, [](auto& keys) { fields::parallelism(keys); }));
}

OrderedJson planJson(const PlanQuestion& question)
{
    OrderedJson json = written(question, [](auto& keys) { fields::plan(keys); });
    for (const PlanDevice& device : question.accelerators)
        json["accelerators"].push_back(written(device, [](auto& keys) { fields::planDevice(keys); }));
    return json;
}

void putAccounting(OrderedJson& document, Convention accounting)
{
    if (accounting != Setup().accounting)
        document["accounting"] = nameOf(names::conventions, accounting);
}

OrderedJson scenarioJson(const Scenario& s)
{
    OrderedJson document{{"format", "headroom-scenario"}, {"version", 1}};
    document.update(written(s, [](auto& keys) { fields::document(keys); }));
    putSettings(document, s, s.model, s.accelerator);
    if (s.task == Task::Training)
        for (const TrainingPhase& phase : s.phases)
            document["workload"]["phases"].push_back(written(phase, [](auto& keys) { fields::phase(keys); }));
    if (!s.efficiency.isPlain()) {
        document["efficiency"] = written(s.efficiency, [](auto& keys) { fields::efficiency(keys); });
        for (const auto& [task, on] :
             {std::pair("training", &s.fittedOn.training), std::pair("inference", &s.fittedOn.inference)})
            if (!on->empty())
                document["efficiency"]["fitted_on"][task] = *on;
    } else if (s.efficiency != Efficiency())
        document["efficiency"] = nameOf(names::efficiencyBases, s.efficiency.base);
    putAccounting(document, s.accounting);
    put(document, "measured", written(s.measured, [](auto& keys) { fields::measured(keys); }));
    if (s.measured.profile.any() && !s.kernels.empty())
        document["profile_kernels"] = formOf(s.kernels);
    if (s.measuredWith && s.measured.any()) {
        OrderedJson run = OrderedJson::object();
        putSettings(run, s.measuredWith->setup, s.measuredWith->model, s.measuredWith->accelerator);
        putAccounting(run, s.measuredWith->setup.accounting);
        document["measured_with"] = std::move(run);
    }
    if (s.plan)
        document["plan"] = planJson(*s.plan);
    return document;
}

std::string text(const Scenario& scenario, std::span<const SavedPin> pins, int indent, std::string_view recorded = {})
{
    OrderedJson document = scenarioJson(scenario);
    if (!recorded.empty())
        document["recorded"] = recorded;
    for (const SavedPin& pin : pins) {
        OrderedJson saved = OrderedJson::object();
        if (!pin.name.empty())
            saved["name"] = pin.name;
        saved["scenario"] = scenarioJson(pin.scenario);
        document["pins"].push_back(std::move(saved));
    }
    // A name from a dialog may hold anything: what is not UTF-8 is replaced.
    return document.dump(indent, ' ', false, OrderedJson::error_handler_t::replace);
}

} // namespace

std::string writeScenario(const Scenario& scenario, std::span<const SavedPin> pins)
{
    return text(scenario, pins, 2) + '\n';
}

std::string writeScenarioLine(const Scenario& scenario, std::string_view recorded)
{
    return text(scenario, {}, -1, recorded);
}

} // namespace headroom
