// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/architecture_forms.hpp"

#include "core/catalog/architecture_names.hpp"
#include "core/support/say.hpp"

#include <nlohmann/json.hpp>

namespace headroom
{
namespace
{

std::optional<MlpKind> mlpNamed(const Json& value)
{
    if (value.is_string())
        for (const auto& name : mlpNames)
            if (name.id == value.get_ref<const std::string&>())
                return name.value;
    return std::nullopt;
}

std::optional<LayerSegment> segmentOf(const Json& entry)
{
    if (!entry.is_array() || entry.size() != 3 || !entry[0].is_number_integer() || !entry[1].is_string())
        return std::nullopt;
    const auto count = entry[0].get<std::int64_t>();
    const auto mlp = mlpNamed(entry[2]);
    if (!mlp || count < 1 || count > mostLayers)
        return std::nullopt;
    return LayerSegment{count, entry[1].get<std::string>(), *mlp};
}

std::optional<LayerRun> runOf(const Json& entry)
{
    if (const auto segment = segmentOf(entry))
        return LayerRun{1, {*segment}};
    if (!entry.is_array() || entry.size() != 2 || !entry[0].is_number_integer() || !entry[1].is_array())
        return std::nullopt;
    LayerRun run;
    run.repeat = entry[0].get<std::int64_t>();
    for (const Json& element : entry[1]) {
        const auto segment = segmentOf(element);
        if (!segment)
            return std::nullopt;
        run.segments.push_back(*segment);
    }
    return run.repeat < 1 || run.repeat > mostLayers || run.segments.empty() ? std::nullopt : std::optional(run);
}

} // namespace

void readSchedule(ObjectReader& r, std::string_view key, std::vector<LayerRun>& schedule)
{
    const Json& value = *r.value(key);
    if (!value.is_array()) {
        r.wrongType(key, value, said("an array"));
        return;
    }
    std::vector<LayerRun> runs;
    for (const Json& entry : value) {
        auto run = runOf(entry);
        if (!run) {
            addDiagnostic(r.diagnostics(), "wrong-type", childPath(r.pathOf(key), std::to_string(runs.size())),
                          said("must be [count, mixer, feed-forward] or [repeat, [such entries]]"),
                          said("[32, \"full\", \"dense\"]; feed-forward is none, dense, dense2, moe or dense+moe"));
            return;
        }
        runs.push_back(std::move(*run));
    }
    schedule = std::move(runs);
}

nlohmann::ordered_json scheduleJson(const std::vector<LayerRun>& schedule)
{
    using Ordered = nlohmann::ordered_json;
    Ordered json = Ordered::array();
    for (const LayerRun& run : schedule) {
        Ordered group = Ordered::array();
        for (const LayerSegment& segment : run.segments)
            group.push_back(Ordered::array({segment.count, segment.mixer, nameOf(mlpNames, segment.mlp)}));
        const bool single = run.repeat == 1 && run.segments.size() == 1;
        json.push_back(single ? group[0] : Ordered::array({run.repeat, group}));
    }
    return json;
}

void readCustomBlocks(ObjectReader& r, std::string_view key, std::vector<std::pair<std::string, std::int64_t>>& blocks)
{
    blocks.clear();
    for (const Json& block : *r.value(key)) {
        const bool pair = block.is_array() && block.size() == 2 && block[0].is_string() && block[1].is_number_integer();
        const std::int64_t width = pair ? block[1].get<std::int64_t>() : -1;
        if (width < 0 || width > mostSize) {
            addDiagnostic(r.diagnostics(), "wrong-type", childPath(r.pathOf(key), std::to_string(blocks.size())),
                          said("must be [mixer, feed-forward width]"), R"(["full", 14336])");
            return;
        }
        blocks.emplace_back(block[0].get<std::string>(), width);
    }
}

void readPattern(ObjectReader& r, std::string_view key, std::vector<std::pair<std::string, MlpKind>>& pattern)
{
    pattern.clear();
    for (const Json& block : *r.value(key)) {
        const auto mlp = block.is_array() && block.size() == 2 ? mlpNamed(block[1]) : std::nullopt;
        if (!mlp || !block[0].is_string()) {
            r.error(key, "wrong-type", said("must be an array of [mixer, feed-forward]"), R"(["full", "none"])");
            return;
        }
        pattern.emplace_back(block[0].get<std::string>(), *mlp);
    }
}

nlohmann::ordered_json patternJson(const std::vector<std::pair<std::string, MlpKind>>& pattern)
{
    nlohmann::ordered_json json = nlohmann::ordered_json::array();
    for (const auto& [mixer, mlp] : pattern)
        json.push_back({mixer, nameOf(mlpNames, mlp)});
    return json;
}

void readGroup(ObjectReader& r, std::string_view key, std::int64_t& group)
{
    if (const Json& value = *r.value(key); value.is_number_integer() && value == -1)
        group = 0;
    else
        r.integer(key, group, 0, mostSize);
}

void readBlock(ObjectReader& r, std::string_view key, std::vector<std::int64_t>& block)
{
    if (const Json& value = *r.value(key); value.is_number_integer() && value > 0)
        block = {value.get<std::int64_t>()};
    else
        r.integers(key, block, 1, mostSize);
}

} // namespace headroom
