// SPDX-License-Identifier: GPL-3.0-or-later
// FocusRing: a frame around whatever has the keyboard, in every window alike; thicker in high contrast.
#pragma once

#include <QList>
#include <QObject>
#include <QPointer>

class QWidget;

namespace headroom::ui
{

class RingFrame;

/// One for the program. The ring comes with the first key that moves the keyboard, and goes where a click put it.
class FocusRing final : public QObject
{
    Q_OBJECT

public:
    explicit FocusRing(QObject* parent = nullptr);
    ~FocusRing() override;

    /// The frame that is shown; null while none is.
    [[nodiscard]] QWidget* frame() const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void follow(QWidget* focus);
    void place();

    QPointer<RingFrame> m_frame;
    QPointer<QWidget> m_focus;
    QMetaObject::Connection m_inFront;  ///< of tabs that have the keyboard
    QList<QPointer<QObject>> m_watched; ///< the widget and all it lies in: any of them may move or scroll it
};

} // namespace headroom::ui
