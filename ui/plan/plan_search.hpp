// SPDX-License-Identifier: GPL-3.0-or-later
// PlanSearch: plans in a thread of its own; the newest request wins, results arrive on the caller's thread as they
// come.
#pragma once

#include "core/plan/planner_map.hpp"

#include <QObject>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

namespace headroom::ui
{

class PlanSearch final : public QObject
{
    Q_OBJECT

public:
    explicit PlanSearch(QObject* parent = nullptr);
    /// Stops what runs and waits for it: some milliseconds.
    ~PlanSearch() override;

    /// Gives up what runs and begins this. Nothing of an older request is reported any more.
    void start(PlanRequest request);
    /// Gives it up: nothing more of it is reported.
    void cancel();
    /// Asks it to stop and to report what it has; finished() follows.
    void stop();
    [[nodiscard]] bool isRunning() const { return m_running; }

signals:
    void progressed(const headroom::PlanProgress& progress);
    void found(const headroom::PlanResult& result);
    void refused(const headroom::Diagnostics& problems);
    void grown(const std::vector<headroom::PlanGrowthRow>& rows); ///< those that it had come to when it was stopped
    void mapped(const headroom::PlanMap& map);                    ///< not where it was stopped before
    /// Everything of the newest request has been reported, or it was cancelled.
    void finished();

private:
    struct Job {
        PlanRequest request;
        std::stop_token stop;
        std::uint64_t number = 0;
    };

    void work(const std::stop_token& quit);
    void run(const Job& job);
    /// Calls on the caller's thread, unless a newer request has come.
    void post(const Job& job, std::function<void()> report);

    std::mutex m_mutex; ///< of the next job
    std::condition_variable_any m_wake;
    std::optional<Job> m_next;
    std::stop_source m_stop;    ///< of the newest job
    std::uint64_t m_newest = 0; ///< caller's thread
    bool m_running = false;     ///< caller's thread
    std::jthread m_thread;      ///< last: it uses all of the above
};

} // namespace headroom::ui
