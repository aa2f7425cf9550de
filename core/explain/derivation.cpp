// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/explain/derivation.hpp"
// PLACEHOLDER, replaced by the charts work.
namespace headroom
{
Derivation derive(std::string_view metricId, const PreparedScenario&, const Evaluation&)
{
    Derivation d;
    d.metricId = metricId;
    d.title = "Why?";
    return d;
}
} // namespace headroom
