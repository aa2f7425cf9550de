// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_painters.hpp"

#include <QThread>

#include <algorithm>
#include <utility>

namespace headroom::ui
{

ChartPainters::ChartPainters()
{
    m_pool.setMaxThreadCount(std::max(1, QThread::idealThreadCount() - 1)); // the caller has a core of its own
    m_pool.setExpiryTimeout(-1);                                            // a new thread would read all fonts again
}

void ChartPainters::start(std::function<void()> draw)
{
    auto& drawing = m_started.emplace_back(QRunnable::create([this, draw = std::move(draw)] {
        draw();
        m_drawn.release();
    }));
    drawing->setAutoDelete(false);
    m_pool.start(drawing.get());
}

void ChartPainters::finish()
{
    for (auto drawing = m_started.rbegin(); drawing != m_started.rend(); ++drawing) // the last come last to a thread
        if (m_pool.tryTake(drawing->get()))
            (*drawing)->run();
    m_drawn.acquire(static_cast<int>(m_started.size())); // not waitForDone(), which ends the threads
    m_started.clear();
}

} // namespace headroom::ui
