// SPDX-License-Identifier: GPL-3.0-or-later
// Thousands have one spelling wherever a person reads them: "1,024 GPUs", never "1024" beside it.
#include "core/charts/chart_registry.hpp"
#include "core/explain/derive.hpp"
#include "core/explain/result_notes.hpp"
#include "core/explain/tile_text.hpp"
#include "core/explore/advice.hpp"
#include "core/metrics/evaluation_text.hpp"
#include "core/metrics/metric_registry.hpp"
#include "core/runs/nearest_runs.hpp"
#include "core/runs/run_distance.hpp"
#include "tests/support/program.hpp"
#include "tests/support/random_scenario.hpp"
#include "tests/support/support.hpp"

#include <QtTest>
#include <map>
#include <regex>
#include <string>
#include <utility>
#include <vector>

namespace headroom::test_thousands
{
namespace
{

/// Numbers of four digits and more without groups. Years, constants of a formula and names are written so.
std::string bareThousands(std::string text, const std::vector<std::string>& names)
{
    for (const std::string& name : names)
        if (!name.empty())
            for (std::size_t at; (at = text.find(name)) != std::string::npos;)
                text.erase(at, name.size());
    static const std::regex bare(R"((^|[^\w.,-])(\d{4,})(?![\w.,-]*[A-Za-z])\b)");
    for (std::sregex_iterator it(text.begin(), text.end(), bare), last; it != last; ++it) {
        const std::string digits = (*it)[2].str();
        const bool year = digits.size() == 4 && (digits.starts_with("19") || digits.starts_with("20"));
        if (digits != "3600" && digits != "1000" && !year)
            return digits;
    }
    return {};
}

/// All that is said of a scenario, each text with the place where it stands.
std::vector<std::pair<std::string, std::string>> textsOf(const ChartContext& context)
{
    std::vector<std::pair<std::string, std::string>> all;
    const PreparedScenario& s = context.scenario;
    const Evaluation& e = context.evaluation;
    for (const std::string& text : noteTexts(s, e))
        all.emplace_back("a note", text);
    all.emplace_back("the command line's text", evaluationText({}, s, e));
    for (const MetricRow& row : metricRegistry()) {
        if (!appliesTo(row, s.task))
            continue;
        const TileText tile = tileText(row, context);
        for (const std::string& text : {tile.number, tile.sub, tile.brief})
            all.emplace_back("tile " + std::string(row.id), text);
        const Derivation why = derive(row.id, s, e);
        for (const DerivationStep& step : why.steps)
            for (const std::string& text : {step.name, step.substituted})
                all.emplace_back("derivation of " + why.metricId, text);
        for (const std::string& text : why.assumptions)
            all.emplace_back("assumption of " + why.metricId, text);
        all.emplace_back("what to change of " + why.metricId, why.whatToChange);
    }
    for (const ChartRow& row : chartRegistry()) {
        if (!(s.task == Task::Training ? row.training : row.inference))
            continue;
        const ChartSpec spec = row.build(context);
        for (const std::string& text : {spec.title, spec.note, spec.reading, spec.summary})
            all.emplace_back("chart " + spec.id, text);
        for (const Series& series : spec.series)
            if (series.role != SeriesRole::Published)
                for (const Point& point : series.points)
                    all.emplace_back("point of " + spec.id, point.label);
        for (const Guide& guide : spec.guides)
            all.emplace_back("guide of " + spec.id, guide.label);
        for (const Axis* axis : {&spec.x, &spec.y})
            for (const Tick& tick : axis->ticks)
                all.emplace_back("tick of " + spec.id, tick.label);
    }
    for (const Advice& advice : whatNext(s, e))
        all.emplace_back("advice", advice.text);
    return all;
}

} // namespace

class TestThousands : public QObject
{
    Q_OBJECT

private slots:
    void whatIsSaidOfAScenario()
    {
        test::RandomScenarios random(71);
        int grouped = 0;
        std::map<std::string, std::string> found; // one for each place
        for (int round = 0; round < 100; ++round) {
            const ChartContext context = random.nextContext(round % 2 ? Task::Training : Task::Inference, 1);
            const PreparedScenario& p = context.scenario;
            const std::vector<std::string> names{p.model->architecture.name, p.accelerator->name,
                                                 p.readingAccelerator().name,
                                                 p.draft ? p.draft->architecture.name : std::string()};
            for (const auto& [place, text] : textsOf(context)) {
                if (const std::string bare = bareThousands(text, names); !bare.empty())
                    found.emplace(place, bare + " in " + place + ": " + text);
                if (text.find("K GPU-hours") != text.npos) // the letter of parameters
                    found.emplace(place, place + ": " + text);
                static const std::regex comma(R"(\d,\d{3})");
                grouped += std::regex_search(text, comma);
            }
        }
        std::string all;
        for (const auto& [place, text] : found)
            all += text + "\n";
        QVERIFY2(all.empty(), all.c_str());
        QVERIFY2(grouped > 100, std::to_string(grouped).c_str()); // there were thousands to write
    }

    void whatARunDiffersIn()
    {
        const MeasuredRuns& runs = *publishedRuns();
        for (std::size_t i = 0; i + 1 < runs.size(); ++i) {
            const std::string text = differenceText(runs[i].features, runs[i + 1].features);
            const auto &a = runs[i].features, &b = runs[i + 1].features;
            const std::string bare =
                bareThousands(text, {a.modelName, b.modelName, a.acceleratorName, b.acceleratorName});
            QVERIFY2(bare.empty(), text.c_str());
        }
    }
};
HEADROOM_TEST(TestThousands)

} // namespace headroom::test_thousands
#include "test_thousands.moc"
