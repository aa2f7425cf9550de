// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plan/plan_search.hpp"

#include "core/plan/planner_growth.hpp"

#include <QMetaObject>
#include <algorithm>

namespace headroom::ui
{

PlanSearch::PlanSearch(QObject* parent) : QObject(parent), m_thread([this](const std::stop_token& quit) { work(quit); })
{
}

PlanSearch::~PlanSearch()
{
    m_stop.request_stop();
}

void PlanSearch::start(PlanRequest request)
{
    m_stop.request_stop();
    m_stop = std::stop_source();
    if (request.threads == 0) // one stays with the window
        request.threads = std::max(1u, std::thread::hardware_concurrency() - 1);
    {
        const std::lock_guard lock(m_mutex);
        m_next = Job{std::move(request), m_stop.get_token(), ++m_newest};
    }
    m_running = true;
    m_wake.notify_one();
}

void PlanSearch::cancel()
{
    if (!m_running)
        return;
    m_stop.request_stop();
    {
        const std::lock_guard lock(m_mutex);
        m_next.reset();
    }
    ++m_newest;
    m_running = false;
    emit finished();
}

void PlanSearch::stop()
{
    m_stop.request_stop();
}

void PlanSearch::work(const std::stop_token& quit)
{
    while (!quit.stop_requested()) {
        std::optional<Job> job;
        {
            std::unique_lock lock(m_mutex);
            if (!m_wake.wait(lock, quit, [this] { return m_next.has_value(); }))
                return;
            job.swap(m_next);
        }
        run(*job);
    }
}

void PlanSearch::run(const Job& job)
{
    const auto result = plan(job.request, job.stop, [this, &job](const PlanProgress& progress) {
        post(job, [this, progress] { emit progressed(progress); });
    });
    if (!result) {
        post(job, [this, problems = result.error()] { emit refused(problems); });
    } else {
        post(job, [this, answer = *result] { emit found(answer); });
        const auto rows = planGrowth(job.request, growthMultiples, job.stop);
        post(job, [this, rows = rows.value_or(std::vector<PlanGrowthRow>())] { emit grown(rows); });
        const PlanMap map = job.stop.stop_requested() ? PlanMap{} : planMap(job.request, job.stop);
        if (!job.stop.stop_requested())
            post(job, [this, map] { emit mapped(map); });
    }
    post(job, [this] {
        m_running = false;
        emit finished();
    });
}

void PlanSearch::post(const Job& job, std::function<void()> report)
{
    QMetaObject::invokeMethod(
        this,
        [this, number = job.number, report = std::move(report)] {
            if (number == m_newest)
                report();
        },
        Qt::QueuedConnection);
}

} // namespace headroom::ui
