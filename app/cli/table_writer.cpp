// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/table_writer.hpp"

#include "core/metrics/evaluation_text.hpp"
#include "core/support/json_text.hpp"
#include "core/support/utf8.hpp"
#include "core/units/format.hpp"

#include <algorithm>

namespace headroom::cli
{
TableWriter::TableWriter(Format format, std::vector<Column> columns) : m_format(format), m_columns(std::move(columns))
{
    if (m_format == Format::Csv) {
        for (const Column& column : m_columns)
            m_text += (&column == &m_columns.front() ? "" : ",") + csvCell(column.name);
        m_text += "\r\n";
    }
    if (m_format == Format::Json)
        m_text = "[";
}

void TableWriter::cell(std::string text)
{
    m_row.push_back(std::move(text));
}

void TableWriter::number(const std::optional<double>& value, ValueFormat format)
{
    if (!value)
        return cell({});
    cell(m_format == Format::Text ? formatText(*value, format) : exactNumber(*value));
}

void TableWriter::endRow()
{
    switch (m_format) {
    case Format::Text:
    case Format::Markdown: // not offered
        m_rows.push_back(std::move(m_row));
        break;
    case Format::Csv:
        for (std::size_t i = 0; i < m_row.size(); ++i)
            m_text += (i > 0 ? "," : "") + csvCell(m_row[i]);
        m_text += "\r\n";
        break;
    case Format::Json:
    case Format::JsonLines:
        endJsonRow();
        break;
    }
    m_row.clear();
    m_any = true;
    printWhenLarge();
}

void TableWriter::endJsonRow()
{
    if (m_format == Format::Json)
        m_text += m_any ? ",\n" : "\n";
    m_text += '{';
    for (std::size_t i = 0; i < m_row.size(); ++i) {
        m_text += (i > 0 ? "," : "") + jsonString(m_columns[i].name) + ':';
        if (m_row[i].empty())
            m_text += "null";
        else
            m_text += m_columns[i].text ? jsonString(m_row[i]) : m_row[i];
    }
    m_text += m_format == Format::Json ? "}" : "}\n";
}

void TableWriter::finish()
{
    if (m_format == Format::Text)
        printAligned();
    if (m_format == Format::Json)
        m_text += "\n]\n";
    print(m_text);
    m_text.clear();
}

void TableWriter::printAligned()
{
    std::vector<std::size_t> widths;
    for (std::size_t i = 0; i < m_columns.size(); ++i) {
        std::size_t widest = characterCount(m_columns[i].name);
        for (const auto& row : m_rows)
            widest = std::max(widest, characterCount(row[i]));
        widths.push_back(widest);
    }
    // A last column without any text would only widen the table.
    std::size_t columns = m_columns.size();
    while (columns > 1 && std::ranges::all_of(m_rows, [columns](const auto& row) { return row[columns - 1].empty(); }))
        --columns;
    const auto line = [&](const auto& cellAt) {
        for (std::size_t i = 0; i < columns; ++i) {
            const std::string& text = cellAt(i);
            const std::string shown = text.empty() ? "-" : text;
            const std::string gap(widths[i] - std::min(widths[i], characterCount(shown)), ' ');
            m_text += (i > 0 ? "  " : "") + (m_columns[i].text ? shown + gap : gap + shown);
        }
        m_text.erase(m_text.find_last_not_of(' ') + 1);
        m_text += '\n';
    };
    line([this](std::size_t i) -> const std::string& { return m_columns[i].name; });
    for (const auto& row : m_rows)
        line([&row](std::size_t i) -> const std::string& { return row[i]; });
}

void TableWriter::printWhenLarge()
{
    constexpr std::size_t enough = 1u << 16;
    if (m_text.size() < enough)
        return;
    print(m_text);
    m_text.clear();
}

} // namespace headroom::cli
