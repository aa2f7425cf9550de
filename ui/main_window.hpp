// SPDX-License-Identifier: GPL-3.0-or-later
// MainWindow: puts the panels, the pages and the commands together over a session; each of them does its own work.
#pragma once

#include <QMainWindow>

namespace headroom::ui
{

class Actions;
class DashboardPage;
class ExplanationPanel;
class Explainer;
class HelpController;
class LessonCard;
class MessageBar;
class MetricTiles;
class Navigator;
class ParameterPanel;
class ScenarioMessages;
class SidePanel;
class StatusLine;
class ViewsController;
class Welcome;
class Workspace;
struct Session;

class MainWindow final : public QMainWindow
{
    Q_OBJECT

public:
    /// The session outlives the window.
    explicit MainWindow(Session& session, QWidget* parent = nullptr);
    ~MainWindow() override;

    [[nodiscard]] Navigator& pages() { return *m_pages; }
    [[nodiscard]] ViewsController& views() { return *m_views; }

    /// Window size and panels as they were left, the first time no larger than the screen; not in tests and pictures.
    void restoreLayout();
    /// The four doors over the filled window; the first start shows them once.
    void showWelcome();

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void buildCentre();
    void connectDocument();
    void connectPanels();
    void connectPages();
    void connectCommands();
    void connectViewCommands();
    void connectHelpCommands();
    void showPage();
    void showResult();
    void updateTitle();
    /// In the status line, for a while; empty clears it.
    void tell(const QString& words, int milliseconds = 0);
    void showMeasureGuide();
    void showPreferences();

    Session& m_session;
    Actions* m_actions;
    ParameterPanel* m_parameters = nullptr;
    MetricTiles* m_tiles = nullptr;
    MessageBar* m_messageBar = nullptr;
    Navigator* m_pages = nullptr;
    DashboardPage* m_dashboard = nullptr;
    ExplanationPanel* m_explanation = nullptr;
    Explainer* m_explainer = nullptr;
    ScenarioMessages* m_messages = nullptr;
    LessonCard* m_lessonCard = nullptr;
    SidePanel* m_side = nullptr;
    Workspace* m_workspace = nullptr;
    StatusLine* m_status = nullptr;
    ViewsController* m_views = nullptr;
    HelpController* m_help = nullptr;
    Welcome* m_welcome = nullptr;
};

} // namespace headroom::ui
