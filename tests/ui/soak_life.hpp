// SPDX-License-Identifier: GPL-3.0-or-later
// A window in random use (test_soak.cpp): what the hand does, and what is there when it rests.
#pragma once

#include "tests/support/memory_use.hpp"
#include "tests/support/support.hpp"
#include "tests/support/window_fixture.hpp"
#include "ui/base/text.hpp"
#include "ui/catalog/catalog_editor.hpp"
#include "ui/charts/chart_view.hpp"
#include "ui/commands/actions.hpp"
#include "ui/document/autosave.hpp"
#include "ui/learn/lesson_player.hpp"
#include "ui/pages/dashboard.hpp"
#include "ui/pages/navigator.hpp"
#include "ui/pages/page_registry.hpp"
#include "ui/parameters/parameter_panel.hpp"
#include "ui/settings/language.hpp"
#include "ui/widgets/log_slider.hpp"

#include <QDialog>
#include <QMenu>
#include <QPixmapCache>
#include <QStackedWidget>
#include <QTimer>
#include <QWheelEvent>
#include <numeric>
#include <random>

namespace headroom::test
{

using namespace headroom::ui;

/// What is there when the window rests as it began.
struct Rest {
    QMap<QByteArray, qsizetype> objects; ///< of each class, in the window and beside it
    MemoryUse memory;

    [[nodiscard]] qsizetype count() const { return std::accumulate(objects.begin(), objects.end(), qsizetype(0)); }
};

inline QString toText(const Rest& rest)
{
    return QStringLiteral("%1 objects, heap %2 MiB, resident %3 MiB")
        .arg(rest.count())
        .arg(double(rest.memory.heap) / (1 << 20), 0, 'f', 1)
        .arg(double(rest.memory.resident) / (1 << 20), 0, 'f', 1);
}

/// One window in use, and the hand that uses it.
class Life
{
public:
    Life(std::mt19937& random, const QString& language) : m_random(random), m_language(language)
    {
        m_fixture = std::make_unique<WindowFixture>();
        m_autosave =
            std::make_unique<Autosave>(session().store, m_fixture->folder.filePath(QStringLiteral("autosave")));
        // Menus and dialogs that wait for an answer get none.
        m_impatient.setInterval(20);
        QObject::connect(&m_impatient, &QTimer::timeout, &m_impatient, [] {
            if (QWidget* popup = QApplication::activePopupWidget())
                popup->close();
            else if (QWidget* modal = QApplication::activeModalWidget())
                modal->close();
        });
        m_impatient.start();
        test::writtenFile(place("log.csv"), "name,micro_batch,step_time_s\none,1,3.0\ntwo,2,5.5\n");
        test::writtenFile(place("damaged.headroom"), "{\"format\": \"headroom-scenario\", \"model\": [[[");
    }

    /// What is made on first use is there afterwards: each page, each row of a parameter, each command
    /// and each menu's entries once.
    void warmUp()
    {
        for (const PageRow& row : pageRegistry()) {
            window().pages().show(QLatin1String(row.id));
            WindowFixture::settle();
        }
        for (const ParameterRow& row : parameterRegistry())
            (void)window().findChild<ParameterPanel*>()->rowWidget(toQString(row.id));
        for (int id = 0; id < static_cast<int>(ActionId::Count); ++id)
            trigger(static_cast<ActionId>(id));
        for (QMenu* menu : window().findChildren<QMenu*>())
            emit menu->aboutToShow();
    }

    using Gesture = std::pair<const char*, void (Life::*)()>;
    static const std::vector<Gesture>& gestures();

    void perform(const Gesture& gesture)
    {
        (this->*gesture.second)();
        WindowFixture::settle();
    }

    /// Back to how it began: everything closed, the first example, the dashboard in its first look.
    Rest rest()
    {
        for (int i = 0; i < 3; ++i) {
            for (QWidget* top : QApplication::topLevelWidgets())
                if (top != &window() && top->isVisible())
                    top->close();
            WindowFixture::settle();
        }
        if (session().lessons.isPlaying())
            session().lessons.leave();
        if (!window().isVisible())
            window().show();
        forgetRuns();
        session().store.clearPins();
        session().documents.loadFirst();
        session().store.setHeld(false);
        m_fixture->appearance.setTheme(ThemeKind::Light);
        m_fixture->appearance.setTypeScale(1);
        window().resize(1600, 900);
        // Hidden pages keep the pictures of their charts in the size in which they were last shown.
        for (const PageRow& row : pageRegistry()) {
            window().pages().show(QLatin1String(row.id));
            WindowFixture::settle();
        }
        window().pages().show(QStringLiteral("dashboard"));
        WindowFixture::settle();
        session().recalculator.flush();
        m_autosave->flush();
        m_fixture->dialogs.errors.clear();
        m_fixture->dialogs.offered.clear();
        QTest::qWait(300); // what waits until the hand rests: explanation, status, saved views
        WindowFixture::settle();
        QPixmapCache::clear();
        Rest rest;
        for (QWidget* top : QApplication::topLevelWidgets()) {
            ++rest.objects[top->metaObject()->className()];
            if (!top->parent()) // what has one is found there
                for (const QObject* object : top->findChildren<QObject*>())
                    ++rest.objects[object->metaObject()->className()];
        }
        rest.memory = test::memoryUse();
        return rest;
    }

private:
    MainWindow& window() { return *m_fixture->window; }
    Session& session() { return m_fixture->session; }
    int below(int count) { return std::uniform_int_distribution<int>(0, std::max(0, count - 1))(m_random); }
    QString place(const char* name) { return m_fixture->folder.filePath(QLatin1String(name)); }
    template <typename Value>
    const Value& anyOf(const std::vector<Value>& values)
    {
        return values[static_cast<std::size_t>(below(static_cast<int>(values.size())))];
    }

    void drag()
    {
        std::vector<LogSlider*> sliders;
        for (LogSlider* slider : window().findChildren<LogSlider*>())
            if (slider->isVisible() && slider->isEnabled())
                sliders.push_back(slider);
        if (sliders.empty())
            return;
        QPointer<LogSlider> slider = anyOf(sliders);
        emit slider->gestureStarted();
        for (int i = below(12); i >= 0 && slider; --i) {
            const double low = slider->scale().minimum(), high = slider->scale().maximum();
            emit slider->valueMoved(low + (high - low) * std::pow(below(1000) / 1000.0, 3));
            QCoreApplication::processEvents();
        }
        if (slider)
            emit slider->gestureFinished();
    }
    void undoAndRedo()
    {
        for (int i = below(8); i >= 0; --i)
            m_fixture->part<Actions>()[below(3) ? ActionId::Undo : ActionId::Redo]->trigger();
    }
    void page() { window().pages().show(QLatin1String(anyOf(pageRegistry()).id)); }
    void look()
    {
        static const std::vector<ThemeKind> themes{ThemeKind::Light, ThemeKind::Dark, ThemeKind::HighContrast,
                                                   ThemeKind::HighContrastDark};
        static const std::vector<double> scales{0.8, 1.0, 1.25, 1.5};
        m_fixture->appearance.setTheme(anyOf(themes));
        m_fixture->appearance.setTypeScale(anyOf(scales));
        m_fixture->appearance.setUnit(below(2) ? MemoryUnit::Gibibyte : MemoryUnit::Gigabyte);
    }
    void size() { window().resize(1000 + below(1000), 700 + below(500)); }
    void example() { session().documents.openExample(anyOf(session().documents.examples())); }
    void saveAndOpen()
    {
        m_fixture->dialogs.path = m_fixture->folder.filePath(QStringLiteral("%1.headroom").arg(below(4)));
        m_fixture->part<Actions>()[ActionId::SaveAs]->trigger();
        session().store.setParameter(0, *parameterRow("micro_batch"), 1 + below(16));
        m_fixture->part<Actions>()[ActionId::Save]->trigger();
        m_fixture->part<Actions>()[ActionId::Open]->trigger();
        m_fixture->dialogs.path = place("damaged.headroom");
        m_fixture->part<Actions>()[ActionId::Open]->trigger();
    }
    void pins()
    {
        m_fixture->part<Actions>()[ActionId::Pin]->trigger();
        session().store.swapWithPin('A');
        if (below(2))
            m_fixture->part<Actions>()[ActionId::ClearPins]->trigger();
    }
    void command() { trigger(static_cast<ActionId>(below(static_cast<int>(ActionId::Count)))); }
    void trigger(ActionId id)
    {
        if (id == ActionId::Quit)
            return;
        m_fixture->dialogs.path = place("command.out");
        m_fixture->part<Actions>()[id]->trigger();
        WindowFixture::settle();
        QTest::keyClick(anyTop(), Qt::Key_Escape);
    }
    void present()
    {
        m_fixture->part<Actions>()[ActionId::PresentThis]->trigger();
        WindowFixture::settle();
        for (const Qt::Key key : {Qt::Key_Right, Qt::Key_Tab, Qt::Key_Right, Qt::Key_B, Qt::Key_B, Qt::Key_L})
            QTest::keyClick(anyTop(), key);
        WindowFixture::settle();
        QTest::keyClick(anyTop(), Qt::Key_Escape);
    }
    void lesson()
    {
        if (session().lessons.isPlaying())
            session().lessons.leave();
        else
            session().lessons.start(toQString(anyOf(session().lessons.lessons()).id));
    }
    void forgetRuns()
    {
        std::vector<std::size_t> all(session().runLibrary.own().size());
        std::iota(all.begin(), all.end(), std::size_t{0});
        session().runLibrary.remove(all);
    }
    void runs()
    {
        m_fixture->dialogs.path = place("log.csv");
        m_fixture->part<Actions>()[ActionId::ImportRuns]->trigger();
        m_fixture->part<Actions>()[ActionId::Calibrate]->trigger();
        forgetRuns();
    }
    void exports()
    {
        m_fixture->dialogs.path = place("report.pdf");
        m_fixture->part<Actions>()[ActionId::ExportReport]->trigger();
        m_fixture->dialogs.path = place("chart.svg");
        m_fixture->part<Actions>()[ActionId::ExportChart]->trigger();
    }
    void catalogue()
    {
        Accelerator own = *Catalog::builtIn().accelerator("h100-sxm-80gb");
        own.id = "soak-" + std::to_string(below(3));
        own.name = own.id;
        own.aliases.clear();
        if (below(2))
            (void)session().library.save(own);
        else
            (void)session().library.removeAccelerator(own.id);
    }
    void click()
    {
        const QPoint at(below(window().width()), below(window().height()));
        QWidget* child = window().childAt(at);
        if (child && child->isEnabled())
            QTest::mouseClick(child, below(8) ? Qt::LeftButton : Qt::RightButton, {}, child->mapFrom(&window(), at));
    }
    void hover()
    {
        for (ChartView* chart : window().findChildren<ChartView*>())
            if (chart->isVisible()) {
                const QPoint at(below(chart->width()), below(chart->height()));
                QTest::mouseMove(chart, at);
                QWheelEvent wheel(at, chart->mapToGlobal(at), {}, {0, below(2) ? 120 : -120}, {}, {}, Qt::NoScrollPhase,
                                  false);
                QCoreApplication::sendEvent(chart, &wheel);
            }
    }
    void keys()
    {
        static const std::vector<Qt::Key> some{Qt::Key_Tab,  Qt::Key_Backtab, Qt::Key_Left, Qt::Key_Right,
                                               Qt::Key_Up,   Qt::Key_Down,    Qt::Key_5,    Qt::Key_Space,
                                               Qt::Key_Home, Qt::Key_End,     Qt::Key_F1,   Qt::Key_Escape};
        for (int i = below(20); i >= 0; --i)
            QTest::keyClick(anyTop(), anyOf(some));
        QTest::keyClick(anyTop(), Qt::Key_Escape);
    }

    /// Where a key would go.
    QWidget* anyTop()
    {
        QWidget* active = QApplication::activeWindow();
        QWidget* focus = QApplication::focusWidget();
        return focus ? focus : active ? active : &window();
    }

    std::mt19937& m_random;
    Language m_language;
    std::unique_ptr<WindowFixture> m_fixture;
    std::unique_ptr<Autosave> m_autosave;
    QTimer m_impatient;
};

inline const std::vector<Life::Gesture>& Life::gestures()
{
    static const std::vector<Gesture> all{{"drag", &Life::drag},        {"undo and redo", &Life::undoAndRedo},
                                          {"page", &Life::page},        {"look", &Life::look},
                                          {"size", &Life::size},        {"example", &Life::example},
                                          {"save", &Life::saveAndOpen}, {"pins", &Life::pins},
                                          {"command", &Life::command},  {"present", &Life::present},
                                          {"lesson", &Life::lesson},    {"runs", &Life::runs},
                                          {"exports", &Life::exports},  {"catalogue", &Life::catalogue},
                                          {"click", &Life::click},      {"hover", &Life::hover},
                                          {"keys", &Life::keys}};
    return all;
}

} // namespace headroom::test
