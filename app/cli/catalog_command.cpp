// SPDX-License-Identifier: GPL-3.0-or-later
// headroom-cli models, headroom-cli accelerators: the catalogue, searched.
#include "app/cli/command.hpp"
#include "core/catalog/catalog_json.hpp"
#include "core/model/model_profile.hpp"
#include "core/units/format.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace headroom::cli
{
namespace
{

struct CatalogOptions {
    std::vector<std::string> query;
    Format format = Format::Text;

    [[nodiscard]] std::string text() const
    {
        std::string joined;
        for (const std::string& word : query)
            joined += (joined.empty() ? "" : " ") + word;
        return joined;
    }
};

std::string rowText(const ModelArchitecture& model)
{
    const ParameterCounts counts = countParameters(model);
    return fmt::format("{:<34} {:<34} {:>10} {:>10}\n", model.id, model.name,
                       formatText(counts.total, ValueFormat::Parameters),
                       formatText(counts.active, ValueFormat::Parameters));
}

std::string rowText(const Accelerator& accelerator)
{
    const auto known = [](double value, std::string text) { return value > 0 ? std::move(text) : std::string("-"); };
    const double bandwidth = accelerator.memoryBandwidth();
    const double peak = accelerator.peakFlops(DataType::Bf16);
    return fmt::format("{:<28} {:<34} {:>8} {:>10} {:>14}\n", accelerator.id, accelerator.name,
                       formatText(accelerator.usableMemoryBytes(), ValueFormat::Bytes),
                       known(bandwidth, formatText(bandwidth, ValueFormat::BytesPerS)),
                       known(peak, formatText(peak, ValueFormat::FlopPerS)));
}

std::string jsonText(const ModelArchitecture& model)
{
    return modelJson(model, 2);
}
std::string jsonText(const Accelerator& accelerator)
{
    return acceleratorJson(accelerator, 2);
}

template <typename Entries>
void list(const Entries& entries, Format format, const std::string& query = {})
{
    if (entries.empty() && format == Format::Text) // scripts read an empty array
        std::fputs(("headroom-cli: nothing in the catalogue has '" + query + "' in its name or family\n").c_str(),
                   stderr);
    std::string text = format == Format::Json ? "[" : "";
    bool first = true;
    for (const auto& entry : entries) {
        if (format == Format::Json)
            text += (first ? "\n" : ",\n") + jsonText(*entry);
        else
            text += rowText(*entry);
        first = false;
    }
    print(text + (format == Format::Json ? "\n]\n" : ""));
}

template <typename List>
void addCatalog(CLI::App& app, const char* name, const char* description, List listEntries)
{
    const auto options = std::make_shared<CatalogOptions>();
    CLI::App* command = app.add_subcommand(name, description);
    command->add_option("QUERY", options->query, "Words to look for in ids, names, aliases and families");
    addFormat(*command, options->format, {Format::Text, Format::Json});
    command->callback([options, listEntries] { listEntries(options->text(), options->format); });
}

} // namespace

void addModels(CLI::App& app, Context& context)
{
    addCatalog(app, "models", "List the models of the catalogue", [&context](const std::string& query, Format format) {
        const Catalog& catalog = context.catalog();
        query.empty() ? list(catalog.models(), format) : list(catalog.searchModels(query), format, query);
    });
}

void addAccelerators(CLI::App& app, Context& context)
{
    addCatalog(app, "accelerators", "List the accelerators of the catalogue",
               [&context](const std::string& query, Format format) {
                   const Catalog& catalog = context.catalog();
                   query.empty() ? list(catalog.accelerators(), format)
                                 : list(catalog.searchAccelerators(query), format, query);
               });
}

} // namespace headroom::cli
