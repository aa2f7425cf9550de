// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/expression.hpp"

#include <cctype>
#include <cmath>

namespace headroom::test
{
namespace
{

/// Recursive descent: sum = product {+|- product}, product = factor {*|/ factor}, factor = number, name, (sum),
/// -factor.
class Parser final
{
public:
    Parser(std::string_view text, const std::map<std::string, double, std::less<>>& names)
        : m_text(text), m_names(names)
    {
    }

    std::optional<double> whole()
    {
        const double value = sum();
        skipSpaces();
        return m_failed || m_at != m_text.size() ? std::nullopt : std::optional(value);
    }

private:
    double sum()
    {
        double value = product();
        while (!m_failed) {
            if (take('+'))
                value += product();
            else if (take('-'))
                value -= product();
            else
                break;
        }
        return value;
    }

    double product()
    {
        double value = factor();
        while (!m_failed) {
            if (take('*'))
                value *= factor();
            else if (take('/'))
                value = divided(value, factor());
            else
                break;
        }
        return value;
    }

    double divided(double value, double by)
    {
        const double quotient = by != 0 ? value / by : 0;
        m_failed = m_failed || by == 0 || quotient != std::floor(quotient);
        return quotient;
    }

    double factor()
    {
        if (take('-'))
            return -factor();
        if (take('(')) {
            const double value = sum();
            m_failed = m_failed || !take(')');
            return value;
        }
        skipSpaces();
        const std::size_t start = m_at;
        while (m_at < m_text.size() && (std::isalnum(static_cast<unsigned char>(m_text[m_at])) || m_text[m_at] == '_'))
            ++m_at;
        return valueOf(m_text.substr(start, m_at - start));
    }

    double valueOf(std::string_view word)
    {
        if (const auto named = m_names.find(word); named != m_names.end())
            return named->second;
        double value = 0;
        for (const char c : word) {
            m_failed = m_failed || !std::isdigit(static_cast<unsigned char>(c));
            value = value * 10 + (c - '0');
        }
        m_failed = m_failed || word.empty();
        return value;
    }

    bool take(char c)
    {
        skipSpaces();
        const bool here = m_at < m_text.size() && m_text[m_at] == c;
        m_at += here ? 1 : 0;
        return here;
    }

    void skipSpaces()
    {
        while (m_at < m_text.size() && m_text[m_at] == ' ')
            ++m_at;
    }

    std::string_view m_text;
    const std::map<std::string, double, std::less<>>& m_names;
    std::size_t m_at = 0;
    bool m_failed = false;
};

} // namespace

std::optional<double> evaluateExpression(std::string_view text, const std::map<std::string, double, std::less<>>& names)
{
    return Parser(text, names).whole();
}

} // namespace headroom::test
