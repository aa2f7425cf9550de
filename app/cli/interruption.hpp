// SPDX-License-Identifier: GPL-3.0-or-later
// Interruption: Ctrl+C asks a search to stop and to say what it has; a second one ends the program as ever.
#pragma once

#include <stop_token>
#include <thread>

namespace headroom::cli
{

class Interruption final
{
public:
    Interruption();
    ~Interruption();
    Interruption(const Interruption&) = delete;
    Interruption& operator=(const Interruption&) = delete;

    [[nodiscard]] std::stop_token token() const { return m_source.get_token(); }
    [[nodiscard]] bool happened() const { return m_source.stop_requested(); }

private:
    void (*m_before)(int) = nullptr; ///< what the signal did
    std::stop_source m_source;
    std::jthread m_watch; ///< a signal handler may do next to nothing: this passes its flag on
};

} // namespace headroom::cli
