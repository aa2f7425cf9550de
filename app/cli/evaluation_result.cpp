// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/evaluation_result.hpp"

#include "core/explore/advice.hpp"
#include "core/metrics/evaluation_text.hpp"
#include "core/predict/evaluation_json.hpp"
#include "core/support/json_text.hpp"
#include "core/units/format.hpp"

namespace headroom::cli
{

std::string ResultForm::head() const
{
    if (m_format != Format::Csv)
        return {};
    if (m_metrics.empty())
        return evaluationCsvHeader();
    std::string text = "name";
    for (const MetricRow* metric : m_metrics)
        text.append(",").append(metric->id);
    return text + ",fits,error\r\n";
}

void ResultForm::append(const LoadedScenario& loaded, ResultText& results) const
{
    const Evaluation evaluation = evaluate(loaded.prepared);
    m_metrics.empty() ? appendWhole(loaded, evaluation, results.text) : appendFigures(loaded, evaluation, results.text);
    results.ends.push_back(results.text.size());
}

void ResultForm::appendWhole(const LoadedScenario& loaded, const Evaluation& evaluation, std::string& text) const
{
    switch (m_format) {
    case Format::Text:
    case Format::Markdown: // not offered
        text += evaluationText(loaded.name, loaded.prepared, evaluation);
        if (!allFits(evaluation))
            text += whatNextText(loaded.prepared, evaluation);
        if (!loaded.note.empty())
            text += "Note: " + loaded.note + '\n';
        break;
    case Format::Json:
        text += evaluationJson(loaded.name, loaded.prepared, evaluation, 2, loaded.note);
        break;
    case Format::JsonLines:
        appendEvaluationJson(text, loaded.name, loaded.prepared, evaluation, loaded.note);
        text += '\n';
        break;
    case Format::Csv:
        text += evaluationCsvRow(loaded.name, loaded.prepared, evaluation, loaded.note);
        break;
    }
}

void ResultForm::appendFigures(const LoadedScenario& loaded, const Evaluation& evaluation, std::string& text) const
{
    const bool json = m_format == Format::Json || m_format == Format::JsonLines;
    const char* const fits = allFits(evaluation) ? "true" : "false";
    if (json)
        text.append(R"({"name":)").append(loaded.name.empty() ? "null" : jsonString(loaded.name));
    else if (m_format == Format::Csv)
        text += csvCell(loaded.name);
    else
        text.append(loaded.name.empty() ? "(no name)" : loaded.name)
            .append(allFits(evaluation) ? ":" : " (does not fit):");
    for (const MetricRow* metric : m_metrics) {
        const auto value = figureOf(*metric, loaded.prepared, evaluation);
        if (json)
            text.append(",\"").append(metric->id).append("\":").append(value ? exactNumber(*value) : "null");
        else if (m_format == Format::Csv)
            text.append(",").append(value ? exactNumber(*value) : "");
        else
            text.append(metric == m_metrics.front() ? " " : "; ")
                .append(metric->label)
                .append(" ")
                .append(value ? formatText(*value, metric->format) : "-");
    }
    if (json)
        text.append(R"(,"fits":)").append(fits).append(m_format == Format::JsonLines ? "}\n" : "}");
    else
        text.append(m_format == Format::Csv ? std::string(",") + fits + ",\r\n" : "\n");
}

void ResultForm::appendRefusal(std::string_view name, const Diagnostics& diagnostics, ResultText& results) const
{
    switch (m_format) {
    case Format::Text:
    case Format::Markdown: // not offered
        return;
    case Format::Json:
        results.text += errorJson(name, diagnostics);
        break;
    case Format::JsonLines:
        results.text += errorJson(name, diagnostics) + '\n';
        break;
    case Format::Csv:
        if (m_metrics.empty())
            results.text += errorCsvRow(name, diagnostics);
        else
            results.text += csvCell(name) + std::string(m_metrics.size() + 2, ',') +
                            (diagnostics.empty() ? "" : csvCell(toText(diagnostics.front()))) + "\r\n";
        break;
    }
    results.ends.push_back(results.text.size());
}

void ResultWriter::add(const ResultText& results)
{
    constexpr std::size_t enough = 1u << 16;
    if (m_format == Format::JsonLines || m_format == Format::Csv) {
        if (m_text.empty() && results.text.size() >= enough)
            return print(results.text);
        m_text += results.text;
    } else {
        std::size_t begin = 0;
        for (const std::size_t end : results.ends) {
            const auto one = std::string_view(results.text).substr(begin, end - begin);
            if (m_format == Format::Json)
                element(one);
            else
                m_text.append(m_count > 0 && m_apart ? "\n" : "").append(one);
            begin = end;
            ++m_count;
        }
    }
    if (m_text.size() < enough)
        return;
    print(m_text);
    m_text.clear();
}

/// The first is held back: alone it is an object, with others an array.
void ResultWriter::element(std::string_view json)
{
    if (m_count == 0) {
        m_first = json;
        return;
    }
    if (m_count == 1)
        m_text += "[\n" + m_first;
    m_text.append(",\n").append(json);
}

void ResultWriter::finish()
{
    if (m_format == Format::Json)
        m_text += m_count > 1 ? "\n]\n" : m_count == 1 ? m_first + '\n' : "[]\n";
    print(m_text);
    m_text.clear();
}

} // namespace headroom::cli
