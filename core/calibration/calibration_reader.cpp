// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibration/calibration_reader.hpp"
#include "core/support/say.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace headroom
{
namespace
{

const nlohmann::json& emptyObject()
{
    static const nlohmann::json empty = nlohmann::json::object();
    return empty;
}

} // namespace

CalibrationReader::CalibrationReader(const nlohmann::json& value, std::string path, Diagnostics& problems)
    : m_value(&value), m_path(std::move(path)), m_problems(&problems)
{
    if (!value.is_object()) {
        m_problems->push_back({Severity::Error, "wrong-type", m_path, said("must be an object"), {}, {}, 0});
        m_value = &emptyObject();
    }
}

void CalibrationReader::refuse(std::string_view key, std::string message, std::string hint)
{
    m_problems->push_back({Severity::Error,
                           "calibration",
                           fmt::format("{}/{}", m_path, key),
                           std::move(message),
                           std::move(hint),
                           {},
                           0});
}

const nlohmann::json* CalibrationReader::member(std::string_view key, std::string_view expected)
{
    m_asked.emplace_back(key);
    const auto found = m_value->find(key);
    if (found == m_value->end()) {
        refuse(key, say("is missing; expected {}", expected));
        return nullptr;
    }
    return &*found;
}

double CalibrationReader::checked(const nlohmann::json& value, std::string_view key, double low, double high)
{
    if (!value.is_number()) {
        refuse(key, said("must be a number"));
        return low;
    }
    const double result = value.get<double>();
    if (!std::isfinite(result) || result < low || result > high) {
        refuse(key, say("must lie between {} and {} (found {})", low, high, result));
        return low;
    }
    return result;
}

double CalibrationReader::number(std::string_view key, double low, double high)
{
    const nlohmann::json* value = member(key, say("a number"));
    return value ? checked(*value, key, low, high) : low;
}

double CalibrationReader::constant(std::string_view key, double low, double high)
{
    const nlohmann::json* value = member(key, R"({"value": number, "source": text})");
    if (!value)
        return low;
    CalibrationReader row(*value, fmt::format("{}/{}", m_path, key), *m_problems);
    const double result = row.number("value", low, high);
    static_cast<void>(row.text("source"));
    row.finish();
    return result;
}

bool CalibrationReader::flag(std::string_view key)
{
    const nlohmann::json* value = member(key, say("true or false"));
    if (value && !value->is_boolean())
        refuse(key, said("must be true or false"));
    return value && value->is_boolean() && value->get<bool>();
}

std::string CalibrationReader::text(std::string_view key)
{
    const nlohmann::json* value = member(key, say("a text"));
    if (value && (!value->is_string() || value->get_ref<const std::string&>().empty())) {
        refuse(key, said("must be a text that is not empty"));
        return {};
    }
    return value ? value->get<std::string>() : std::string();
}

bool CalibrationReader::has(std::string_view key) const
{
    return m_value->contains(key);
}

CalibrationReader CalibrationReader::object(std::string_view key)
{
    const nlohmann::json* value = member(key, say("an object"));
    return {value ? *value : emptyObject(), fmt::format("{}/{}", m_path, key), *m_problems};
}

std::vector<CalibrationReader> CalibrationReader::rows(std::string_view key)
{
    std::vector<CalibrationReader> result;
    const nlohmann::json* value = member(key, say("an array of objects"));
    if (value && !value->is_array())
        refuse(key, said("must be an array of objects"));
    else if (value)
        for (std::size_t i = 0; i < value->size(); ++i)
            result.emplace_back((*value)[i], fmt::format("{}/{}/{}", m_path, key, i), *m_problems);
    return result;
}

void readFitRecord(CalibrationReader& section)
{
    if (!section.has("fit"))
        return;
    CalibrationReader fit = section.object("fit");
    static_cast<void>(fit.text("method"));
    for (const char* key : {"free_constants", "loss_source_out", "loss_model_out"})
        if (fit.has(key))
            static_cast<void>(fit.number(key, 0, 1e6));
    for (CalibrationReader& row : fit.rows("factors")) {
        static_cast<void>(row.text("constant"));
        static_cast<void>(row.text("sources"));
        static_cast<void>(row.number("prior", 0, 1e15));
        static_cast<void>(row.number("runs", 1, 1e9));
        for (const char* key : {"value", "left_out_low", "left_out_high"})
            if (row.has(key))
                static_cast<void>(row.number(key, 0, 1e15));
        row.finish();
    }
    for (CalibrationReader& row : fit.rows("groups")) {
        for (const char* key : {"by", "group", "metric"})
            static_cast<void>(row.text(key));
        static_cast<void>(row.number("runs", 1, 1e9));
        for (const char* key : {"median", "p90", "left_out_median", "left_out_p90", "left_out_inside",
                                "model_out_median", "model_out_p90"})
            if (row.has(key))
                static_cast<void>(row.number(key, 0, 1e6));
        row.finish();
    }
    fit.finish();
}

void CalibrationReader::finish()
{
    for (const auto& item : m_value->items())
        if (item.key() != "comment" && std::ranges::find(m_asked, item.key()) == m_asked.end())
            refuse(item.key(), said("is not a known constant"), said("remove it, or check its spelling"));
}

} // namespace headroom
