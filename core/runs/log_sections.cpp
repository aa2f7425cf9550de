// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/log_sections.hpp"

#include <algorithm>
#include <iterator>

namespace headroom::logs
{
namespace
{

/// One training's part of a log: it begins with a line.
struct LogPart {
    std::size_t begin = 0; ///< bytes
    int line = 1;
};

/// Finds where the next training begins, line by line.
class TrainingStarts final
{
public:
    explicit TrainingStarts(const TrainingMarks& marks) : m_marks(marks) {}

    void read(const std::string& text, LogPart here)
    {
        if (const auto step = m_marks.step(text))
            return readStep(*step, rankOf(text), here);
        for (const FactRow& row : m_marks.facts) {
            if (text.find(row.mark) == std::string::npos)
                continue;
            const auto value = numberAfter(text, row.key);
            if (!value)
                continue;
            m_steps > 0 ? readLater({row.parameter, *value}, here) : readFirst({row.parameter, *value}, here);
        }
    }

    [[nodiscard]] const std::vector<LogPart>& starts() const { return m_starts; }

private:
    struct Fact {
        std::string_view parameter;
        double value = 0;
    };
    struct Rank {
        std::string name;
        double first = 0, last = 0;
    };

    /// "[rank3]" where the launcher says who prints, as torchrun does.
    static std::string rankOf(const std::string& text)
    {
        return text.starts_with("[rank") || text.starts_with("[default") ? text.substr(0, text.find(']')) : "";
    }

    /// Before any step: what says other facts than before is another attempt, and the one before it came to no step.
    void readFirst(const Fact& fact, LogPart here)
    {
        const auto known = std::ranges::find(m_facts, fact.parameter, &Fact::parameter);
        if (known == m_facts.end())
            return m_facts.push_back(fact);
        if (known == m_facts.begin())
            m_block = here;
        if (known->value != fact.value)
            m_starts.back() = m_block.value_or(here);
        known->value = fact.value;
    }

    /// Between steps: of a training that begins, or of this one once more.
    void readLater(const Fact& fact, LogPart here)
    {
        if (!m_block)
            m_block = here;
        const auto known = std::ranges::find(m_facts, fact.parameter, &Fact::parameter);
        m_differs = m_differs || (known != m_facts.end() && known->value != fact.value);
        if (std::ranges::find(m_next, fact.parameter, &Fact::parameter) == m_next.end())
            m_next.push_back(fact);
    }

    void readStep(double step, const std::string& name, LogPart here)
    {
        auto rank = std::ranges::find(m_ranks, name, &Rank::name);
        const bool fell = rank != m_ranks.end() && step < rank->last;
        if (m_steps > 0 && (m_differs || (fell && (m_block || step <= rank->first)))) {
            m_starts.push_back(m_block.value_or(here));
            m_ranks.clear();
            m_facts = m_next;
            m_steps = 0;
            rank = m_ranks.end();
        }
        if (rank == m_ranks.end())
            m_ranks.push_back({name, step, step});
        else
            rank->last = step;
        m_differs = false;
        m_next.clear();
        m_block.reset();
        ++m_steps;
    }

    const TrainingMarks& m_marks;
    std::vector<LogPart> m_starts{LogPart{}};
    std::vector<Fact> m_facts; ///< the first that this training says
    std::vector<Fact> m_next;  ///< those since its last step
    std::vector<Rank> m_ranks;
    std::optional<LogPart> m_block; ///< where facts were said since the last step
    bool m_differs = false;
    std::size_t m_steps = 0;
};

std::vector<LogPart> partsOf(std::string_view text, const TrainingMarks& marks)
{
    TrainingStarts starts(marks);
    Lines lines(text);
    while (lines.next())
        starts.read(lines.text(), {lines.begin(), lines.number()});
    return starts.starts();
}

void shiftLines(Diagnostics& diagnostics, int lines)
{
    for (Diagnostic& diagnostic : diagnostics)
        if (diagnostic.line > 0)
            diagnostic.line += lines;
}

} // namespace

Expected<LogReading> readEachTraining(const LogInput& input, const TrainingMarks& marks,
                                      Expected<LogReading> (*readOne)(const LogInput& input))
{
    const std::vector<LogPart> parts = partsOf(input.text, marks);
    LogReading all;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::size_t end = i + 1 < parts.size() ? parts[i + 1].begin : input.text.size();
        const int number = parts.size() > 1 ? static_cast<int>(i) + 1 : 0;
        auto one = readOne({input.text.substr(parts[i].begin, end - parts[i].begin), input.fileName, input.base,
                            input.catalog, number});
        if (!one) {
            shiftLines(one.error(), parts[i].line - 1);
            return one;
        }
        shiftLines(one->warnings, parts[i].line - 1);
        std::ranges::move(one->runs, std::back_inserter(all.runs));
        std::ranges::move(one->warnings, std::back_inserter(all.warnings));
        if (auto many = tooMany(all.runs.size(), parts[i].line))
            return tl::unexpected(Diagnostics{*std::move(many)});
    }
    return all;
}

} // namespace headroom::logs
