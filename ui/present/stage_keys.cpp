// SPDX-License-Identifier: GPL-3.0-or-later
// The keys of the stage: those that mean the same everywhere, those of the stage itself, those a slider keeps.
#include "ui/present/stage.hpp"
#include "ui/widgets/value_box.hpp"

#include <QKeyEvent>
#include <QLabel>

namespace headroom::ui
{

bool Stage::handleEverywhere(int key)
{
    switch (key) {
    case Qt::Key_PageDown:
        showView(m_index + 1);
        return true;
    case Qt::Key_PageUp:
        showView(m_index - 1);
        return true;
    case Qt::Key_F1:
        m_hint->setVisible(m_hint->isHidden());
        if (m_hint->isVisible())
            announce(m_hint->text());
        return true;
    default:
        return false;
    }
}

bool Stage::handleKey(int key)
{
    switch (key) {
    case Qt::Key_B:
    case Qt::Key_Period: // what remote controls send
        setBlack(!isBlack());
        return true;
    case Qt::Key_L:
        setLaser(!hasLaser());
        return true;
    case Qt::Key_C:
        showOtherCharts();
        return true;
    case Qt::Key_K:
        emit keepRequested();
        return true;
    case Qt::Key_D:
        toggleDark();
        return true;
    case Qt::Key_R:
        m_store.replace(tr("As saved"), view().scenario);
        return true;
    default:
        return handleEverywhere(key);
    }
}

bool Stage::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::MouseButtonPress)
        m_hint->hide();
    if (event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    const auto* press = static_cast<QKeyEvent*>(event);
    const bool typing = qobject_cast<const ValueBox*>(watched) != nullptr; // "1.5k" is a number there
    if (press->key() != Qt::Key_F1)
        m_hint->hide();
    if (press->modifiers() & ~(Qt::KeypadModifier | Qt::ShiftModifier))
        return false;
    return typing ? handleEverywhere(press->key()) : handleKey(press->key());
}

void Stage::keyPressEvent(QKeyEvent* event)
{
    if (event->key() != Qt::Key_F1)
        m_hint->hide();
    const bool plain = !(event->modifiers() & ~Qt::KeypadModifier);
    if (plain && event->key() == Qt::Key_Escape)
        emit leaveRequested();
    else if (plain && (event->key() == Qt::Key_Right || event->key() == Qt::Key_Space))
        showView(m_index + 1);
    else if (plain && (event->key() == Qt::Key_Left || event->key() == Qt::Key_Backspace))
        showView(m_index - 1);
    else if (plain && event->key() == Qt::Key_Home)
        showView(0);
    else if (plain && event->key() == Qt::Key_End)
        showView(count() - 1);
    else if (!plain || !handleKey(event->key()))
        QWidget::keyPressEvent(event);
}

} // namespace headroom::ui
