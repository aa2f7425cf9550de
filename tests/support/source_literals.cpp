// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/source_literals.hpp"

#include <QString>
#include <algorithm>
#include <cctype>

namespace headroom::test
{
namespace
{

bool isNamePart(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

class Scanner final
{
public:
    explicit Scanner(std::string_view code) : m_code(code) {}

    std::vector<SourceLiteral> all()
    {
        for (std::size_t counted = 0; m_at < m_code.size();) {
            m_line +=
                int(std::count(m_code.begin() + std::ptrdiff_t(counted), m_code.begin() + std::ptrdiff_t(m_at), '\n'));
            counted = m_at;
            step();
        }
        return std::move(m_found);
    }

private:
    [[nodiscard]] bool sees(std::string_view text) const { return m_code.substr(m_at, text.size()) == text; }

    void step()
    {
        const char c = m_code[m_at];
        const bool begins = m_at == 0 || !isNamePart(m_code[m_at - 1]);
        if (sees("//") || (c == '#' && m_code.find_last_not_of(" \t", m_at - 1) == m_code.rfind('\n', m_at)))
            m_at = std::min(m_code.find('\n', m_at), m_code.size());
        else if (sees("/*"))
            m_at = std::min(m_code.find("*/", m_at), m_code.size() - 2) + 2;
        else if (c == '"' || (begins && sees("R\"")))
            add(c == '"' ? plain() : raw());
        else if (c == '\'' && begins)
            character();
        else
            bracket(c);
    }

    /// Brackets, commas and what else is neither text nor comment.
    void bracket(char c)
    {
        if (c == '(' || c == '{' || c == '[')
            m_calls.push_back({c == '(' ? nameBefore() : std::string(), 0});
        else if ((c == ')' || c == '}' || c == ']') && !m_calls.empty())
            m_calls.pop_back();
        else if (c == ',' && !m_calls.empty())
            ++m_calls.back().argument;
        if (std::isspace(static_cast<unsigned char>(c)) == 0)
            m_joins = false;
        ++m_at;
    }

    [[nodiscard]] std::string nameBefore() const
    {
        std::size_t begin = m_at;
        while (begin > 0 && isNamePart(m_code[begin - 1]))
            --begin;
        return std::string(m_code.substr(begin, m_at - begin));
    }

    void add(std::string text)
    {
        if (m_joins)
            m_found.back().text += text;
        else
            m_found.push_back({std::move(text), m_line, m_calls});
        m_joins = true;
    }

    std::string plain()
    {
        std::string text;
        for (++m_at; m_at < m_code.size() && m_code[m_at] != '"'; ++m_at) {
            if (m_code[m_at] != '\\') {
                text += m_code[m_at];
                continue;
            }
            const char escaped = m_code[++m_at];
            if (escaped == 'u') { // the few in use lie in the basic plane
                const auto point =
                    static_cast<char32_t>(std::stoul(std::string(m_code.substr(m_at + 1, 4)), nullptr, 16));
                text += QString::fromUcs4(&point, 1).toStdString();
                m_at += 4;
            } else {
                text += escaped == 'n' ? '\n' : escaped;
            }
        }
        ++m_at;
        return text;
    }

    std::string raw()
    {
        const std::size_t open = m_code.find('(', m_at);
        const std::string close = ")" + std::string(m_code.substr(m_at + 2, open - m_at - 2)) + "\"";
        const std::size_t end = m_code.find(close, open);
        std::string text(m_code.substr(open + 1, end - open - 1));
        m_at = end + close.size();
        return text;
    }

    void character()
    {
        for (++m_at; m_at < m_code.size() && m_code[m_at] != '\''; ++m_at)
            m_at += m_code[m_at] == '\\' ? 1 : 0;
        ++m_at;
        m_joins = false;
    }

    std::string_view m_code;
    std::size_t m_at = 0;
    int m_line = 1;
    bool m_joins = false; ///< nothing but blanks since the last literal
    std::vector<SourceCall> m_calls;
    std::vector<SourceLiteral> m_found;
};

} // namespace

std::vector<SourceLiteral> sourceLiterals(std::string_view code)
{
    return Scanner(code).all();
}

bool says(const SourceCall& call)
{
    return call.name == "say" || call.name == "said" || call.name == "phrase";
}

} // namespace headroom::test
