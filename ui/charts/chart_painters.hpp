// SPDX-License-Identifier: GPL-3.0-or-later
// ChartPainters: threads that draw the pictures of several charts side by side, which takes half of a slider's step.
#pragma once

#include <QRunnable>
#include <QSemaphore>
#include <QThreadPool>
#include <functional>
#include <memory>
#include <vector>

namespace headroom::ui
{

/// A member of the page whose charts it draws: the threads end before the application does, whose fonts they keep.
class ChartPainters final
{
public:
    ChartPainters();
    ~ChartPainters() { finish(); }
    ChartPainters(const ChartPainters&) = delete;
    ChartPainters& operator=(const ChartPainters&) = delete;

    /// Calls `draw` in another thread, where a core is free. What it touches is left alone until finish().
    void start(std::function<void()> draw);
    /// Returns when everything is drawn: what no thread has begun, the caller's draws.
    void finish();

private:
    std::vector<std::unique_ptr<QRunnable>> m_started;
    QSemaphore m_drawn; ///< of those that were started
    QThreadPool m_pool;
};

} // namespace headroom::ui
