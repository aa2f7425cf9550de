// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/program.hpp"
#include "ui/document/scenario_store.hpp"

#include "core/predict/evaluate.hpp"
#include "tests/support/support.hpp"
#include "ui/document/recalculator.hpp"

#include <QSignalSpy>

namespace headroom::ui::test_scenario_store
{

class TestScenarioStore : public QObject
{
    Q_OBJECT

    const ParameterRow& m_batch = *parameterRow("micro_batch");

    double batch(const ScenarioStore& store) { return m_batch.get(store.scenario()); }

private slots:
    /// Engines load a checkpoint as it is: weights in 16 bit would make a model of 4 bits look four times its size.
    void aModelBringsTheFormatOfItsCheckpoint()
    {
        const Catalog& catalog = Catalog::builtIn();
        const auto choose = [&](ScenarioStore& store, const char* id) {
            store.chooseModel(QString(), {id, {}}, *catalog.model(id));
        };
        ScenarioStore store;
        choose(store, "llama-3-70b");
        QCOMPARE(store.scenario().inference.weights, DataType::Bf16);
        choose(store, "gpt-oss-120b");
        QCOMPARE(store.scenario().model.id, std::string("gpt-oss-120b"));
        QCOMPARE(store.scenario().inference.weights, DataType::Native);
        store.undoStack().undo(); // one step
        QCOMPARE(store.scenario().model.id, std::string("llama-3-70b"));
        QCOMPARE(store.scenario().inference.weights, DataType::Bf16);
        store.edit(0, {}, [](Scenario& s) { s.inference.weights = DataType::Fp8; }); // somebody's own choice stays
        choose(store, "gpt-oss-120b");
        QCOMPARE(store.scenario().inference.weights, DataType::Fp8);
        ScenarioStore locked;
        locked.setLocked("weights", true);
        choose(locked, "gpt-oss-120b");
        QCOMPARE(locked.scenario().inference.weights, DataType::Bf16);
    }

    void oneGestureIsOneStep()
    {
        ScenarioStore store;
        const int drag = store.newGesture();
        for (const double value : {2.0, 4.0, 8.0, 16.0})
            store.setParameter(drag, m_batch, value);
        QCOMPARE(store.undoStack().count(), 1);
        store.undoStack().undo();
        QCOMPARE(batch(store), 1.0);
        store.undoStack().redo();
        QCOMPARE(batch(store), 16.0);
    }

    void twoGesturesAreTwoSteps()
    {
        ScenarioStore store;
        store.setParameter(store.newGesture(), m_batch, 4);
        store.setParameter(store.newGesture(), m_batch, 8);
        QCOMPARE(store.undoStack().count(), 2);
        store.undoStack().undo();
        QCOMPARE(batch(store), 4.0);
    }

    void backAtTheStartThereIsNoStep()
    {
        ScenarioStore store;
        const int drag = store.newGesture();
        store.setParameter(drag, m_batch, 8);
        store.setParameter(drag, m_batch, 1);
        QCOMPARE(store.undoStack().count(), 0);
        QVERIFY(!store.isModified());
    }

    void aSaveEndsTheMerging()
    {
        ScenarioStore store;
        const int drag = store.newGesture();
        store.setParameter(drag, m_batch, 4);
        store.markSaved(QStringLiteral("a.headroom"));
        QVERIFY(!store.isModified());
        store.setParameter(drag, m_batch, 8);
        QVERIFY(store.isModified());
        QCOMPARE(store.undoStack().count(), 2);
        store.undoStack().undo();
        QVERIFY(!store.isModified());
    }

    void lockedParametersStay()
    {
        ScenarioStore store;
        store.setParameter(0, m_batch, 4);
        store.setLocked(m_batch.id, true);
        store.setParameter(0, m_batch, 8);
        store.resetParameter(m_batch);
        QCOMPARE(batch(store), 4.0);
        store.setLocked(m_batch.id, false);
        store.resetParameter(m_batch);
        QCOMPARE(batch(store), 1.0);
    }

    void threePinsAndNoMore()
    {
        ScenarioStore store;
        QVERIFY(store.pinCurrent() && store.pinCurrent() && store.pinCurrent());
        QVERIFY(!store.pinCurrent());
        QCOMPARE(store.pins().back().letter, 'C');
        store.clearPins();
        QVERIFY(store.pins().empty());
    }

    void pinningAndForgettingAreUndoSteps()
    {
        ScenarioStore store;
        store.pinCurrent();
        store.setParameter(0, m_batch, 8);
        store.pinCurrent();
        store.setPinName('B', QStringLiteral("larger"));
        const std::vector<SavedPin> both = store.savedPins();
        const int steps = store.undoStack().count();
        store.clearPins();
        QCOMPARE(store.undoStack().count(), steps + 1);
        store.undoStack().undo(); // names and all
        QVERIFY(store.savedPins() == both);
        store.undoStack().redo();
        QVERIFY(store.pins().empty());
        store.undoStack().undo();
        store.undoStack().undo();
        QVERIFY(store.pins().back().name.empty());
        store.undoStack().undo();
        QCOMPARE(store.pins().size(), std::size_t(1));
        QCOMPARE(batch(store), 8.0);
        store.undoStack().redo();
        store.undoStack().redo();
        QVERIFY(store.savedPins() == both);
        // Others take their place in one step, too.
        store.replacePins(QStringLiteral("others"), {both.back()});
        QCOMPARE(store.pins().front().name, std::string("larger"));
        store.undoStack().undo();
        QVERIFY(store.savedPins() == both);
    }

    /// Without a file nothing asks to be saved for a pin; an edit beside it does, and the title hears of it.
    void aPinAloneIsNoUnsavedWork()
    {
        ScenarioStore store;
        QSignalSpy told(&store, &ScenarioStore::documentChanged);
        store.pinCurrent();
        QVERIFY(!store.isModified());
        const auto before = told.count();
        store.setParameter(0, m_batch, 8);
        QVERIFY(store.isModified() && told.count() > before);
        store.undoStack().undo();
        QVERIFY(!store.isModified());
        store.markSaved(QStringLiteral("a.headroom"));
        store.clearPins();
        QVERIFY(store.isModified());
        store.undoStack().undo();
        QVERIFY(!store.isModified());
    }

    void aSwapIsOneStepForBoth()
    {
        ScenarioStore store;
        store.pinCurrent();
        store.setParameter(0, m_batch, 8);
        const auto pinned = [this, &store] { return m_batch.get(store.pins().front().scenario); };
        QVERIFY(store.swapWithPin('A'));
        QCOMPARE(batch(store), 1.0);
        QCOMPARE(pinned(), 8.0);
        store.undoStack().undo();
        QCOMPARE(batch(store), 8.0);
        QCOMPARE(pinned(), 1.0);
        store.undoStack().redo();
        QCOMPARE(batch(store), 1.0);
        QCOMPARE(pinned(), 8.0);

        // Forgotten, pinned anew and undone: each step finds what it left.
        store.clearPins();
        store.setParameter(0, m_batch, 32);
        store.pinCurrent();
        QCOMPARE(pinned(), 32.0);
        for (int i = 0; i < 3; ++i)
            store.undoStack().undo();
        QCOMPARE(batch(store), 1.0);
        QCOMPARE(pinned(), 8.0);
        store.undoStack().undo();
        QCOMPARE(batch(store), 8.0);
        QCOMPARE(pinned(), 1.0);
        QVERIFY(!store.swapWithPin('C'));
    }

    void aPinThatCannotBeEvaluatedSaysWhy()
    {
        ScenarioStore store;
        Recalculator recalculator(store, Catalog::builtIn(), Calibration::builtIn());
        store.pinCurrent();
        store.setParameter(0, *parameterRow("tensor"), 3);
        store.pinCurrent();
        recalculator.flush();
        QCOMPARE(recalculator.pins().size(), std::size_t(1));
        QVERIFY(recalculator.pinRefusal('A').empty());
        QVERIFY(!recalculator.pinRefusal('B').empty());
        store.clearPins();
        QVERIFY(recalculator.pinRefusal('B').empty());
    }

    /// What another scenario is set aside for, a lesson, has a picture of its own.
    void pinsStayWithTheDocument()
    {
        ScenarioStore store;
        Recalculator recalculator(store, Catalog::builtIn(), Calibration::builtIn());
        store.pinCurrent();
        store.setParameter(0, m_batch, 4);
        const auto letters = [&store] { return store.pins().size(); };
        store.setAside(QStringLiteral("Lesson"), Scenario());
        recalculator.flush();
        QVERIFY(store.pins().empty() && recalculator.context()->pins.empty());
        store.setParameter(0, m_batch, 8);
        store.pinCurrent();
        QCOMPARE(store.pins().front().scenario.training.microBatch, 8);
        QCOMPARE(store.savedPins().size(), std::size_t(1)); // the document's
        QVERIFY(store.savedPins().front().scenario.training.microBatch != 8);
        store.setAside(QStringLiteral("Next lesson"), Scenario());
        QVERIFY(store.pins().empty());
        store.takeUp();
        recalculator.flush();
        QCOMPARE(letters(), std::size_t(1));
        QVERIFY(store.pins().front().scenario.training.microBatch != 8);
        QCOMPARE(recalculator.context()->pins.size(), std::size_t(1));

        // So they do where undo ends it, of a lesson that begins with the same scenario, too.
        store.setAside(QStringLiteral("Lesson"), Scenario(store.scenario()));
        QVERIFY(store.pins().empty());
        store.undoStack().undo();
        QVERIFY(!store.isAside());
        QCOMPARE(letters(), std::size_t(1));

        // And where another document ends it: they go on to that one.
        store.setAside(QStringLiteral("Lesson"), Scenario());
        store.pinCurrent();
        store.setParameter(0, m_batch, 8);
        store.pinCurrent();
        store.setDocument(Scenario(), {});
        QCOMPARE(letters(), std::size_t(1));
        recalculator.flush();
        QCOMPARE(recalculator.context()->pins.size(), std::size_t(1));
    }

    /// Curves of pins are kept while the pins are, also where somebody asks for them before a swap was evaluated.
    void curvesArePinsOwn()
    {
        ScenarioStore store;
        Recalculator recalculator(store, Catalog::builtIn(), Calibration::builtIn());
        const auto areTheirOwn = [&recalculator] {
            ChartContext anew = *recalculator.context();
            shareCurves(anew);
            for (const ChartRow& row : chartRegistry())
                if (row.training && row.swept && row.build(anew) != row.build(*recalculator.sweptContext()))
                    return false;
            return true;
        };
        store.pinCurrent();
        store.setParameter(0, m_batch, 8);
        recalculator.flush();
        QVERIFY(areTheirOwn());
        const auto before = recalculator.sweptContext()->curves;
        store.setParameter(0, m_batch, 16);
        recalculator.flush();
        QVERIFY(areTheirOwn());
        QVERIFY(recalculator.sweptContext()->curves != before);
        store.setParameter(0, *parameterRow("sequence_length"), 8192);
        recalculator.flush();
        store.swapWithPin('A');
        QVERIFY(areTheirOwn()); // of before the swap
        recalculator.flush();
        QVERIFY(areTheirOwn());
    }

    void fiveChangesAreOneEvaluation()
    {
        ScenarioStore store;
        Recalculator recalculator(store, Catalog::builtIn(), Calibration::builtIn());
        QCoreApplication::processEvents();
        QSignalSpy spy(&recalculator, &Recalculator::evaluated);
        for (const double value : {2.0, 4.0, 8.0, 16.0, 32.0})
            store.setParameter(0, m_batch, value);
        QCOMPARE(spy.count(), 0);
        QTRY_COMPARE(spy.count(), 1);
        QCOMPARE(recalculator.context()->scenario.training.microBatch, 32);
        QCoreApplication::processEvents();
        QCOMPARE(spy.count(), 1);
    }

    void aRefusedScenarioKeepsTheLastResult()
    {
        ScenarioStore store;
        Recalculator recalculator(store, Catalog::builtIn(), Calibration::builtIn());
        recalculator.flush();
        const Evaluation before = recalculator.context()->evaluation;
        store.setParameter(0, *parameterRow("tensor"), 3);
        recalculator.flush();
        QVERIFY(recalculator.isRefused());
        QVERIFY(!recalculator.refusal().front().message.empty());
        QVERIFY(recalculator.context()->evaluation == before);
        store.undoStack().undo();
        recalculator.flush();
        QVERIFY(!recalculator.isRefused());
    }
};
HEADROOM_TEST_WITH(QCoreApplication, TestScenarioStore)

} // namespace headroom::ui::test_scenario_store
#include "test_scenario_store.moc"
