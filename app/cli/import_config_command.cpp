// SPDX-License-Identifier: GPL-3.0-or-later
// headroom-cli import-config: a Hugging Face config.json as an architecture with its parameter counts.
#include "app/cli/command.hpp"
#include "core/catalog/hf_import_json.hpp"
#include "core/support/file_name.hpp"

#include <cstdio>

namespace headroom::cli
{
namespace
{

struct ImportConfigOptions {
    std::string config, quant;
    Format format = Format::Text;
};

/// The whole of a file ("-": standard input), or a little more than any reader takes: the reader then says so.
Expected<std::string> readText(const std::string& name)
{
    constexpr std::size_t enough = (16u << 20) + 1;
    const auto text = name == "-" ? readBytes(stdin, enough) : readBytes(name, enough);
    if (!text)
        return fail("no-file", {},
                    text.error().opened ? "the file cannot be read (is it a folder?)"
                                        : "the file cannot be opened: " + systemError(text.error().error));
    return *text;
}

/// Messages with the names under which the files were given.
void report(Diagnostics diagnostics, const ImportConfigOptions& options)
{
    for (Diagnostic& diagnostic : diagnostics)
        diagnostic.file = diagnostic.file == hfQuantFile ? options.quant : options.config;
    printMessages(diagnostics);
}

Expected<HfImport> imported(const ImportConfigOptions& options)
{
    const auto config = readText(options.config);
    if (!config)
        return tl::unexpected(config.error());
    if (options.quant.empty())
        return importHfConfig(*config);
    auto quant = readText(options.quant);
    if (quant && quant->empty())
        quant = fail("syntax", {}, "there is nothing in it", "give an hf_quant_config.json");
    if (quant)
        return importHfConfig(*config, *quant);
    for (Diagnostic& diagnostic : quant.error())
        diagnostic.file = hfQuantFile;
    return tl::unexpected(std::move(quant.error()));
}

void importConfig(const ImportConfigOptions& options, Context& context)
{
    const auto result = imported(options);
    if (!result) {
        report(result.error(), options);
        context.refused();
        return;
    }
    report(result->warnings, options);
    print(options.format == Format::Json ? hfImportJson(*result, 2) + "\n" : hfImportText(*result));
}

} // namespace

void addImportConfig(CLI::App& app, Context& context)
{
    const auto options = std::make_shared<ImportConfigOptions>();
    CLI::App* command = app.add_subcommand("import-config", "Count the parameters of a Hugging Face config.json");
    command->add_option("CONFIG", options->config, "A config.json; - reads standard input")->required();
    command->add_option("--quant", options->quant, "NVIDIA's hf_quant_config.json of the same model");
    addFormat(*command, options->format, {Format::Text, Format::Json});
    command->callback([options, &context] { importConfig(*options, context); });
}

} // namespace headroom::cli
