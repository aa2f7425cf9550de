// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.hpp"
#include "core/metrics/metric_registry.hpp"
#include "core/support/nearest_name.hpp"

namespace headroom::cli
{

const MetricRow& metricNamed(const std::string& id)
{
    if (const MetricRow* metric = metricRow(id))
        return *metric;
    const auto ids = namesOf(metricRegistry(), &MetricRow::id);
    wrongUsage("--metric", '\'' + id + "' is not known; " + suggestName(id, ids, ids.size()));
}

void addMetrics(CLI::App& command, std::vector<std::string>& ids, const std::string& otherwise)
{
    command.add_option("--metric", ids, "Figures to list (keys of the result); default: " + otherwise)
        ->type_name("METRIC")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void addThreads(CLI::App& command, unsigned& threads)
{
    command.add_option("--threads", threads, "Threads; default: all of the machine")
        ->check(CLI::Range(1, 256).description(""))
        ->type_name("N");
}

} // namespace headroom::cli
