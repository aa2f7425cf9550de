// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/architecture_json.hpp"

#include "core/catalog/architecture_check.hpp"
#include "core/catalog/architecture_keys.hpp"
#include "core/catalog/architecture_parts.hpp"
#include "core/model/model_profile.hpp"

namespace headroom
{
namespace
{

/// Whether an object names the kind of its attention, in one of two ways.
bool saysKind(ObjectReader& r)
{
    const Json* attention = r.value("attention");
    return attention != nullptr && (attention->is_string() || attention->contains("kind"));
}

/// In files `extra` holds what `customBlocks` hold too.
void takeCustomBlocks(ObjectReader& r, ModelArchitecture& m)
{
    if (r.value("extra") == nullptr)
        return;
    const std::int64_t found = m.extra;
    m.extra -= std::int64_t(customBlockParameters(m));
    if (m.extra < 0 && !m.customBlocks.empty())
        r.error("extra", "out-of-range",
                say("must hold the feed-forward weights of custom_blocks, {:.0f} parameters (found {})",
                    customBlockParameters(m), found),
                said("leave it out where custom_blocks says everything"));
}

void readFields(ObjectReader& r, ModelArchitecture& m, PublicationFields publication, Presence needed)
{
    KeyReader keys(r, m, needed);
    keys.key("name", &ModelArchitecture::name);
    keys.key("family", &ModelArchitecture::family);
    if (publication == PublicationFields::Kept) {
        fields::publication(keys);
        fields::published(keys);
    }
    fields::shape(keys);
    takeCustomBlocks(r, m);
    r.ignore({"published", "computed", "hf_id", "year", "model_type", "source", "text_model_type", "architectures",
              "config_file", "config_like", "config_nesting", "import_warnings", "mtp_note", "per_layer_embedding",
              "rope_theta"});
}

/// What `extra` takes away must be there.
void checkTotal(const ModelArchitecture& m, const std::string& path, Diagnostics& diagnostics)
{
    if (m.extra >= 0)
        return;
    if (const double total = countParameters(m).total; total < 1)
        addDiagnostic(diagnostics, "out-of-range", childPath(path, "extra"),
                      say("takes away more parameters than the rest of the model has: {:.0f} are left", total));
}

void checkWhole(const nlohmann::json& object, const ModelArchitecture& m, const std::string& path,
                Diagnostics& diagnostics)
{
    checkArchitecture(m, path, diagnostics);
    if (!hasErrors(diagnostics))
        checkStatedParts(object, m, path, diagnostics);
    if (!hasErrors(diagnostics))
        checkTotal(m, path, diagnostics);
}

} // namespace

Expected<ModelArchitecture> readArchitecture(const nlohmann::json& object, const std::string& path,
                                             PublicationFields fields)
{
    Diagnostics diagnostics;
    ModelArchitecture m;
    m.name = "custom";
    m.custom = fields == PublicationFields::Ignored;
    ObjectReader r(object, path, diagnostics, Nulls::Absent);
    r.string("id", m.id);
    readFields(r, m, fields, Presence::Required);
    r.finish();
    if (!hasErrors(diagnostics)) {
        fillDefaults(m, saysKind(r));
        noteAssumptions(m);
        checkWhole(object, m, path, diagnostics);
    }
    if (hasErrors(diagnostics))
        return tl::unexpected(std::move(diagnostics));
    return m;
}

Expected<ModelArchitecture> readArchitectureOverride(const ModelArchitecture& base, const nlohmann::json& object,
                                                     const std::string& path)
{
    Diagnostics diagnostics;
    ModelArchitecture m = base;
    m.custom = true;
    ObjectReader r(object, path, diagnostics, Nulls::Absent);
    r.ignore({"id"});
    readFields(r, m, PublicationFields::Ignored, Presence::Optional);
    r.finish();
    if (!hasErrors(diagnostics)) {
        const bool alike = base.kvHeads == base.heads && m.kvHeads == base.kvHeads;
        if (alike && !r.json().contains("kv_heads")) // multi-head stays multi-head
            m.kvHeads = m.heads;
        if (m.layers != base.layers && !r.json().contains("schedule"))
            resizeLayers(m);
        takeStatedParts(object, m);
        fillDefaults(m, true);
        noteAssumptions(m);
        checkWhole(object, m, path, diagnostics);
    }
    if (hasErrors(diagnostics))
        return tl::unexpected(std::move(diagnostics));
    return m;
}

nlohmann::ordered_json writeArchitecture(const ModelArchitecture& architecture, PublicationFields publication)
{
    ModelArchitecture m = architecture;
    m.extra += std::int64_t(customBlockParameters(m));
    nlohmann::ordered_json json = nlohmann::ordered_json::object();
    KeyWriter keys(json, m);
    keys.key("id", &ModelArchitecture::id);
    keys.key("name", &ModelArchitecture::name);
    keys.key("family", &ModelArchitecture::family);
    if (publication == PublicationFields::Kept)
        fields::publication(keys);
    fields::shape(keys);
    if (publication == PublicationFields::Kept)
        fields::published(keys);
    return json;
}

} // namespace headroom
