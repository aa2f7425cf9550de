// SPDX-License-Identifier: GPL-3.0-or-later
// A symbol of the explanation and the slider behind it point at each other in the real window.
#include "tests/support/program.hpp"
#include "tests/support/window_fixture.hpp"
#include "ui/panels/explanation.hpp"
#include "ui/parameters/parameter_panel.hpp"
#include "ui/theme/theme.hpp"

#include <QTextBlock>
#include <QTextBrowser>

namespace headroom::ui::test_symbols
{

using headroom::test::WindowFixture;

class TestSymbols final : public QObject
{
    Q_OBJECT

    /// Where the explanation shows the value of a parameter, in pixels of its viewport; null when it does not.
    static QPoint placeOf(const QTextBrowser& browser, const QString& link)
    {
        const QRect room = browser.viewport()->rect();
        for (int y = 2; y < room.height(); y += 3)
            for (int x = room.width() - 4; x > 0; x -= 4)
                if (browser.anchorAt({x, y}) == link)
                    return {x, y};
        return {};
    }

private slots:
    void aSymbolMarksItsSlider()
    {
        WindowFixture fixture;
        auto* browser = fixture.part<ExplanationPanel>().findChild<QTextBrowser*>();
        ParameterRowWidget* row = fixture.part<ParameterPanel>().rowWidget(QStringLiteral("micro_batch"));
        const QPoint symbol = placeOf(*browser, QStringLiteral("param:micro_batch"));
        QVERIFY(!symbol.isNull());
        const QImage plain = row->grab().toImage();
        QTest::mouseMove(browser->viewport(), symbol);
        WindowFixture::settle();
        QVERIFY(row->grab().toImage() != plain);
        QTest::mouseMove(browser->viewport(), QPoint(3, 3));
        WindowFixture::settle();
        QCOMPARE(row->grab().toImage(), plain);
    }

    void aClickOnASymbolTakesTheKeyboardToItsSlider()
    {
        WindowFixture fixture;
        auto* browser = fixture.part<ExplanationPanel>().findChild<QTextBrowser*>();
        const QPoint symbol = placeOf(*browser, QStringLiteral("param:micro_batch"));
        QVERIFY(!symbol.isNull());
        QTest::mouseClick(browser->viewport(), Qt::LeftButton, {}, symbol);
        QVERIFY(fixture.part<ParameterPanel>().focusedParameter());
        QCOMPARE(fixture.part<ParameterPanel>().focusedParameter()->id, std::string_view("micro_batch"));
    }

    void aSliderMarksItsSymbol()
    {
        WindowFixture fixture;
        auto* browser = fixture.part<ExplanationPanel>().findChild<QTextBrowser*>();
        ParameterRowWidget* row = fixture.part<ParameterPanel>().rowWidget(QStringLiteral("micro_batch"));
        // Advice has a ground of another colour, and comes when it comes.
        const Theme& theme = themeOf(browser->palette());
        const QString ground = QStringLiteral("bgcolor=\"%1\"").arg(theme.tint(theme.accent).name());
        const auto marked = [&] { return browser->toHtml().contains(ground); };
        QVERIFY(!marked());
        QEnterEvent enter(QPointF(5, 5), QPointF(5, 5), QPointF(row->mapToGlobal(QPoint(5, 5))));
        QCoreApplication::sendEvent(row, &enter);
        QTRY_VERIFY(marked());
        QEvent leave(QEvent::Leave);
        QCoreApplication::sendEvent(row, &leave);
        QTRY_VERIFY(!marked());
    }

    /// A value wider than its column breaks before its unit: 4,608 sequences ended a line with "4,".
    void aWideValueBreaksBeforeItsUnit()
    {
        WindowFixture fixture({1366, 768});
        Scenario serving;
        serving.task = Task::Inference;
        serving.model.id = "llama-3.1-8b";
        serving.accelerator.id = "h100-sxm-80gb";
        serving.inference.promptTokens = 32;
        serving.inference.outputTokens = 16;
        serving.inference.batch = 4608;
        fixture.session.store.replace(QStringLiteral("serve"), serving);
        auto* browser = fixture.part<ExplanationPanel>().findChild<QTextBrowser*>();
        const auto lines = [browser] {
            QStringList list;
            for (QTextBlock block = browser->document()->begin(); block.isValid(); block = block.next())
                for (int i = 0; i < block.layout()->lineCount(); ++i) {
                    const QTextLine line = block.layout()->lineAt(i);
                    list << block.text().mid(line.textStart(), line.textLength()).trimmed();
                }
            return list;
        };
        QTRY_VERIFY2(lines().contains(QStringLiteral("4,608")), qPrintable(lines().join(u'|')));
    }
};
HEADROOM_TEST_WITH(QApplication, TestSymbols)

} // namespace headroom::ui::test_symbols
#include "test_symbols.moc"
