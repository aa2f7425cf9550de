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
/// thread are under way: whoever gives more waits, and memory stays bounded, and is used again: large blocks that are
/// freed and asked for anew cost a page fault each 4 KiB. `work` finds an older result in its second argument. What it
/// throws, take() throws.
template <typename Piece, typename Result>
class OrderedWork final
{
public:
    OrderedWork(std::size_t threads, std::function<void(const Piece&, Result&)> work)
        : m_work(std::move(work)), m_slots(2 * threads)
    {
        m_threads.reserve(threads);
        for (std::size_t i = 0; i < threads; ++i)
            m_threads.emplace_back([this](const std::stop_token& over) { run(over); });
    }

    /// Whether the next piece has to wait for a result to be taken.
    [[nodiscard]] bool full() const { return m_given - m_taken == m_slots.size(); }
    [[nodiscard]] bool empty() const { return m_given == m_taken; }

    /// Takes the piece and leaves an older one there. Precondition: not full().
    void give(Piece& piece)
    {
        {
            const std::lock_guard lock(m_mutex);
            Slot& slot = at(m_given);
            std::swap(slot.piece, piece);
            slot.done = false;
            ++m_given;
        }
        m_more.notify_one();
    }

    /// The result of the oldest piece, valid until the next one is given. Precondition: not empty().
    [[nodiscard]] const Result& take()
    {
        std::unique_lock lock(m_mutex);
        Slot& slot = at(m_taken);
        m_ended.wait(lock, [&slot] { return slot.done; });
        ++m_taken;
        if (slot.failure)
            std::rethrow_exception(std::exchange(slot.failure, nullptr));
        return slot.result;
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
                m_work(slot.piece, slot.result);
            } catch (...) {
                slot.failure = std::current_exception();
            }
            lock.lock();
            slot.done = true;
            m_ended.notify_one();
        }
    }

    std::function<void(const Piece&, Result&)> m_work;
    std::vector<Slot> m_slots;
    std::size_t m_given = 0, m_begun = 0, m_taken = 0; ///< pieces so far
    std::mutex m_mutex;
    std::condition_variable_any m_more, m_ended;
    std::vector<std::jthread> m_threads; ///< last: they end before what they use
};

} // namespace headroom::cli
