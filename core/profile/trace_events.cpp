// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/trace_events.hpp"

#include "core/support/say.hpp"
#include "core/support/utf8.hpp"

#include <algorithm>

namespace headroom::profile
{

std::uint16_t TraceEvents::deviceIndex(std::int64_t id)
{
    constexpr std::size_t most = 4096;
    const auto known = std::ranges::find(devices, id, &TraceDevice::id);
    if (known != devices.end())
        return static_cast<std::uint16_t>(known - devices.begin());
    if (devices.size() < most)
        devices.push_back({id, {}});
    return static_cast<std::uint16_t>(devices.size() - 1);
}

std::uint32_t NameTable::add(std::string_view name)
{
    constexpr std::size_t longest = 512, mostBytes = 32u << 20;
    const auto known = m_known.find(std::string(name));
    if (known != m_known.end())
        return known->second;
    const auto index = static_cast<std::uint32_t>(m_events.names.size());
    if (m_bytes > mostBytes) { // a file of nothing but names: their classes are still told apart
        const KernelKind kind = m_rules.kindOf(name);
        const auto same = std::ranges::find_if(m_events.names, [&](const KernelName& n) { return n.kind == kind; });
        if (same != m_events.names.end())
            return static_cast<std::uint32_t>(same - m_events.names.begin());
    }
    m_bytes += name.size() + sizeof(KernelName);
    m_events.names.push_back({printable(name, longest), m_rules.kindOf(name)});
    m_known.emplace(name, index);
    return index;
}

} // namespace headroom::profile
