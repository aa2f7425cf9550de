// SPDX-License-Identifier: GPL-3.0-or-later
// Other desktops: decimal commas, other digits, writing from right to left.
#include "core/scenario/scenario_json.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"
#include "tests/support/window_fixture.hpp"
#include "ui/base/text.hpp"
#include "ui/charts/chart_view.hpp"
#include "ui/commands/actions.hpp"
#include "ui/pages/dashboard.hpp"
#include "ui/panels/explanation.hpp"
#include "ui/parameters/parameter_panel.hpp"
#include "ui/widgets/local_number.hpp"

#include <QInputMethodEvent>

Q_DECLARE_METATYPE(QLocale)

namespace headroom::ui::test_locale
{

using headroom::test::WindowFixture;

class TestLocale : public QObject
{
    Q_OBJECT

    static double typed(WindowFixture& fixture, const char* id, const QString& text)
    {
        fixture.part<ParameterPanel>().focusRow(QLatin1String(id));
        ParameterRowWidget* row = fixture.part<ParameterPanel>().rowWidget(QLatin1String(id));
        row->box()->setFocus();
        row->box()->selectAll();
        QInputMethodEvent written; // as an input method writes: keyClicks() knows Latin letters alone
        written.setCommitString(text);
        QCoreApplication::sendEvent(row->box(), &written);
        QTest::keyClick(row->box(), Qt::Key_Return);
        return row->row().get(fixture.session.store.scenario());
    }

private slots:
    void cleanup()
    {
        QLocale::setDefault(QLocale::c());
        QApplication::setLayoutDirection(Qt::LeftToRight);
    }

    void numbersAsTheyAreTyped_data()
    {
        QTest::addColumn<QLocale>("locale");
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("whole");
        QTest::addColumn<QString>("plain");
        const QLocale german(QLocale::German), english(QLocale::English), arabic(QLocale::Arabic, QLocale::Egypt);
        const auto row = [](const QLocale& locale, const char16_t* text, bool whole, const char16_t* plain) {
            QTest::newRow(qPrintable(locale.name() + u' ' + QString::fromUtf16(text)))
                << locale << QString::fromUtf16(text) << whole << QString::fromUtf16(plain);
        };
        row(german, u"2,5", false, u"2.5");
        row(german, u"2.5", false, u"2.5"); // as the program prints it
        row(german, u"1.024,5", false, u"1024.5");
        row(german, u"0,9 %", false, u"0.9 %");
        row(german, u"1,5M", true, u"1.5M");
        row(german, u"1,024", true, u"1,024");
        row(german, u"1,024 tokens", true, u"1,024 tokens");
        row(german, u"4.096", true, u"4096"); // three digits behind a point are a group there
        row(german, u"1.048.576 Token", true, u"1048576 Token");
        row(german, u"4.096k", true, u"4.096k");
        row(german, u"0.125", true, u"0.125");
        row(german, u"1.5", true, u"1.5");
        row(german, u"1.024", false, u"1.024");
        row(english, u"4.096", true, u"4.096");
        row(german, u"1,024", false, u"1.024");
        row(german, u"1,048,576", true, u"1,048,576");
        row(english, u"1,024", false, u"1,024");
        row(english, u"2.5", false, u"2.5");
        row(arabic, u"٢٫٥", false, u"2.5");
        row(arabic, u"١٬٠٢٤", true, u"1024");
    }

    void numbersAsTheyAreTyped()
    {
        QFETCH(const QLocale, locale);
        QFETCH(const QString, text);
        QFETCH(const bool, whole);
        QFETCH(const QString, plain);
        QCOMPARE(plainNumber(text, locale, whole), plain);
    }

    void aDecimalCommaInAValueBox()
    {
        QLocale::setDefault(QLocale(QLocale::German));
        WindowFixture fixture;
        QCOMPARE(typed(fixture, "price_per_gpu_hour", QStringLiteral("2,5")), 2.5);
        QCOMPARE(typed(fixture, "price_per_gpu_hour", QStringLiteral("3.25")), 3.25);
        QCOMPARE(typed(fixture, "sequence_length", QStringLiteral("4k")), 4096.0);
        QCOMPARE(typed(fixture, "sequence_length", QStringLiteral("8.192")), 8192.0);
    }

    void arabicDigitsInAValueBox()
    {
        QLocale::setDefault(QLocale(QLocale::Arabic, QLocale::Egypt));
        WindowFixture fixture;
        QCOMPARE(typed(fixture, "micro_batch", QString::fromUtf16(u"٣٧")), 37.0);
    }

    void filesAndFiguresAreTheSameEverywhere()
    {
        QByteArray files[3];
        QString texts[3];
        const QLocale locales[] = {QLocale::c(), QLocale(QLocale::German), QLocale(QLocale::Arabic, QLocale::Egypt)};
        for (int i = 0; i < 3; ++i) {
            QLocale::setDefault(locales[i]);
            WindowFixture fixture;
            fixture.session.store.setParameter(0, *parameterRow("micro_batch"), 1024);
            fixture.session.store.setParameter(0, *parameterRow("price_per_gpu_hour"), 2.5);
            fixture.session.recalculator.flush();
            fixture.dialogs.path = fixture.folder.filePath(QStringLiteral("same.headroom"));
            QVERIFY(fixture.session.documents.saveAs());
            files[i] = QByteArray::fromStdString(test::readFile(toUtf8(fixture.dialogs.path)));
            texts[i] = fixture.part<ExplanationPanel>().text();
        }
        QVERIFY(files[0].contains("2.5"));
        QCOMPARE(files[1], files[0]);
        QCOMPARE(files[2], files[0]);
        QCOMPARE(texts[1], texts[0]);
        QCOMPARE(texts[2], texts[0]);
    }

    void rightToLeftMirrorsThePanelsAndNoChart()
    {
        QImage pictures[2];
        int parameters[2], explanation[2];
        for (const bool mirrored : {false, true}) {
            QApplication::setLayoutDirection(mirrored ? Qt::RightToLeft : Qt::LeftToRight);
            WindowFixture fixture;
            const QWidget* window = fixture.window.get();
            parameters[mirrored] = fixture.part<ParameterPanel>().mapTo(window, QPoint()).x();
            explanation[mirrored] = fixture.part<ExplanationPanel>().mapTo(window, QPoint()).x();
            ChartView* chart = fixture.part<DashboardPage>().charts().front();
            chart->setFixedSize(420, 300);
            WindowFixture::settle();
            pictures[mirrored] = chart->grab().toImage();
        }
        QVERIFY(parameters[0] < explanation[0]);
        QVERIFY(parameters[1] > explanation[1]);
        QVERIFY(!pictures[0].isNull());
        QCOMPARE(pictures[1], pictures[0]);
    }

    void slidersGrowToTheRightAsTheChartsDo()
    {
        QApplication::setLayoutDirection(Qt::RightToLeft);
        WindowFixture fixture;
        LogSlider* slider = fixture.part<ParameterPanel>().rowWidget(QStringLiteral("micro_batch"))->slider();
        QVERIFY(slider->pointOf(64).x() > slider->pointOf(2).x());
        QTest::mouseClick(slider, Qt::LeftButton, {}, slider->pointOf(64));
        QCOMPARE(fixture.session.store.scenario().training.microBatch, 64);
        QTest::keyClick(slider, Qt::Key_Right);
        QVERIFY(fixture.session.store.scenario().training.microBatch > 64);
    }

    void theDrawerOpensOnTheReadersFarSide()
    {
        QApplication::setLayoutDirection(Qt::RightToLeft);
        WindowFixture fixture({1142, 724});
        fixture.part<Actions>()[ActionId::Explanation]->trigger();
        WindowFixture::settle();
        QVERIFY(fixture.part<ExplanationPanel>().isVisible());
        QVERIFY(fixture.part<ExplanationPanel>().geometry().left() < 100);
    }
};
HEADROOM_TEST_WITH(QApplication, TestLocale)

} // namespace headroom::ui::test_locale
#include "test_locale.moc"
