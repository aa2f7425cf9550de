// SPDX-License-Identifier: GPL-3.0-or-later
// The row of tiles on a small screen: nothing in it is cut, and German has as many as English.
#include "core/lessons/lesson_json.hpp"
#include "core/scenario/scenario_json.hpp"
#include "core/support/embedded.hpp"
#include "tests/support/program.hpp"
#include "tests/support/window_fixture.hpp"
#include "ui/pages/compare_page.hpp"
#include "ui/pages/navigator.hpp"
#include "ui/panels/metric_tiles.hpp"
#include "ui/settings/language.hpp"

#include <QScrollBar>
#include <QTableView>

namespace headroom::ui::test_tiles_width
{
namespace
{

using namespace Qt::StringLiterals;
using headroom::test::WindowFixture;

QStringList tilesIn(WindowFixture& f, QString& cut)
{
    QStringList shown;
    for (const MetricRow& row : metricRegistry())
        if (const MetricTile* tile =
                row.tile ? f.part<MetricTiles>().tile(QString::fromStdString(std::string(row.id))) : nullptr;
            tile && tile->isVisible()) {
            shown << QString::fromStdString(std::string(row.id));
            if (const QString text = tile->cutText(); !text.isEmpty())
                cut += text + u'\n';
        }
    return shown;
}

std::vector<Scenario> scenarios()
{
    std::vector<Scenario> all;
    for (const EmbeddedFile& file : embeddedFolder("scenarios/"))
        all.push_back(readScenario(file.text, Catalog::builtIn())->scenario);
    for (const Lesson& lesson : builtInLessons(Catalog::builtIn(), "en"))
        all.push_back(lesson.start);
    int drawn = 0; // some of them: all take 20 s
    for (const auto& model : Catalog::builtIn().models())
        for (const bool serves : {false, true}) {
            if (++drawn % 7 != 0)
                continue;
            Scenario s;
            s.task = serves ? Task::Inference : Task::Training;
            s.model.id = model->id;
            s.hardware.count = 8;
            s.hardware.pricePerGpuHour = 2.5;
            s.training.trainingTokens = 1e12;
            s.inference.ttftTargetS = s.inference.tpotTargetS = 0.5;
            if (all.size() % 3 == 0)
                s.inference.requestsPerS = 2;
            all.push_back(s);
        }
    return all;
}

} // namespace

class TestTilesWidth final : public QObject
{
    Q_OBJECT
private slots:
    void germanHasAsManyTiles()
    {
        std::vector<QStringList> english;
        QString fewer;
        for (const auto* code : {"en", "de"}) {
            const Language language(QString::fromLatin1(code));
            WindowFixture f({1366, 768});
            std::size_t i = 0;
            for (const Scenario& scenario : scenarios()) {
                f.session.store.setDocument(scenario, {});
                f.settle();
                QString cut;
                const QStringList here = tilesIn(f, cut);
                QVERIFY2(cut.isEmpty(), qPrintable(cut));
                if (QLatin1String(code) == "en"_L1)
                    english.push_back(here);
                else if (here.size() < english[i].size())
                    fewer += QString::fromStdString(scenario.name) + u": "_s + here.join(u' ') + u" of "_s +
                             english[i].join(u' ') + u'\n';
                ++i;
            }
        }
        QVERIFY2(fewer.isEmpty(), qPrintable(fewer));
    }

    /// A step of other sequences is compared token by token: "A: 7.81× slower per t…" says something else.
    void noPinIsCut()
    {
        for (const auto* code : {"en", "de"}) {
            const Language language(QString::fromLatin1(code));
            WindowFixture f({1366, 768});
            Scenario scenario;
            scenario.hardware.count = 64;
            scenario.hardware.pricePerGpuHour = 2.5;
            f.session.store.setDocument(scenario, {});
            f.session.store.pinCurrent();
            f.session.store.setParameter(0, *parameterRow("sequence_length"), 32768);
            f.session.store.pinCurrent();
            QString cut;
            f.session.store.setParameter(0, *parameterRow("count"), 8);
            f.settle();
            const auto tiles = tilesIn(f, cut).size();
            QVERIFY2(cut.isEmpty(), qPrintable(cut));
            f.window->pages().show(u"compare"_s); // where they stand beside each other, none is half in sight
            f.settle();
            const auto* page = qobject_cast<ComparePage*>(f.window->pages().page(u"compare"_s));
            QCOMPARE(page->table()->horizontalScrollBar()->maximum(), 0);
            f.window->pages().show(u"dashboard"_s);
            f.settle();
            f.session.store.clearPins();
            f.settle();
            QCOMPARE(tiles, tilesIn(f, cut).size()); // and none went for it
        }
    }
};
HEADROOM_TEST_WITH(QApplication, TestTilesWidth)

} // namespace headroom::ui::test_tiles_width
#include "test_tiles_width.moc"
