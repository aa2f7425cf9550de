// SPDX-License-Identifier: GPL-3.0-or-later
// HelpDialog: the help over a dialog, which goes on waiting behind it; F1 and Escape lead back to it.
#pragma once

#include <QDialog>

class QMainWindow;

namespace headroom::ui
{

class HelpView;

class HelpDialog final : public QDialog
{
    Q_OBJECT

public:
    explicit HelpDialog(const QString& pageId, QWidget* parent);
    [[nodiscard]] HelpView& view() const { return *m_view; }

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    HelpView* m_view;
};

/// Answers F1 in every dialog over the window: the window's own command does not reach into them.
class DialogHelp final : public QObject
{
    Q_OBJECT

public:
    explicit DialogHelp(QMainWindow* window);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

} // namespace headroom::ui
