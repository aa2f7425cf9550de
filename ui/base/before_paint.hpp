// SPDX-License-Identifier: GPL-3.0-or-later
// BeforePaint: runs a function once, however often it is asked for, before the window paints the next time.
#pragma once

#include <QCoreApplication>
#include <QEvent>
#include <QObject>

#include <functional>
#include <utility>

namespace headroom::ui
{

/// A posted event, not a timer of 0 ms: Qt paints before a timer comes, and then a second time for what the timer did.
class BeforePaint final : public QObject
{
public:
    explicit BeforePaint(std::function<void()> run) : m_run(std::move(run)) {}

    /// Asks for the function in this turn of the event loop.
    void schedule()
    {
        if (!std::exchange(m_pending, true))
            QCoreApplication::postEvent(this, new QEvent(QEvent::User));
    }
    /// Runs the function now if it was asked for.
    void flush()
    {
        if (take())
            m_run();
    }
    /// Whether the function was asked for, which the caller now does in its place.
    [[nodiscard]] bool take() { return std::exchange(m_pending, false); }

protected:
    bool event(QEvent* event) override
    {
        if (event->type() != QEvent::User)
            return QObject::event(event);
        flush();
        return true;
    }

private:
    std::function<void()> m_run;
    bool m_pending = false;
};

} // namespace headroom::ui
