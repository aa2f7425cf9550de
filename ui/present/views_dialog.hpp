// SPDX-License-Identifier: GPL-3.0-or-later
// ViewsDialog: the views of the talk in a list, the chosen one beside it; open, save, export, present.
#pragma once

#include <QDialog>

class QLabel;
class QListWidget;
class QPushButton;
class QStackedWidget;

namespace headroom::ui
{

class Presenter;
class ViewForm;
class ViewLibrary;

class ViewsDialog final : public QDialog
{
    Q_OBJECT

public:
    ViewsDialog(ViewLibrary& library, Presenter& presenter, QWidget* parent);

    [[nodiscard]] ViewForm* form() const { return m_form; }
    [[nodiscard]] QListWidget* list() const { return m_list; }
    /// The chosen view; −1 where there is none.
    [[nodiscard]] int current() const;
    void add();
    void remove();
    void move(int by);

signals:
    void openRequested();
    void saveRequested();
    void exportRequested();
    void presentRequested();

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void build();
    void refresh();
    void showCurrent();

    ViewLibrary& m_library;
    Presenter& m_presenter;
    QListWidget* m_list;
    QStackedWidget* m_right;
    ViewForm* m_form;
    QLabel* m_problem;
    QPushButton *m_add, *m_up, *m_down, *m_delete, *m_undo, *m_save, *m_export, *m_present;
    int m_gesture = 0;
    QString m_typed; ///< what the gesture types, and into which view
    int m_typedAt = -1;
    int m_wanted = -1; ///< row to choose once the list has it
};

} // namespace headroom::ui
