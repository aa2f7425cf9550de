// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/count_words.hpp"

#include "core/support/say.hpp"

namespace headroom
{

std::string layersText(std::int64_t count)
{
    return count == 1 ? said("1 layer") : say("{} layers", count);
}

std::string blocksText(std::int64_t count)
{
    return count == 1 ? said("1 block") : say("{} blocks", count);
}

std::string entriesText(std::int64_t count)
{
    return count == 1 ? said("1 entry") : say("{} entries", count);
}

} // namespace headroom
