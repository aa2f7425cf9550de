// SPDX-License-Identifier: GPL-3.0-or-later
// ResultForm: what `evaluate` prints of one scenario, in any of the formats; ResultWriter: many of them, in order.
#pragma once

#include "app/cli/scenario_loader.hpp"
#include "core/metrics/metric_registry.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace headroom::cli
{

/// Results one behind the other, each as it stands in the output but for what separates them.
struct ResultText {
    std::string text;
    std::vector<std::size_t> ends; ///< of each result in `text`

    void clear()
    {
        text.clear();
        ends.clear();
    }
};

/// Values only, and const: several threads may use one.
class ResultForm final
{
public:
    /// Without metrics the whole result.
    ResultForm(Format format, std::vector<const MetricRow*> metrics) : m_format(format), m_metrics(std::move(metrics))
    {
    }

    [[nodiscard]] Format format() const { return m_format; }
    [[nodiscard]] bool whole() const { return m_metrics.empty(); }
    [[nodiscard]] std::string head() const; ///< what stands above the first result
    void append(const LoadedScenario& loaded, ResultText& results) const;
    /// A refused scenario keeps its place; in text its message on standard error is all there is.
    void appendRefusal(std::string_view name, const Diagnostics& diagnostics, ResultText& results) const;

private:
    void appendWhole(const LoadedScenario& loaded, const Evaluation& evaluation, std::string& text) const;
    void appendFigures(const LoadedScenario& loaded, const Evaluation& evaluation, std::string& text) const;

    Format m_format;
    std::vector<const MetricRow*> m_metrics;
};

/// Prints results as they come, in pieces that are large enough.
class ResultWriter final
{
public:
    explicit ResultWriter(const ResultForm& form) : m_format(form.format()), m_apart(form.whole()), m_text(form.head())
    {
    }

    void add(const ResultText& results);
    void finish();

private:
    void element(std::string_view json);

    Format m_format;
    bool m_apart; ///< text: an empty line between whole results
    std::string m_text, m_first;
    std::size_t m_count = 0;
};

} // namespace headroom::cli
