// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/suggestion.hpp"

#include "tests/support/support.hpp"

using namespace headroom;
using namespace headroom::ui;

class TestSuggestion : public QObject
{
    Q_OBJECT

    static bool free(std::string_view) { return false; }

    static PreparedScenario prepared(const Scenario& scenario)
    {
        auto result = prepare(scenario, Catalog::builtIn(), Calibration::builtIn());
        if (!result)
            qFatal("%s", toText(result.error().front()).c_str());
        return *result;
    }

private slots:
    void everyLegalFixIsLegal()
    {
        Scenario scenario;
        scenario.hardware.count = 8;
        scenario.parallelism.tensor = 3;
        QVERIFY(!checkSetup(scenario).empty());
        const auto fixes = legalFixes(scenario, free);
        QVERIFY(!fixes.empty());
        for (const Suggestion& fix : fixes) {
            Scenario changed = scenario;
            fix.applyTo(changed);
            QVERIFY2(checkSetup(changed).empty(), fix.text.c_str());
            QVERIFY(!fix.text.empty());
        }
    }

    void lockedParametersAreNotTouched()
    {
        Scenario scenario;
        scenario.hardware.count = 8;
        scenario.parallelism.tensor = 3;
        for (const Suggestion& fix : legalFixes(scenario, [](std::string_view id) { return id == "tensor"; }))
            QVERIFY(fix.changes.front().row->id != "tensor");
    }

    void remediesMakeItFit()
    {
        Scenario scenario;
        scenario.model.id = "llama-3-70b";
        scenario.training.microBatch = 64;
        const PreparedScenario start = prepared(scenario);
        QVERIFY(!evaluate(start).fits);
        const auto remedies = memoryRemedies(start, free);
        QVERIFY(!remedies.empty());
        for (const Suggestion& remedy : remedies) {
            PreparedScenario changed = start;
            remedy.applyTo(changed);
            QVERIFY2(evaluate(changed).fits, remedy.text.c_str());
        }
    }

    void whatFitsNeedsNoRemedy()
    {
        Scenario scenario;
        scenario.task = Task::Inference;
        QVERIFY(memoryRemedies(prepared(scenario), free).empty());
    }

    void aWarningPointsAtAParameterAndAValueWithoutIt()
    {
        Scenario scenario;
        scenario.training.sequenceLength = 65536; // Llama 3 8B was trained for 8192
        const PreparedScenario start = prepared(scenario);
        QVERIFY(evaluate(start).warnings.has(WarningCode::BeyondMaxContext));
        const ParameterRow* row = warningParameter(WarningCode::BeyondMaxContext, start);
        QVERIFY(row && row->id == "sequence_length");
        const auto fix = withoutWarning(start, WarningCode::BeyondMaxContext, *row);
        QVERIFY(fix);
        QCOMPARE(fix->changes.front().value, 8192.0);
    }
};

QTEST_APPLESS_MAIN(TestSuggestion)
#include "test_suggestion.moc"
