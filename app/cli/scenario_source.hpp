// SPDX-License-Identifier: GPL-3.0-or-later
// ScenarioSource: scenario texts from a file or standard input, one after the other, never all in memory.
#pragma once

#include "core/support/diagnostic.hpp"

#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

namespace headroom::cli
{

/// One JSON document as it was found.
struct ScenarioText {
    std::string_view text; ///< valid until the next one is read
    int line = 1;          ///< line of the file on which it begins
    bool tooLarge = false; ///< longer than anything that is read: `text` holds its beginning only
};

/// What a file holds.
enum class Layout {
    Document, ///< one document on as many lines as it likes
    Lines,    ///< JSON Lines
    Several,  ///< documents in a row, each on as many lines as it likes
    Detect    ///< standard input: any of these
};

class ScenarioSource final
{
public:
    /// "-" is standard input.
    [[nodiscard]] static Expected<ScenarioSource> open(const std::string& name);

    ScenarioSource(ScenarioSource&& other) noexcept;
    ScenarioSource& operator=(ScenarioSource&&) = delete;
    ~ScenarioSource();

    /// The next document, empty at the end. Blank lines between documents are passed over.
    [[nodiscard]] std::optional<ScenarioText> next();
    [[nodiscard]] const std::string& name() const { return m_name; }

private:
    ScenarioSource(std::string name, std::FILE* file, Layout layout);

    bool fill();
    void detect();
    [[nodiscard]] std::optional<ScenarioText> nextLine();
    [[nodiscard]] std::optional<ScenarioText> nextDocument(bool several);
    [[nodiscard]] ScenarioText take(std::size_t length, bool tooLarge);
    void skipBlank();
    [[nodiscard]] std::string_view rest() const { return std::string_view(m_buffer).substr(m_at); }

    std::string m_name;
    std::FILE* m_file;
    Layout m_layout;
    std::string m_buffer; ///< what was read and not yet given out begins at m_at
    std::string m_head;   ///< beginning of a line that is too long
    std::size_t m_at = 0;
    int m_line = 1; ///< line on which m_at stands
    bool m_end = false;
};

} // namespace headroom::cli
