// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/help_dialog.hpp"

#include "ui/help/help_pages.hpp"
#include "ui/pages/help_view.hpp"

#include <QApplication>
#include <QKeyEvent>
#include <QMainWindow>
#include <QVBoxLayout>

namespace headroom::ui
{

HelpDialog::HelpDialog(const QString& pageId, QWidget* parent) : QDialog(parent), m_view(new HelpView({}))
{
    constexpr int border = 12;
    setWindowTitle(tr("Help"));
    setAttribute(Qt::WA_DeleteOnClose);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(border, border, border, border);
    column->addWidget(m_view);
    m_view->open(pageId);
    connect(m_view, &HelpView::closeRequested, this, &QDialog::reject);
    resize(parent->window()->size().expandedTo({920, 600}));
}

void HelpDialog::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_F1)
        reject();
    else
        QDialog::keyPressEvent(event);
}

DialogHelp::DialogHelp(QMainWindow* window) : QObject(window)
{
    qApp->installEventFilter(this);
}

bool DialogHelp::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() != QEvent::KeyPress)
        return false;
    const auto* key = static_cast<QKeyEvent*>(event);
    const auto* widget = qobject_cast<QWidget*>(watched);
    if (key->key() != Qt::Key_F1 || key->modifiers() != Qt::NoModifier || !widget)
        return false;
    auto* dialog = qobject_cast<QDialog*>(widget->window());
    if (!dialog || qobject_cast<HelpDialog*>(dialog))
        return false;
    auto* help = new HelpDialog(helpPageOf(widget, {}), dialog);
    help->open();
    help->view().setFocus(Qt::OtherFocusReason);
    return true;
}

} // namespace headroom::ui
