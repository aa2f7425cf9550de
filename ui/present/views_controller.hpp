// SPDX-License-Identifier: GPL-3.0-or-later
// ViewsController: the saved views of a talk between their dialog, their files and their PDF, with questions and
// errors.
#pragma once

#include "ui/present/presenter.hpp"

namespace headroom::ui
{

class ViewsDialog;

class ViewsController final : public QObject
{
    Q_OBJECT

public:
    /// `present` is the command that the dialog offers, too.
    ViewsController(Session& session, const DashboardPage& dashboard, QAction* present, QWidget* window);

    [[nodiscard]] Presenter& presenter() { return m_presenter; }
    /// The saved views, to be changed.
    void show();
    /// Takes the views of a file in place of the saved ones, one undo step; what is wrong with it is told.
    bool open(const QString& path);
    /// Asks where to and writes them as a PDF, the scenario in hand where there are none.
    void exportPdf();
    /// Whether a file is named as the views of a talk are.
    [[nodiscard]] static bool isViewsFile(const QString& path);

private:
    void askAndOpen();
    void save();
    [[nodiscard]] QString askWhere(const QString& name, const QString& title, const QString& filters);
    void tell(const QString& path, const QString& error, const QString& failure);

    Session& m_session;
    QWidget* m_window;
    QAction* m_present;
    Presenter& m_presenter; ///< a child of the window
    ViewsDialog* m_dialog = nullptr;
};

} // namespace headroom::ui
