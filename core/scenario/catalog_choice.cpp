// SPDX-License-Identifier: GPL-3.0-or-later
// From a choice in a scenario (id, or one of the object forms) to what it stands for.
#include "core/catalog/accelerator_json.hpp"
#include "core/catalog/architecture_json.hpp"
#include "core/catalog/hf_config.hpp"
#include "core/scenario/scenario_json.hpp"
#include "core/support/json_reader.hpp"
#include "core/support/say.hpp"
#include "core/support/utf8.hpp"

#include <algorithm>

namespace headroom
{
namespace
{

constexpr std::string_view modelPath = "/model";
constexpr std::string_view acceleratorPath = "/hardware/accelerator";

/// Large enough for a config.json.
constexpr JsonLimits objectLimits{.bytes = 16u << 20, .depth = 32, .comments = false};

/// Paths and messages of the reader of another format, seen from the scenario around it.
tl::unexpected<Diagnostics> within(std::string_view prefix, Diagnostics diagnostics)
{
    for (Diagnostic& diagnostic : diagnostics) {
        diagnostic.path.insert(0, prefix);
        diagnostic.line = 0;
    }
    return tl::unexpected(std::move(diagnostics));
}

tl::unexpected<Diagnostics> unknownId(std::string_view path, std::string_view id, std::string_view what,
                                      std::string hint)
{
    if (hint.empty())
        hint = say("'headroom-cli {}s' lists what there is; or describe your own as an object", what);
    return fail("unknown-id", std::string(path), say("no {} '{}' in the catalogue", say(what), printable(id)),
                std::move(hint));
}

tl::unexpected<Diagnostics> unknownModel(std::string_view path, std::string_view id, const Catalog& catalog)
{
    std::vector<std::string_view> ids;
    for (const auto& entry : catalog.models())
        ids.push_back(entry->id);
    return unknownId(path, id, phrase("model"), suggestId(id, ids));
}

tl::unexpected<Diagnostics> unknownAccelerator(std::string_view path, std::string_view id, const Catalog& catalog)
{
    return unknownId(path, id, phrase("accelerator"), acceleratorHint(catalog, id));
}

/// The "id" of an override object, looked up: null with a diagnostic where it is not text or not known.
Expected<std::string> overriddenId(const Json& object, std::string_view path)
{
    Diagnostics diagnostics;
    ObjectReader reader(object, std::string(path), diagnostics);
    std::string id;
    if (!reader.string("id", id, Presence::Required))
        return tl::unexpected(std::move(diagnostics));
    return id;
}

Expected<ModelArchitecture> modelFromConfig(const Json& object)
{
    Diagnostics diagnostics;
    ObjectReader reader(object, std::string(modelPath), diagnostics);
    const Json* config = reader.value("hf_config");
    if (!config->is_object())
        reader.wrongType("hf_config", *config, said("the object of a config.json"));
    reader.finish();
    if (!diagnostics.empty())
        return tl::unexpected(std::move(diagnostics));
    auto imported = importHfConfig(config->dump(-1, ' ', false, Json::error_handler_t::replace));
    if (!imported)
        return within("/model/hf_config", imported.error());
    imported->architecture.custom = true;
    return std::move(imported->architecture);
}

Expected<ModelArchitecture> modelFromArchitecture(const Json& object)
{
    Diagnostics diagnostics;
    ObjectReader reader(object, std::string(modelPath), diagnostics);
    const Json* architecture = reader.value("architecture");
    reader.finish();
    if (!diagnostics.empty())
        return tl::unexpected(std::move(diagnostics));
    auto read = readArchitecture(*architecture, "/model/architecture");
    if (read)
        read->custom = true;
    return read;
}

} // namespace

Expected<ModelArchitecture> resolveModel(const ModelChoice& choice, const Catalog& catalog)
{
    if (choice.object.empty()) {
        if (const auto entry = catalog.model(choice.id))
            return *entry;
        return unknownModel(modelPath, choice.id, catalog);
    }
    const auto object = parseJson(choice.object, objectLimits);
    if (!object)
        return within(modelPath, object.error());
    for (const char* whole : {"hf_config", "architecture"})
        if (object->contains("id") && object->contains(whole))
            return fail("out-of-range", "/model/id", say("'{}' describes a whole model", whole),
                        said("leave 'id' out, or write the keys to change beside it"));
    if (object->contains("hf_config"))
        return modelFromConfig(*object);
    if (object->contains("architecture"))
        return modelFromArchitecture(*object);
    if (!object->contains("id"))
        return fail("missing-key", std::string(modelPath),
                    said("none of the keys 'id', 'hf_config', 'architecture' is there"),
                    said("name a catalogue entry to change, or describe a model"));
    const auto id = overriddenId(*object, modelPath);
    if (!id)
        return tl::unexpected(id.error());
    const auto base = catalog.model(*id);
    if (!base)
        return unknownModel("/model/id", *id, catalog);
    auto read = readArchitectureOverride(*base, *object, std::string(modelPath));
    if (read)
        read->custom = true;
    return read;
}

Expected<Accelerator> resolveAccelerator(const AcceleratorChoice& choice, const Catalog& catalog)
{
    if (choice.object.empty()) {
        if (const auto entry = catalog.accelerator(choice.id))
            return *entry;
        return unknownAccelerator(acceleratorPath, choice.id, catalog);
    }
    const auto object = parseJson(choice.object, objectLimits);
    if (!object)
        return within(acceleratorPath, object.error());
    // An id that the catalogue knows is changed; any other names a device that is described in full.
    std::shared_ptr<const Accelerator> base;
    if (object->contains("id")) {
        const auto id = overriddenId(*object, acceleratorPath);
        if (!id)
            return tl::unexpected(id.error());
        base = catalog.accelerator(*id);
        if (!base && !object->contains("peak_tflops"))
            return unknownAccelerator("/hardware/accelerator/id", *id, catalog);
    }
    auto read = base ? readAcceleratorOverride(*base, *object, std::string(acceleratorPath))
                     : readAccelerator(*object, std::string(acceleratorPath));
    if (read) {
        read->custom = true;
        // Its price is in US dollars, as those of the catalogue are: beside a list in another currency none counts.
        read->otherCurrency =
            std::ranges::any_of(catalog.accelerators(), [](const auto& entry) { return entry->otherCurrency; });
    }
    return read;
}

} // namespace headroom
