// SPDX-License-Identifier: GPL-3.0-or-later
// TableWriter: rows of a table in any of the formats, printed as they come.
#pragma once

#include "app/cli/command.hpp"
#include "core/units/value_format.hpp"

#include <optional>
#include <string>
#include <vector>

namespace headroom::cli
{

struct Column {
    std::string name;
    bool text = false; ///< cells are text in JSON, else numbers, true or false
};

/// Cells come in the order of the columns. Empty cells are null in JSON, empty in CSV, "-" on the screen.
class TableWriter final
{
public:
    TableWriter(Format format, std::vector<Column> columns);

    /// Text, or a number, true or false as it stands in files.
    void cell(std::string text);
    /// Printed with its unit on the screen, at full precision in files.
    void number(const std::optional<double>& value, ValueFormat format);
    void endRow();
    void finish();

private:
    void endJsonRow();
    void printAligned();
    void printWhenLarge();

    Format m_format;
    std::vector<Column> m_columns;
    std::vector<std::string> m_row;
    std::vector<std::vector<std::string>> m_rows; ///< text only: widths are known at the end
    std::string m_text;
    bool m_any = false;
};

} // namespace headroom::cli
