// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/slider_scale.hpp"

#include "core/support/say.hpp"
#include "core/support/utf8.hpp"
#include "core/units/format.hpp"

#include <algorithm>
#include <cmath>

namespace headroom
{
namespace
{

constexpr double pageFraction = 0.1, fineFraction = 0.01;

/// English short labels whose words in another language are too long for a tick: said under these names instead.
constexpr std::string_view ticks[] = {
    phrase("full, in short"),       phrase("op, in short"),           phrase("by layer, in short"),
    phrase("attention, in short"),  phrase("unknown, in short"),      phrase("ideal, in short"),
    phrase("optimizer, in short"),  phrase("parameters, in short"),   phrase("qv, in short"),
    phrase("all-linear, in short"), phrase("custom, in short"),       phrase("burst, in short"),
    phrase("continuous, in short"), phrase("disaggregated, in short")};

std::string inOtherWords(const ParameterChoice& choice, const std::string& english, std::size_t longest)
{
    const std::string_view label = say(choice.label);
    if (characterCount(label) <= longest)
        return std::string(label);
    const auto tick =
        std::ranges::find(ticks, english, [](std::string_view name) { return name.substr(0, name.find(',')); });
    return tick == std::end(ticks) ? english : std::string(say(*tick));
}

/// As it stands on a scale: all its digits, with the mark of the language in force.
std::string shortNumber(double value)
{
    return withLocalMark(exactNumber(value));
}

} // namespace

std::string shortLabel(const ParameterChoice& choice)
{
    constexpr std::size_t longest = 8;
    if (choice.label.size() <= longest)
        return speaksEnglish() ? std::string(choice.label) : inOtherWords(choice, std::string(choice.label), longest);
    std::string_view text = choice.id; // "selective_op" → "op", "attention_only" → "attention"
    constexpr std::string_view prefix = "selective_", suffix = "_only";
    if (text.starts_with(prefix))
        text.remove_prefix(prefix.size());
    if (text.ends_with(suffix))
        text.remove_suffix(suffix.size());
    std::string words(text);
    std::ranges::replace(words, '_', ' ');
    return speaksEnglish() ? words : inOtherWords(choice, words, longest);
}

bool usesBinaryK(const ParameterRow& row)
{
    const bool powers = std::ranges::find(row.snaps, 1024.0) != row.snaps.end();
    return row.kind == ParameterKind::Integer && (powers || (row.unit == "tokens" && row.maximum <= 1e9));
}

SliderScale::SliderScale(const ParameterRow& row)
    : m_row(&row), m_ends{row.sliderMinimum, row.sliderMaximum}, m_minimum(row.sliderMinimum),
      m_maximum(row.sliderMaximum)
{
    m_stepped = row.kind == ParameterKind::Choice || row.kind == ParameterKind::Toggle;
    m_whole = m_stepped || row.kind == ParameterKind::Integer;
    m_log = !m_stepped && row.scale == ParameterScale::Log;
    if (m_stepped) {
        m_minimum = 0;
        m_maximum = row.kind == ParameterKind::Toggle ? 1 : std::max(1.0, static_cast<double>(row.choices.size()) - 1);
        for (double value = m_minimum; value <= m_maximum; ++value)
            m_snaps.push_back(value);
    } else {
        m_snaps.assign(row.snaps.begin(), row.snaps.end());
    }
    if (m_maximum <= m_minimum)
        m_maximum = m_minimum + 1;
    findFloor();
}

void SliderScale::findFloor()
{
    m_floor = m_minimum;
    if (!m_log || m_minimum > 0)
        return;
    const auto positive = std::find_if(m_snaps.begin(), m_snaps.end(), [](double snap) { return snap > 0; });
    m_floor = positive != m_snaps.end() ? std::min(*positive, m_maximum / 2) : m_maximum / 1e4;
    if (m_whole)
        m_floor = std::max(1.0, m_floor);
}

void SliderScale::setBounds(const std::optional<SliderBounds>& bounds)
{
    if (m_stepped)
        return;
    m_ends = bounds.value_or(SliderBounds{m_row->sliderMinimum, m_row->sliderMaximum});
    include(m_ends.low);
}

void SliderScale::setSnaps(const std::vector<double>& snaps)
{
    if (m_stepped)
        return;
    m_snaps = snaps;
    if (snaps.empty())
        m_snaps.assign(m_row->snaps.begin(), m_row->snaps.end());
    findFloor();
}

void SliderScale::include(double value)
{
    if (m_stepped || !std::isfinite(value))
        return;
    m_minimum = std::min(m_ends.low, std::max(value, m_row->minimum));
    m_maximum = std::max(m_ends.high, std::min(value, m_row->maximum));
    findFloor();
}

double SliderScale::bounded(double value) const
{
    return std::clamp(m_whole ? std::round(value) : value, m_minimum, m_maximum);
}

double SliderScale::toValue(double position) const
{
    const double share = std::clamp(position / steps, 0.0, 1.0);
    if (!m_log)
        return bounded(m_minimum + share * (m_maximum - m_minimum));
    if (m_minimum > 0)
        return bounded(m_minimum * std::pow(m_maximum / m_minimum, share));
    // A log range that begins at zero gives zero a step of its own, one doubling wide.
    const double zeroShare = 1.0 / (1.0 + std::log2(m_maximum / m_floor));
    if (share < zeroShare / 2)
        return m_minimum;
    const double rest = std::max(0.0, (share - zeroShare) / (1 - zeroShare));
    return bounded(m_floor * std::pow(m_maximum / m_floor, rest));
}

int SliderScale::toPosition(double value) const
{
    double share = 0;
    if (!m_log) {
        share = (value - m_minimum) / (m_maximum - m_minimum);
    } else if (m_minimum > 0) {
        share = value > 0 ? std::log(value / m_minimum) / std::log(m_maximum / m_minimum) : 0;
    } else if (value > 0) {
        const double zeroShare = 1.0 / (1.0 + std::log2(m_maximum / m_floor));
        share = zeroShare + (1 - zeroShare) * std::log(value / m_floor) / std::log(m_maximum / m_floor);
    }
    return static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * steps));
}

double SliderScale::nextSnap(double value, int direction) const
{
    const double tolerance = 1e-9 * std::max(1.0, std::abs(value));
    if (direction > 0) {
        for (const double snap : m_snaps)
            if (snap > value + tolerance)
                return bounded(snap);
        return m_snaps.empty() ? pageStep(value, direction) : m_maximum;
    }
    for (auto snap = m_snaps.rbegin(); snap != m_snaps.rend(); ++snap)
        if (*snap < value - tolerance)
            return bounded(*snap);
    return m_snaps.empty() ? pageStep(value, direction) : m_minimum;
}

double SliderScale::fineStep(double value, int direction) const
{
    if (m_whole)
        return bounded(std::round(value) + direction);
    if (m_log && value > 0)
        return bounded(value * std::pow(10.0, direction * fineFraction));
    return bounded(value + direction * fineFraction * (m_maximum - m_minimum));
}

double SliderScale::pageStep(double value, int direction) const
{
    if (m_stepped)
        return bounded(value + direction);
    if (m_log) {
        if (value <= 0)
            return direction > 0 ? bounded(m_floor) : m_minimum;
        const double next = direction > 0 ? value * 2 : value / 2;
        return bounded(next < m_floor && m_minimum <= 0 ? 0 : next);
    }
    const double step = pageFraction * (m_maximum - m_minimum);
    return bounded(value + direction * (m_whole ? std::max(1.0, std::round(step)) : step));
}

std::string SliderScale::tickLabel(double value) const
{
    if (m_row->kind == ParameterKind::Toggle)
        return value > 0.5 ? said("on") : said("off");
    if (m_row->kind == ParameterKind::Choice) {
        const auto index = static_cast<std::size_t>(std::lround(value));
        return index < m_row->choices.size() ? shortLabel(m_row->choices[index]) : std::string();
    }
    if (m_row->format == ValueFormat::Percent)
        return shortNumber(std::round(value * 1e4) / 100);
    if (usesBinaryK(*m_row) && value >= 1024 && std::fmod(value, 1024) == 0) {
        const double kibi = value / 1024;
        return kibi >= 1024 && std::fmod(kibi, 1024) == 0 ? shortNumber(kibi / 1024) + "M" : shortNumber(kibi) + "k";
    }
    static constexpr struct {
        double unit;
        const char* letter;
    } prefixes[] = {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}};
    for (const auto& prefix : prefixes)
        if (value >= prefix.unit)
            return shortNumber(std::round(value / prefix.unit * 100) / 100) + prefix.letter;
    if (m_row->format == ValueFormat::Seconds)
        return value < 1 ? shortNumber(std::round(value * 1e6) / 1e3) + " ms" : shortNumber(value) + " s";
    return shortNumber(value);
}

} // namespace headroom
