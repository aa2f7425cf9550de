// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/value_forms.hpp"

#include "core/scenario/field_reader.hpp"
#include "core/scenario/scenario_names.hpp"
#include "core/support/say.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <vector>

namespace headroom
{
namespace
{

/// The fused attention of NVIDIA's cuDNN, which Transformer Engine calls: no FlashAttention, and as fused.
constexpr std::string_view cudnn = "cudnn";

std::vector<std::string_view> loraTargetIds()
{
    std::vector<std::string_view> ids;
    for (const auto& name : names::loraTargets)
        ids.insert(ids.end(), {name.id, name.longId});
    return ids;
}

/// The bit of "q" or "q_proj"; reports an unknown name at its place in the list.
std::uint8_t loraTargetBit(const Json& element, std::string path, Diagnostics& diagnostics)
{
    if (!element.is_string()) {
        addDiagnostic(diagnostics, "wrong-type", std::move(path),
                      say("must be text (found {})", describeJson(element)));
        return 0;
    }
    const std::string& id = element.get_ref<const std::string&>();
    for (const auto& name : names::loraTargets) {
        if (name.id == id || name.longId == id)
            return name.bit;
    }
    addDiagnostic(diagnostics, "unknown-name", std::move(path), say("{} names no projection", describeJson(element)),
                  suggestName(id, loraTargetIds()));
    return 0;
}

} // namespace

void readForm(ObjectReader& reader, std::string_view key, FlashAttention& target)
{
    const Json* value = reader.value(key);
    if (value == nullptr)
        return;
    if (value->is_boolean()) {
        target = value->get<bool>() ? FlashAttention::On : FlashAttention::Off;
        return;
    }
    if (value->is_string() && value->get_ref<const std::string&>() == cudnn) {
        target = FlashAttention::Cudnn;
        return;
    }
    if (!value->is_number()) {
        reader.wrongType(key, *value, say("true, false, a version (1, 2, 3) or \"{}\"", cudnn));
        return;
    }
    int version = 0;
    if (reader.integer(key, version, 1, 3)) {
        constexpr std::array versions{FlashAttention::V1, FlashAttention::V2, FlashAttention::V3};
        target = versions[static_cast<std::size_t>(version - 1)];
    }
}

OrderedJson formOf(FlashAttention value)
{
    switch (value) {
    case FlashAttention::Off:
        return false;
    case FlashAttention::On:
        return true;
    case FlashAttention::V1:
        return 1;
    case FlashAttention::V2:
        return 2;
    case FlashAttention::V3:
        return 3;
    case FlashAttention::Cudnn:
        return cudnn;
    }
    return true;
}

void readForm(ObjectReader& reader, std::string_view key, std::optional<SoftwareVersion>& target)
{
    std::string text;
    if (!reader.string(key, text))
        return;
    if (const auto version = SoftwareVersion::from(text))
        target = version;
    else
        reader.error(
            key, "out-of-range", say("{} is no version", describeJson(*reader.value(key))),
            say("a release as its maker writes it, at most {} characters: \"0.14.1\"", SoftwareVersion::longest));
}

OrderedJson formOf(const SoftwareVersion& version)
{
    return version.text();
}

void readForm(ObjectReader& reader, std::string_view key, std::optional<Acceptance>& target)
{
    const Json* value = reader.value(key);
    if (value == nullptr)
        return;
    const auto isChance = [](const Json& element) {
        return element.is_number() && element.get<double>() >= 0 && element.get<double>() <= 1;
    };
    const bool list = value->is_array();
    if (!list && !value->is_number())
        return reader.wrongType(key, *value, said("a number from 0 to 1, or an array of them"));
    if (list && (value->empty() || value->size() > Acceptance::most))
        return reader.error(key, "out-of-range", say("{} positions", value->size()),
                            say("use 1 to {}, one for each draft token", Acceptance::most));
    Acceptance read;
    for (std::size_t i = 0; i < (list ? value->size() : 1); ++i) {
        const Json& element = list ? (*value)[i] : *value;
        if (!isChance(element))
            return addDiagnostic(reader.diagnostics(), "out-of-range",
                                 list ? childPath(reader.pathOf(key), std::to_string(i)) : reader.pathOf(key),
                                 say("must be a number from 0 to 1 (found {})", describeJson(element)),
                                 said("the share of draft tokens that are accepted at this position"));
        read.byPosition[i] = element.get<double>();
    }
    read.stated = static_cast<std::uint8_t>(list ? value->size() : 1);
    target = read;
}

OrderedJson formOf(const Acceptance& acceptance)
{
    if (acceptance.stated == 1)
        return jsonOf(acceptance.byPosition[0]);
    OrderedJson list = OrderedJson::array();
    for (std::size_t i = 0; i < acceptance.stated; ++i)
        list.push_back(jsonOf(acceptance.byPosition[i]));
    return list;
}

void readForm(ObjectReader& reader, std::string_view key, std::optional<RequestMix>& target)
{
    const Json* value = reader.value(key);
    if (value == nullptr)
        return;
    if (!value->is_array())
        return reader.wrongType(key, *value, said("an array of classes of requests"));
    if (value->size() < 2 || value->size() > RequestMix::most)
        return reader.error(key, "out-of-range", say("{} classes", value->size()),
                            say("use 2 to {}; one class alone is prompt_tokens and output_tokens", RequestMix::most));
    constexpr std::int64_t longest = 16777216; // as of prompt_tokens
    const std::size_t problems = reader.diagnostics().size();
    RequestMix read;
    double sum = 0;
    for (const Json& element : *value) {
        RequestClass& one = read.all[read.count];
        ObjectReader inner(element, childPath(reader.pathOf(key), std::to_string(read.count++)), reader.diagnostics());
        if (!inner.isObject())
            return;
        inner.number("share", one.share, NumberRange{0, 1}, Presence::Required);
        inner.integer("prompt_tokens", one.promptTokens, 1, longest, Presence::Required);
        inner.integer("output_tokens", one.outputTokens, 1, longest, Presence::Required);
        inner.finish();
        sum += one.share;
    }
    if (reader.diagnostics().size() != problems)
        return;
    constexpr double rounding = 1e-6; // people write 0.333333
    if (std::abs(sum - 1) > rounding)
        return reader.error(key, "out-of-range", say("the shares add up to {}", fmt::format("{:.6g}", sum)),
                            said("they are shares of all requests: let them add up to 1"));
    target = read;
}

OrderedJson formOf(const RequestMix& mix)
{
    OrderedJson list = OrderedJson::array();
    for (const RequestClass& one : mix.classes())
        list.push_back(
            {{"share", jsonOf(one.share)}, {"prompt_tokens", one.promptTokens}, {"output_tokens", one.outputTokens}});
    return list;
}

void readForm(ObjectReader& reader, std::string_view key, std::optional<MeasuredShapes>& target)
{
    const Json* value = reader.value(key);
    if (value == nullptr)
        return;
    if (!value->is_array())
        return reader.wrongType(key, *value, said("an array of shapes of matmuls"));
    if (value->empty() || value->size() > MeasuredShapes::most)
        return reader.error(key, "out-of-range", say("{} shapes", value->size()),
                            say("use 1 to {}, those that took most of the time", MeasuredShapes::most));
    constexpr std::int64_t longest = 1'000'000'000'000; // of an axis; products stay finite
    const std::size_t problems = reader.diagnostics().size();
    MeasuredShapes read;
    for (const Json& element : *value) {
        MeasuredShape& one = read.all[read.count];
        ObjectReader inner(element, childPath(reader.pathOf(key), std::to_string(read.count++)), reader.diagnostics());
        if (!inner.isObject())
            return;
        inner.integer("batch", one.batch, 1, longest);
        inner.integer("m", one.m, 1, longest, Presence::Required);
        inner.integer("n", one.n, 1, longest, Presence::Required);
        inner.integer("k", one.k, 1, longest, Presence::Required);
        std::string type(toId(one.type));
        if (inner.string("type", type)) {
            const auto known = dataTypeFromId(type);
            if (known && *known != DataType::Native)
                one.type = *known;
            else
                inner.error("type", "unknown-name", say("no number format is called '{}'", type),
                            said("use the id of a number format, such as bf16"));
        }
        inner.number("count", one.count, NumberRange::positive(1e9), Presence::Required);
        inner.number("time_s", one.seconds, NumberRange::positive(1e9), Presence::Required);
        inner.finish();
    }
    if (reader.diagnostics().size() == problems)
        target = read;
}

OrderedJson formOf(const MeasuredShapes& shapes)
{
    OrderedJson list = OrderedJson::array();
    for (const MeasuredShape& one : shapes.shapes()) {
        OrderedJson json = OrderedJson::object();
        if (one.batch != 1)
            json["batch"] = one.batch;
        json.update({{"m", one.m}, {"n", one.n}, {"k", one.k}, {"type", toId(one.type)}});
        json.update({{"count", jsonOf(one.count)}, {"time_s", jsonOf(one.seconds)}});
        list.push_back(std::move(json));
    }
    return list;
}

void readKernels(ObjectReader& document, std::string_view key, ProfiledKernels& target)
{
    ProfiledKernels read;
    const std::size_t problems = document.diagnostics().size();
    const bool there = document.objects(key, [&read](ObjectReader& inner) {
        ProfiledKernel one;
        inner.string("name", one.name, Presence::Required);
        if (one.name.size() > ProfiledKernel::longestName)
            inner.error("name", "out-of-range", say("a name has at most {} bytes", ProfiledKernel::longestName), {});
        if (inner.string("class", one.kernelClass, Presence::Required) &&
            std::find(kernelClassIds.begin(), kernelClassIds.end(), one.kernelClass) == kernelClassIds.end())
            inner.error("class", "unknown-name", say("no class of kernels is called '{}'", one.kernelClass),
                        say("known are {}", fmt::format("{}", fmt::join(kernelClassIds, ", "))));
        inner.number("count", one.count, NumberRange::positive(1e9), Presence::Required);
        inner.number("time_s", one.seconds, NumberRange::positive(1e9), Presence::Required);
        read.push_back(std::move(one));
    });
    if (there && (read.empty() || read.size() > ProfiledKernel::most))
        document.error(key, "out-of-range", say("{} kernels", read.size()),
                       say("use 1 to {}, those that took most of the time", ProfiledKernel::most));
    if (there && document.diagnostics().size() == problems)
        target = std::move(read);
}

OrderedJson formOf(const ProfiledKernels& kernels)
{
    OrderedJson list = OrderedJson::array();
    for (const ProfiledKernel& one : kernels)
        list.push_back({{"name", one.name},
                        {"class", one.kernelClass},
                        {"count", jsonOf(one.count)},
                        {"time_s", jsonOf(one.seconds)}});
    return list;
}

void readForm(ObjectReader& reader, std::string_view key, std::optional<CatalogId>& target)
{
    std::string text;
    if (!reader.string(key, text))
        return;
    target = CatalogId::from(text);
    if (!target)
        reader.error(key, "out-of-range", say("{} is no id of the catalogue", describeJson(*reader.value(key))),
                     say("at most {} characters", CatalogId::longest));
}

OrderedJson formOf(const CatalogId& id)
{
    return id.text();
}

void readForm(ObjectReader& reader, std::string_view key, LoraTargets& target)
{
    const Json* value = reader.value(key);
    if (value == nullptr)
        return;
    if (value->is_string()) {
        reader.choice(key, target.bits, names::loraTargetSets);
        return;
    }
    if (!value->is_array()) {
        reader.wrongType(key, *value, said("a set's name or an array of projections"));
        return;
    }
    std::uint8_t bits = 0;
    std::size_t index = 0;
    const std::size_t before = reader.diagnostics().size();
    for (const Json& element : *value)
        bits |= loraTargetBit(element, childPath(reader.pathOf(key), std::to_string(index++)), reader.diagnostics());
    if (value->empty())
        reader.error(key, "out-of-range", said("at least one projection is needed"),
                     said("one of: q, k, v, o, gate, up, down"));
    if (reader.diagnostics().size() == before)
        target.bits = bits;
}

OrderedJson formOf(LoraTargets targets)
{
    if (const std::string_view set = nameOf(names::loraTargetSets, targets.bits); !set.empty())
        return set;
    OrderedJson list = OrderedJson::array();
    for (const auto& name : names::loraTargets) {
        if (targets.has(name.bit))
            list.push_back(name.id);
    }
    return list;
}

void readForm(ObjectReader& reader, std::string_view key, Checkpointing& mode, std::int64_t& every)
{
    const Json* value = reader.value(key);
    if (value == nullptr)
        return;
    if (value->is_string()) {
        reader.choice(key, mode, names::checkpointing);
        return;
    }
    if (!value->is_object()) {
        reader.wrongType(key, *value, say("a mode's name or {}", R"({"mode": …, "every": …})"));
        return;
    }
    reader.object(key, [&mode, &every](ObjectReader& object) {
        object.choice("mode", mode, names::checkpointing, Presence::Required);
        readWhole(object, "every", every);
    });
}

OrderedJson formOf(Checkpointing mode, std::int64_t every)
{
    const auto name = nameOf(names::checkpointing, mode);
    if (every == TrainingWorkload().checkpointEvery)
        return name;
    return {{"mode", name}, {"every", every}};
}

void readForm(ObjectReader& reader, std::string_view key, std::int64_t& batch, bool& most)
{
    const Json* value = reader.value(key);
    if (value == nullptr)
        return;
    if (!value->is_string()) {
        readWhole(reader, key, batch);
        return;
    }
    most = value->get_ref<const std::string&>() == "max";
    if (!most)
        reader.wrongType(key, *value, said("a whole number of sequences or \"max\""));
}

OrderedJson formOf(std::int64_t batch, bool most)
{
    return most ? OrderedJson("max") : OrderedJson(batch);
}

} // namespace headroom
