// SPDX-License-Identifier: GPL-3.0-or-later
// The load of a day as a scenario file has it.
#include "core/scenario/field_reader.hpp"
#include "core/scenario/scenario_names.hpp"
#include "core/support/say.hpp"

#include <cmath>
#include <fmt/format.h>

namespace headroom
{
namespace
{

constexpr const char* ratesKey = "requests_per_s";
constexpr double largestLoad = 1e12; // of an hour, whatever its unit; sums stay finite

/// The values of the hours; false where something is wrong with them.
bool readHours(const Json& list, const std::string& path, Diagnostics& diagnostics, LoadProfile& target)
{
    if (!list.is_array()) {
        addDiagnostic(diagnostics, "wrong-type", path, say("must be an array (found {})", describeJson(list)));
        return false;
    }
    if (list.size() != LoadProfile::hours) {
        addDiagnostic(diagnostics, "out-of-range", path, say("an array of {}", list.size()),
                      said("use 24, one for each hour from midnight on"));
        return false;
    }
    for (std::size_t hour = 0; hour < LoadProfile::hours; ++hour) {
        const Json& value = list[hour];
        const double load = value.is_number() ? value.get<double>() : -1;
        if (!(load >= 0 && load <= largestLoad)) {
            addDiagnostic(diagnostics, "out-of-range", childPath(path, std::to_string(hour)),
                          say("must be a number from 0 up (found {})", describeJson(value)),
                          said("the load of this hour"));
            return false;
        }
        target.factors[hour] = load;
    }
    if (target.mean() > 0)
        return true;
    addDiagnostic(diagnostics, "out-of-range", path, said("no hour has a load"), said("state a load above 0"));
    return false;
}

/// Multiples of the mean have the mean 1, as far as people round them.
bool areMultiples(ObjectReader& reader, std::string_view key, const LoadProfile& profile)
{
    constexpr double rounding = 0.01;
    if (std::abs(profile.mean() - 1) <= rounding)
        return true;
    reader.error(key, "out-of-range",
                 say("the multiples have the mean {}, not 1", fmt::format("{:.6g}", profile.mean())),
                 say("divide each by it, or state rates: {}", R"({"requests_per_s": [ … ]})"));
    return false;
}

} // namespace

void readForm(ObjectReader& reader, std::string_view key, std::optional<LoadProfile>& target)
{
    const Json* value = reader.value(key);
    if (value == nullptr)
        return;
    if (!value->is_array() && !value->is_object())
        return reader.wrongType(key, *value, said("an array of 24 multiples, or an object with a shape"));
    LoadProfile profile;
    if (value->is_array()) {
        if (readHours(*value, reader.pathOf(key), reader.diagnostics(), profile) && areMultiples(reader, key, profile))
            target = profile;
        return;
    }
    reader.object(key, [&](ObjectReader& object) {
        if (const Json* rates = object.value(ratesKey)) {
            if (readHours(*rates, object.pathOf(ratesKey), object.diagnostics(), profile))
                target = profile;
            return;
        }
        double ratio = 1;
        const bool named = object.choice("shape", profile.shape, names::loadShapes, Presence::Required);
        if (object.number("peak_to_trough", ratio, NumberRange{1, LoadProfile::steepest}, Presence::Required) && named)
            target = LoadProfile::shaped(profile.shape, ratio);
    });
}

OrderedJson formOf(const LoadProfile& profile)
{
    if (profile.shape != LoadShape::Hours)
        return {{"shape", nameOf(names::loadShapes, profile.shape)}, {"peak_to_trough", jsonOf(profile.peakToTrough)}};
    OrderedJson list = OrderedJson::array();
    for (const double factor : profile.factors)
        list.push_back(jsonOf(factor));
    return list;
}

void settleLoad(ObjectReader& workload, InferenceWorkload& w)
{
    const Json* stated = workload.value("load_profile");
    if (!w.loadProfile || stated == nullptr || !stated->is_object() || !stated->contains(ratesKey))
        return;
    constexpr double rounding = 1e-3; // people round what follows
    const double mean = w.loadProfile->mean();
    if (const NumberRange* range = rangeOfKey("/workload/requests_per_s"); range != nullptr && !range->holds(mean))
        return workload.error("load_profile", "out-of-range",
                              say("the mean of its rates: {} (found {})", range->text(), fmt::format("{:.6g}", mean)));
    if (w.requestsPerS && std::abs(*w.requestsPerS - mean) > rounding * mean)
        workload.error(ratesKey, "out-of-range",
                       say("{} is not the mean of 'load_profile', {}", fmt::format("{:.6g}", *w.requestsPerS),
                           fmt::format("{:.6g}", mean)),
                       said("leave it out: it follows"));
    w.requestsPerS = mean;
    for (double& factor : w.loadProfile->factors)
        factor /= mean;
}

} // namespace headroom
