// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/explain/glossary.hpp"
#include "core/metrics/metric_registry.hpp"
#include "core/scenario/parameter_registry.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

#include <algorithm>
#include <set>

namespace headroom::test_glossary
{

class TestGlossary : public QObject
{
    Q_OBJECT
private slots:
    void termsAreCompleteAndLeadSomewhere()
    {
        std::set<std::string_view> ids;
        for (const GlossaryTerm& term : glossary()) {
            QVERIFY2(ids.insert(term.id).second, term.id.data());
            QVERIFY2(!term.term.empty() && term.definition.ends_with('.'), term.id.data());
            QVERIFY2(term.mistake.empty() || term.mistake.ends_with('.'), term.id.data());
            QVERIFY2(term.metricId.empty() || metricRow(term.metricId), term.id.data());
            QVERIFY2(term.parameterId.empty() || parameterRow(term.parameterId), term.id.data());
            QCOMPARE(glossaryTerm(term.id), &term);
        }
        QVERIFY(glossaryTerm("no-such-term") == nullptr);
    }

    void everyRowIsExplained()
    {
        for (const MetricRow& row : metricRegistry())
            QVERIFY2(glossaryEntryOfMetric(row.id) && !glossaryEntryOfMetric(row.id)->definition.empty(),
                     row.id.data());
        for (const ParameterRow& row : parameterRegistry())
            QVERIFY2(glossaryEntryOfParameter(row.id) && !glossaryEntryOfParameter(row.id)->definition.empty(),
                     row.id.data());
        QVERIFY(!glossaryEntryOfMetric("no-such-metric") && !glossaryEntryOfParameter("no-such-parameter"));
    }

    void oneAlphabet()
    {
        const auto entries = glossaryEntries();
        const auto lower = [](const GlossaryEntry& entry) { return QString::fromStdString(entry.title).toLower(); };
        QVERIFY(std::ranges::is_sorted(entries, {}, [&](const GlossaryEntry& e) { return lower(e).toStdString(); }));
        QVERIFY(entries.size() > glossary().size() + 30);
        const auto named = [&](std::string_view title) {
            return std::ranges::count_if(entries, [&](const GlossaryEntry& e) { return e.title.starts_with(title); });
        };
        QCOMPARE(named("MFU ("), 1); // the term and the metric are one entry
    }
};
HEADROOM_TEST(TestGlossary)

} // namespace headroom::test_glossary
#include "test_glossary.moc"
