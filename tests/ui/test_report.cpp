// SPDX-License-Identifier: GPL-3.0-or-later
// The report: everything a meeting asks for is on it, it is drawn in vectors, and a failed write harms nothing.
// HEADROOM_REPORTS=folder keeps reports of both tasks for looking at.
#include "core/explain/derive.hpp"
#include "core/metrics/metric_registry.hpp"
#include "core/units/format.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"
#include "tests/support/window_fixture.hpp"
#include "ui/base/text.hpp"
#include "ui/commands/actions.hpp"
#include "ui/document/report.hpp"
#include "ui/document/report_html.hpp"
#include "ui/settings/language.hpp"

#include <QAbstractTextDocumentLayout>
#include <QTextBlock>
#include <QTextDocument>
#include <QTextFrame>
#include <QTextLayout>

#include <QFileInfo>

namespace headroom::ui::test_report
{

using headroom::test::WindowFixture;

class TestReport : public QObject
{
    Q_OBJECT

    static ReportContent contentOf(const Scenario& scenario)
    {
        ReportContent content;
        content.context.scenario = *prepare(scenario, Catalog::builtIn(), Calibration::builtIn());
        content.context.evaluation = evaluate(content.context.scenario);
        content.title = QStringLiteral("A meeting <b>about</b> MFU");
        content.notes = QStringLiteral("First line\nsecond line");
        for (const ChartRow& row : chartRegistry())
            content.chartIds << toQString(row.id);
        return content;
    }

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void noHeadingStandsAloneAndNoShortTableIsCut()
    {
        int headings = 0, moved = 0;
        for (const Task task : {Task::Training, Task::Inference})
            for (const double height : {500.0, 640.0, 777.0, 901.0}) { // wherever the pages end
                Scenario scenario;
                scenario.task = task;
                const auto document = reportDocument(contentOf(scenario));
                document->setDocumentMargin(0);
                document->setPageSize({680, height});
                keepTogether(*document);
                const auto* layout = document->documentLayout();
                const auto pageOf = [height](double y) { return int(y / height); };
                const auto rectOf = [layout](const QTextFrame::iterator& at) {
                    if (at.currentFrame())
                        return layout->frameBoundingRect(at.currentFrame());
                    // A block stays where it began when all its lines moved on to the next page.
                    QRectF rect = layout->blockBoundingRect(at.currentBlock());
                    if (const QTextLayout* lines = at.currentBlock().layout(); lines->lineCount() > 0)
                        rect.setTop(rect.top() + lines->lineAt(0).y());
                    return rect;
                };
                for (auto at = document->rootFrame()->begin(); !at.atEnd(); ++at) {
                    const QTextBlock block = at.currentBlock();
                    if (!block.isValid() || block.blockFormat().headingLevel() == 0)
                        continue;
                    ++headings;
                    moved += block.blockFormat().pageBreakPolicy() == QTextFormat::PageBreak_AlwaysBefore ? 1 : 0;
                    auto next = at;
                    while (!(++next).atEnd() && !next.currentFrame() &&
                           next.currentBlock().text().trimmed().isEmpty()) {
                    }
                    if (next.atEnd())
                        continue;
                    const QRectF content = rectOf(next);
                    QVERIFY2(pageOf(rectOf(at).top()) == pageOf(content.top()), qPrintable(block.text()));
                    if (next.currentFrame() && content.height() < height / 2)
                        QVERIFY2(pageOf(content.top()) == pageOf(content.bottom() - 1), qPrintable(block.text()));
                }
            }
        QVERIFY2(headings > 20 && moved > 2, qPrintable(QStringLiteral("%1 %2").arg(headings).arg(moved)));
    }

    void itsDateIsWrittenAsItsLanguageDoes()
    {
        const QDate date(2026, 3, 29);
        {
            const Language english(QStringLiteral("en"));
            QCOMPARE(reportDate(date), QStringLiteral("29 March 2026"));
        }
        const Language german(QStringLiteral("de"));
        QCOMPARE(reportDate(date), QStringLiteral("29. März 2026"));
    }

    void thePhasesOfATrainingAreInputs()
    {
        Scenario scenario;
        scenario.hardware.count = 128;
        TrainingPhase first, second;
        first.name = "short first";
        first.tokens = 5e12;
        second.tokens = 2e11;
        second.sequenceLength = 65536;
        second.globalBatch = 64;
        second.context = 8;
        scenario.phases = {first, second};
        QString text = reportDocument(contentOf(scenario))->toPlainText().replace(QChar(0x202F), u' ');
        text = text.mid(text.indexOf(QStringLiteral("Inputs")));
        for (const char* words : {"Short first", "5.00 T tokens", "Phase 2", "200 B tokens", "Sequence length: 65,536",
                                  "Global batch: 64", "Context parallel: 8", "Phases of the training"})
            QVERIFY2(text.contains(QLatin1String(words)), qPrintable(QLatin1String(words) + u'\n' + text));
    }

    void moneySaysItsCurrency()
    {
        Scenario scenario;
        scenario.hardware.count = 8;
        scenario.hardware.pricePerGpuHour = 2.0625;
        const QString text = reportDocument(contentOf(scenario))->toPlainText();
        QVERIFY2(text.contains(QStringLiteral("$16.50")), qPrintable(text.left(600)));
    }

    void inputsResultsAssumptionsAndSourcesAreOnIt()
    {
        for (const Task task : {Task::Training, Task::Inference}) {
            Scenario scenario;
            scenario.task = task;
            const ReportContent content = contentOf(scenario);
            const QString text = reportDocument(content)->toPlainText();
            QVERIFY2(text.contains(content.title), qPrintable(text.left(200)));
            QVERIFY(text.contains(QStringLiteral("second line")));
            for (const MetricRow& metric : metricRegistry())
                if (const auto value = metric.value(content.context.evaluation);
                    metric.tile && appliesTo(metric, task) && value)
                    // Plain text has ordinary spaces for those that do not break.
                    QVERIFY2(text.contains(toQString(formatText(*value, metric.format)).replace(QChar(0x202F), u' ')),
                             std::string(metric.id).c_str());
            QVERIFY(text.contains(toQString(content.context.scenario.accelerator->name)));
            QVERIFY(text.contains(toQString(parameterRow(defaultSweepParameter(task), task)->label)));
            for (const std::string& source :
                 derive("mfu", content.context.scenario, content.context.evaluation).sources)
                QVERIFY2(text.contains(toQString(source)), source.c_str());
        }
    }

    void chartsOfTheTaskAreOnItAsVectors()
    {
        WindowFixture fixture;
        const QString path = fixture.folder.filePath(QStringLiteral("report.pdf"));
        const ReportContent content = contentOf(Scenario{});
        int charts = 0;
        for (const ChartRow& row : chartRegistry())
            charts += row.training ? 1 : 0;
        QCOMPARE(reportDocument(content)->toPlainText().count(QChar(QChar::ObjectReplacementCharacter)), charts);
        QCOMPARE(writeReport(content, path), QString());
        const std::string bytes = test::readFile(path.toStdString());
        QVERIFY(bytes.starts_with("%PDF"));
        QVERIFY(bytes.find("/Subtype /Image") == std::string::npos);
        std::size_t pages = 0;
        for (std::size_t at = bytes.find("/Type /Page\n"); at != std::string::npos;
             at = bytes.find("/Type /Page\n", at + 1))
            ++pages;
        QVERIFY2(pages >= 3 && pages <= 8, std::to_string(pages).c_str());
    }

    void reportsForLookingAt()
    {
        const QString folder = qEnvironmentVariable("HEADROOM_REPORTS");
        if (folder.isEmpty())
            return;
        for (const Task task : {Task::Training, Task::Inference}) {
            Scenario scenario;
            scenario.task = task;
            ReportContent content = contentOf(scenario);
            content.title.clear();
            scenario.training.microBatch = 4;
            scenario.inference.batch = 8;
            const PreparedScenario pinned = *prepare(scenario, Catalog::builtIn(), Calibration::builtIn());
            content.context.pins.push_back({'A', "other", pinned, evaluate(pinned)});
            const QString name = task == Task::Training ? QStringLiteral("training") : QStringLiteral("inference");
            QCOMPARE(writeReport(content, QStringLiteral("%1/report-%2.pdf").arg(folder, name)), QString());
        }
    }

    void pinsAreComparedOnIt()
    {
        ReportContent content = contentOf(Scenario{});
        QVERIFY(!reportDocument(content)->toPlainText().contains(QStringLiteral("Beside what is pinned")));
        Scenario other;
        other.training.microBatch = 4;
        const PreparedScenario pinned = *prepare(other, Catalog::builtIn(), Calibration::builtIn());
        content.context.pins.push_back({'A', "other", pinned, evaluate(pinned)});
        const QString text = reportDocument(content)->toPlainText();
        QVERIFY(text.contains(QStringLiteral("Beside what is pinned")));
        QVERIFY(text.contains(QStringLiteral("From A: Micro-batch")));
    }

    void whatIsCalibratedIsCalledSo()
    {
        Scenario scenario;
        QVERIFY(!reportDocument(contentOf(scenario))->toPlainText().contains(QStringLiteral("calibrated\n")));
        scenario.efficiency.matmul = 0.8;
        const QString text = reportDocument(contentOf(scenario))->toPlainText();
        QVERIFY2(text.contains(QStringLiteral("calibrated\n")), qPrintable(text));
        QVERIFY(text.contains(QStringLiteral("predicted\n"))); // memory, for one, does not move
        scenario.measured.stepTimeS = 100;
        QVERIFY(reportDocument(contentOf(scenario))->toPlainText().contains(QStringLiteral("measured\n")));
    }

    /// A share of the source's peak does not stand beside one of the device's.
    void measuredSharesAreOfTheDevicesPeak()
    {
        Scenario scenario;
        scenario.measured.stepTimeS = 100;
        const QString own = reportDocument(contentOf(scenario))->toPlainText();
        scenario.measured.peakTflops = 2 * evaluate(contentOf(scenario).context.scenario).peakFlops / 1e12;
        const QString text = reportDocument(contentOf(scenario))->toPlainText();
        QVERIFY2(text.contains(QStringLiteral("MFU, observed, of the device's own peak")), qPrintable(text));
        const auto shareIn = [](const QString& whole) {
            const QStringList lines = whole.split(u'\n');
            for (qsizetype i = 0; i + 1 < lines.size(); ++i)
                if (lines[i].startsWith(QStringLiteral("MFU, observed")))
                    return lines[i + 1];
            return QString();
        };
        QVERIFY(!shareIn(own).isEmpty());
        QCOMPARE(shareIn(text), shareIn(own));
    }

    void whatWasMeasuredElsewhereIsSaid()
    {
        ReportContent content = contentOf(Scenario{});
        content.measurement = QStringLiteral("Measured with tensor parallel 8: MFU 38 %.");
        QVERIFY(reportDocument(content)->toPlainText().contains(content.measurement));
    }

    void itsFileIsNamedAfterTheScenario()
    {
        class Asked final : public Dialogs
        {
        public:
            QString exportFile(QWidget*, const QString& name, const QString&, const QString&) override
            {
                suggested = name;
                return {};
            }
            QString openFile(QWidget*, const QString&) override { return {}; }
            QString saveFile(QWidget*, const QString&) override { return {}; }
            SaveAnswer askSave(QWidget*, const QString&) override { return SaveAnswer::Discard; }
            void showError(QWidget*, const QString&, const QString&) override {}
            void showAbout(QWidget*, const QString&, const QString&) override {}
            QString suggested;
        } asked;
        WindowFixture fixture;
        Scenario scenario = fixture.session.store.scenario();
        scenario.name = "Llama 3.1 8B, 4 of 8";
        for (const QString& path : {QString(), fixture.folder.filePath(QStringLiteral("v1.2 draft.headroom"))}) {
            fixture.session.store.setDocument(scenario, path);
            WindowFixture::settle();
            exportReport(fixture.session.recalculator, {}, fixture.settings, asked, fixture.window.get());
            QVERIFY2(asked.suggested.endsWith(path.isEmpty() ? u"Llama 3.1 8B, 4 of 8.pdf" : u"v1.2 draft.pdf"),
                     qPrintable(asked.suggested));
        }
    }

    void theFileMenuWritesItAndAFailureIsTold()
    {
        WindowFixture fixture;
        fixture.dialogs.path = fixture.folder.filePath(QStringLiteral("report.pdf"));
        fixture.part<Actions>()[ActionId::ExportReport]->trigger();
        QVERIFY(test::readFile(fixture.dialogs.path.toStdString()).starts_with("%PDF"));
        QVERIFY(fixture.dialogs.errors.isEmpty());
        fixture.dialogs.path = fixture.folder.filePath(QStringLiteral("none/report.pdf"));
        fixture.part<Actions>()[ActionId::ExportReport]->trigger();
        QCOMPARE(fixture.dialogs.errors.size(), 1);
        // The last good result is not what stands on the screen.
        fixture.session.store.setParameter(0, *parameterRow("tensor"), 3);
        WindowFixture::settle();
        fixture.dialogs.path = fixture.folder.filePath(QStringLiteral("refused.pdf"));
        fixture.part<Actions>()[ActionId::ExportReport]->trigger();
        QCOMPARE(fixture.dialogs.errors.size(), 2);
        QVERIFY(!QFileInfo::exists(fixture.dialogs.path));
    }
};
HEADROOM_TEST_WITH(QApplication, TestReport)

} // namespace headroom::ui::test_report
#include "test_report.moc"
