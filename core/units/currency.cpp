// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/units/currency.hpp"

#include "core/support/say.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace headroom
{
namespace
{

constexpr std::size_t letters = 3;

constexpr std::uint32_t packed(std::string_view code)
{
    std::uint32_t all = 0;
    for (const char c : code)
        all = all << 8 | static_cast<unsigned char>(c);
    return all;
}

std::atomic<std::uint32_t> inForce{packed(usDollars)}; // read by whatever prints, on any thread

} // namespace

bool isCurrency(std::string_view code)
{
    return code.size() == letters && std::all_of(code.begin(), code.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
}

void showMoneyIn(std::string_view code)
{
    inForce.store(packed(code.substr(0, letters)), std::memory_order_relaxed);
}

std::string currencyCode()
{
    const std::uint32_t code = inForce.load(std::memory_order_relaxed);
    return {static_cast<char>(code >> 16 & 0xff), static_cast<char>(code >> 8 & 0xff), static_cast<char>(code & 0xff)};
}

std::string currencyName(std::string_view code)
{
    return code == usDollars ? said("US dollars") : std::string(code);
}

std::string currencyName()
{
    return currencyName(currencyCode());
}

std::string currencySign()
{
    const std::string code = currencyCode();
    return code == usDollars ? "$" : code;
}

} // namespace headroom
