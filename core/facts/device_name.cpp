// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/facts/device_name.hpp"

#include <algorithm>
#include <string>

namespace headroom
{
namespace
{

bool isNumeral(char c)
{
    return c >= '0' && c <= '9';
}

char small(char c)
{
    return c >= 'A' && c <= 'Z' ? char(c + 32) : c;
}

bool isAlphabetic(char c)
{
    return small(c) >= 'a' && small(c) <= 'z';
}

/// "H100" of "NVIDIA H100 80GB HBM3", "4090" of "NVIDIA GeForce RTX 4090": the first word that begins like a chip's.
std::string chipOf(std::string_view device)
{
    std::string word;
    for (const char c : std::string(device) + ' ') {
        if (isNumeral(c) || isAlphabetic(c)) {
            word += c;
            continue;
        }
        const auto digits = std::ranges::count_if(word, isNumeral);
        const bool size = word.size() > 2 && word.ends_with("GB");
        if (digits >= 2 && !size)
            return word;
        word.clear();
    }
    return {};
}

} // namespace

bool namesOtherDevice(std::string_view device, const Accelerator& accelerator)
{
    std::string chip = chipOf(device), name = accelerator.name;
    std::ranges::transform(chip, chip.begin(), small);
    std::ranges::transform(name, name.begin(), small);
    return !chip.empty() && name.find(chip) == std::string::npos;
}

} // namespace headroom
