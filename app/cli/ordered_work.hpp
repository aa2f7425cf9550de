// SPDX-License-Identifier: GPL-3.0-or-later
// OrderedWork: pieces of work on several threads, whose results come out in the order in which the pieces went in.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace headroom::cli
{

/// Each thread keeps what it has compiled for its next piece, so the threads live as long as this. At most two pieces a
/// thread are under way: whoever gives more waits, and memory stays bounded. What `work` throws, take() throws.
template <typename Piece, typename Result>
class OrderedWork final
{
public:
    OrderedWork(std::size_t threads, std::function<Result(const Piece&)> work)
        : m_work(std::move(work)), m_slots(2 * threads)
    {
        m_threads.reserve(threads);
        for (std::size_t i = 0; i < threads; ++i)
            m_threads.emplace_back([this](const std::stop_token& over) { run(over); });
    }

    /// Whether the next piece has to wait for a result to be taken.
    [[nodiscard]] bool full() const { return m_given - m_taken == m_slots.size(); }
    [[nodiscard]] bool empty() const { return m_given == m_taken; }

    /// Precondition: not full().
    void give(Piece piece)
    {
        {
            const std::lock_guard lock(m_mutex);
            Slot& slot = at(m_given);
            slot.piece = std::move(piece);
            slot.done = false;
            ++m_given;
        }
        m_more.notify_one();
    }

    /// The result of the oldest piece. Precondition: not empty().
    [[nodiscard]] Result take()
    {
        std::unique_lock lock(m_mutex);
        Slot& slot = at(m_taken);
        m_ended.wait(lock, [&slot] { return slot.done; });
        ++m_taken;
        if (slot.failure)
            std::rethrow_exception(std::exchange(slot.failure, nullptr));
        return std::move(slot.result);
    }

private:
    struct Slot {
        Piece piece;
        Result result;
        std::exception_ptr failure;
        bool done = false;
    };

    [[nodiscard]] Slot& at(std::size_t number) { return m_slots[number % m_slots.size()]; }

    void run(const std::stop_token& over)
    {
        std::unique_lock lock(m_mutex);
        while (m_more.wait(lock, over, [this] { return m_begun < m_given; })) {
            Slot& slot = at(m_begun++);
            lock.unlock();
            try {
                slot.result = m_work(slot.piece);
            } catch (...) {
                slot.failure = std::current_exception();
            }
            lock.lock();
            slot.done = true;
            m_ended.notify_one();
        }
    }

    std::function<Result(const Piece&)> m_work;
    std::vector<Slot> m_slots;
    std::size_t m_given = 0, m_begun = 0, m_taken = 0; ///< pieces so far
    std::mutex m_mutex;
    std::condition_variable_any m_more, m_ended;
    std::vector<std::jthread> m_threads; ///< last: they end before what they use
};

} // namespace headroom::cli
