// SPDX-License-Identifier: GPL-3.0-or-later
// Presenter: begins and ends a presentation for a window, and carries what is to be kept from the stage back to it.
#pragma once

#include "ui/present/stage.hpp"
#include "ui/present/view_library.hpp"

#include <QObject>
#include <QPointer>

namespace headroom::ui
{

class DashboardPage;
struct Session;

class Presenter final : public QObject
{
    Q_OBJECT

public:
    /// Begins from the window, its session and its dashboard's charts, and comes back to them; a child of the window.
    Presenter(Session& session, const DashboardPage& dashboard, QWidget* window);
    ~Presenter() override;

    /// What scenarios of views may name.
    [[nodiscard]] const Catalog& catalog() const;
    /// The saved views.
    [[nodiscard]] ViewLibrary& library() { return m_library; }
    /// The scenario in hand as a view: the dashboard's first charts, its axis, its heat map and the pins.
    [[nodiscard]] StageView present() const;
    /// The stage, not yet on the screen (pictures).
    [[nodiscard]] std::unique_ptr<Stage> makeStage(std::vector<StageView> views, QWidget* parent) const;
    /// Full screen, from the first of the saved views; the scenario in hand where there are none.
    void presentViews();
    /// Full screen, the scenario in hand alone.
    void presentCurrent() { begin({present()}); }
    /// Full screen, from the first of these.
    void begin(std::vector<StageView> views);
    /// Takes a view's scenario in hand, one undo step, drawn as the view draws it.
    void use(const StageView& view);
    /// Back to the window as it was.
    void leave();
    /// Null while nothing is presented.
    [[nodiscard]] Stage* stage() const { return m_stage; }

signals:
    void began();
    void left();

private:
    void keep();
    void store();

    Session& m_session;
    const DashboardPage& m_dashboard;
    QWidget& m_window;
    ViewLibrary m_library;
    bool m_saved = false; ///< the stage shows the saved views, one by one
    QPointer<Stage> m_stage;
    QPointer<QWidget> m_focus; ///< what had the keyboard
};

} // namespace headroom::ui
