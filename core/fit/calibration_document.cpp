// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/fit/calibration_document.hpp"

#include "core/calibration/calibration_reader.hpp"
#include "core/support/embedded.hpp"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <vector>

namespace headroom
{
namespace
{

using Ordered = nlohmann::ordered_json;

std::vector<std::string_view> split(std::string_view text, char separator)
{
    std::vector<std::string_view> parts;
    while (!text.empty()) {
        const auto end = text.find(separator);
        parts.push_back(text.substr(0, end));
        text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    }
    return parts;
}

/// Does a row hold each "key=value" of the list?
template <typename Json>
bool matches(const Json& row, std::string_view conditions)
{
    for (const std::string_view condition : split(conditions, ',')) {
        const auto equals = condition.find('=');
        if (equals == std::string_view::npos || !row.is_object())
            return false;
        const auto member = row.find(std::string(condition.substr(0, equals)));
        if (member == row.end())
            return false;
        if ((member->is_string() ? member->template get<std::string>() : member->dump()) !=
            condition.substr(equals + 1))
            return false;
    }
    return true;
}

template <typename Json>
Json* find(Json& root, std::string_view path)
{
    Json* at = &root;
    if (path.starts_with('/'))
        path.remove_prefix(1);
    for (const std::string_view step : split(path, '/')) {
        Json* next = nullptr;
        if (at->is_object()) {
            if (const auto member = at->find(std::string(step)); member != at->end())
                next = &*member;
        } else if (at->is_array()) {
            for (auto& row : *at)
                if (!next && matches(row, step))
                    next = &row;
        }
        if (!next)
            return nullptr;
        at = next;
    }
    return at;
}

double rounded(double value)
{
    const std::string print = fmt::format("{:.5g}", value);
    double result = value;
    std::from_chars(print.data(), print.data() + print.size(), result);
    return result;
}

bool isRow(const Ordered& value)
{
    for (const auto& member : value)
        if (member.is_structured() && !member.empty())
            return false;
    return true;
}

void print(const Ordered& value, std::string& text, std::size_t indent)
{
    if (!value.is_structured()) {
        text += value.dump(-1, ' ', false, Ordered::error_handler_t::replace);
        return;
    }
    const bool row = isRow(value) && (value.is_object() || value.empty() || !value[0].is_string());
    const std::string gap = row ? std::string(" ") : "\n" + std::string(indent + 2, ' ');
    text += value.is_object() ? '{' : '[';
    bool first = true;
    for (auto item = value.begin(); item != value.end(); ++item) {
        if (!first)
            text += ',';
        if (!row || !first)
            text += gap;
        first = false;
        if (value.is_object())
            text += Ordered(item.key()).dump() + ": ";
        print(*item, text, indent + 2);
    }
    if (!row)
        text += "\n" + std::string(indent, ' ');
    text += value.is_object() ? '}' : ']';
}

} // namespace

// NOLINTNEXTLINE(bugprone-exception-escape): the JSON library declares that its values do not throw here
struct CalibrationDocument::Data {
    Ordered ordered;      ///< prints
    nlohmann::json plain; ///< is read: the same values
};

CalibrationDocument::CalibrationDocument(std::unique_ptr<Data> data) : m_data(std::move(data)) {}
CalibrationDocument::CalibrationDocument(const CalibrationDocument& other)
    : m_data(std::make_unique<Data>(*other.m_data))
{
}
CalibrationDocument::CalibrationDocument(CalibrationDocument&& other) noexcept = default;
CalibrationDocument& CalibrationDocument::operator=(CalibrationDocument other) noexcept
{
    m_data.swap(other.m_data);
    return *this;
}
CalibrationDocument::~CalibrationDocument() = default;

Expected<CalibrationDocument> CalibrationDocument::parse(std::string_view text)
{
    auto checked = Calibration::fromJson(text);
    if (!checked)
        return tl::unexpected(std::move(checked.error()));
    auto data = std::make_unique<Data>();
    data->ordered = Ordered::parse(text, nullptr, false, true);
    data->plain = nlohmann::json::parse(text, nullptr, false, true);
    return CalibrationDocument(std::move(data));
}

CalibrationDocument CalibrationDocument::builtIn()
{
    static_cast<void>(Calibration::builtIn()); // stops the program where the built-in document is unsound
    return *parse(embeddedFile("calibration.json").value_or(""));
}

std::optional<double> CalibrationDocument::number(std::string_view path) const
{
    const nlohmann::json* value = find(std::as_const(m_data->plain), path);
    return value && value->is_number() ? std::optional(value->get<double>()) : std::nullopt;
}

bool CalibrationDocument::setNumber(std::string_view path, double value)
{
    nlohmann::json* plain = find(m_data->plain, path);
    if (!plain || !plain->is_number())
        return false;
    if (plain->get<double>() == value)
        return true; // an integer stays one
    const double kept = rounded(value);
    *plain = kept;
    Ordered& printed = *find(m_data->ordered, path);
    if (kept == std::floor(kept) && std::abs(kept) < 1e15)
        printed = static_cast<std::int64_t>(kept); // 1, not 1.0
    else
        printed = kept;
    return true;
}

bool CalibrationDocument::setText(std::string_view path, std::string_view text)
{
    nlohmann::json* plain = find(m_data->plain, path);
    if (!plain || !plain->is_string())
        return false;
    *plain = text;
    *find(m_data->ordered, path) = text;
    return true;
}

bool CalibrationDocument::setMember(std::string_view path, std::string_view key, std::string_view json)
{
    nlohmann::json* plain = find(m_data->plain, path);
    const Ordered value = Ordered::parse(json, nullptr, false);
    if (!plain || !plain->is_object() || value.is_discarded())
        return false;
    (*plain)[std::string(key)] = nlohmann::json::parse(json);
    (*find(m_data->ordered, path))[std::string(key)] = value;
    return true;
}

void CalibrationDocument::passOverRecords()
{
    for (auto& section : m_data->plain)
        if (section.is_object())
            section.erase("fit");
}

Expected<Calibration> CalibrationDocument::read() const
{
    return readCalibration(m_data->plain, "fit");
}

bool CalibrationDocument::readAgain(Task task, Calibration& calibration) const
{
    return task == Task::Training ? headroom::readAgain(m_data->plain, calibration.training)
                                  : headroom::readAgain(m_data->plain, calibration.inference);
}

std::string CalibrationDocument::text() const
{
    std::string text;
    print(m_data->ordered, text, 0);
    return text + "\n";
}

} // namespace headroom
