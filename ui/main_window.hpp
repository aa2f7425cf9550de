// SPDX-License-Identifier: GPL-3.0-or-later
// MainWindow: puts the panels, the page and the actions together; each of them does its own work.
#pragma once

#include "ui/catalog/catalog_editor.hpp"
#include "ui/commands/actions.hpp"
#include "ui/document/catalog_library.hpp"
#include "ui/document/document_controller.hpp"
#include "ui/document/recalculator.hpp"
#include "ui/document/run_controller.hpp"
#include "ui/document/scenario_store.hpp"

#include <QMainWindow>
#include <QTimer>

namespace headroom::ui
{

class Appearance;
class DashboardPage;
class ExplanationPanel;
class LessonCard;
class LessonPlayer;
class MessageBar;
class MetricTiles;
class PageStack;
class ParameterPanel;
class Settings;
class SidePanel;
class StatusLine;
class Workspace;

/// What the window is given by whoever starts it.
struct Services {
    Settings& settings;
    Dialogs& dialogs;
    Appearance& appearance;
    QString catalogFolder = {}; ///< the user's own entries; empty = built-in ones alone
};

class MainWindow final : public QMainWindow
{
    Q_OBJECT

public:
    explicit MainWindow(const Services& services, QWidget* parent = nullptr);
    ~MainWindow() override;

    [[nodiscard]] const Services& services() const { return m_services; }
    [[nodiscard]] ScenarioStore& store() { return m_store; }
    [[nodiscard]] Recalculator& recalculator() { return m_recalculator; }
    [[nodiscard]] RunLibrary& runLibrary() { return m_runLibrary; }
    [[nodiscard]] RunController& runs() { return m_runs; }
    [[nodiscard]] CatalogLibrary& library() { return m_library; }
    [[nodiscard]] CatalogEditor& catalogEditor() { return m_editor; }
    [[nodiscard]] DocumentController& documents() { return m_documents; }
    [[nodiscard]] Actions& actions() { return *m_actions; }
    [[nodiscard]] ParameterPanel& parameters() { return *m_parameters; }
    [[nodiscard]] MetricTiles& tiles() { return *m_tiles; }
    [[nodiscard]] PageStack& pages() { return *m_pages; }
    [[nodiscard]] DashboardPage& dashboard() { return *m_dashboard; }
    [[nodiscard]] ExplanationPanel& explanation() { return *m_explanation; }
    [[nodiscard]] MessageBar& messages() { return *m_messages; }
    [[nodiscard]] LessonPlayer& lessons() { return *m_lessons; }
    [[nodiscard]] LessonCard& lessonCard() { return *m_lessonCard; }
    [[nodiscard]] SidePanel& side() { return *m_side; }

    /// Explains a metric, with or without a tile; empty: the chosen tile's.
    void explainMetric(const QString& metricId);

    /// Window size and panels as they were left, the first time no larger than the screen; not in tests and pictures.
    void restoreLayout();

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void fitScreen();
    void buildCentre();
    void connectDocument();
    void connectPanels();
    void connectView();
    void connectRuns();
    void connectCatalog();
    void showPage();
    void showResult();
    void showExplanation();
    void showMessage();
    void updateTitle();

    Services m_services;
    ScenarioStore m_store;
    CatalogLibrary m_library;
    Recalculator m_recalculator;
    RunLibrary m_runLibrary;
    RunController m_runs;
    DocumentController m_documents;
    CatalogEditor m_editor;
    Actions* m_actions;
    LessonPlayer* m_lessons;
    LessonCard* m_lessonCard = nullptr;
    SidePanel* m_side = nullptr;
    ParameterPanel* m_parameters = nullptr;
    MetricTiles* m_tiles = nullptr;
    PageStack* m_pages = nullptr;
    DashboardPage* m_dashboard = nullptr;
    ExplanationPanel* m_explanation = nullptr;
    MessageBar* m_messages = nullptr;
    StatusLine* m_status = nullptr;
    Workspace* m_workspace = nullptr;
    QString m_explained; ///< a metric without a tile that is explained; empty = the chosen tile's
    QTimer m_messageTimer;
};

} // namespace headroom::ui
