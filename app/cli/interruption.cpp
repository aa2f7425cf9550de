// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/interruption.hpp"

#include <chrono>
#include <csignal>

namespace headroom::cli
{
namespace
{

volatile std::sig_atomic_t interrupted = 0;

void remember(int signal)
{
    interrupted = 1;
    std::signal(signal, SIG_DFL);
}

} // namespace

Interruption::Interruption() : m_before(std::signal(SIGINT, remember))
{
    interrupted = 0;
    m_watch = std::jthread([this](const std::stop_token& over) {
        constexpr std::chrono::milliseconds pause(20);
        while (!over.stop_requested() && interrupted == 0)
            std::this_thread::sleep_for(pause);
        if (interrupted != 0)
            m_source.request_stop();
    });
}

Interruption::~Interruption()
{
    m_watch.request_stop();
    m_watch.join();
    std::signal(SIGINT, m_before); // what a failed call gave is refused, and harms nothing
}

} // namespace headroom::cli
