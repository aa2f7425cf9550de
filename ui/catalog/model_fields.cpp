// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/catalog_text.hpp"
#include "core/catalog/record_keys.hpp"
#include "core/support/say.hpp"
#include "ui/base/text.hpp"
#include "ui/base/tr.hpp"
#include "ui/catalog/entry_fields.hpp"
#include "ui/document/catalog_library.hpp"

#include <QJsonDocument>
#include <QJsonObject>

namespace headroom::ui
{
namespace
{

#define TEXT(words) QT_TRANSLATE_NOOP("ModelFields", words)

bool always(const ModelArchitecture&)
{
    return true;
}
bool hasExperts(const ModelArchitecture& m)
{
    return m.moe.experts > 0;
}

bool hasHeads(const ModelArchitecture& m)
{
    return m.heads > 0;
}
bool hasOwnKeys(const ModelArchitecture& m)
{
    return m.heads > 0 && m.attention.kind != AttentionKind::Mla;
}
bool hasFeedForward(const ModelArchitecture& m)
{
    return m.ffn > 0;
}
bool hasWindow(const ModelArchitecture& m)
{
    return m.sliding.window > 0;
}

/// A size: its key of the architecture object, and whether the model has such a thing.
struct SizeRow {
    const char *group, *label, *unit;
    const char* path;
    bool (*belongs)(const ModelArchitecture&);
    bool required;
};

constexpr SizeRow sizeRows[] = {
    {TEXT("Shape"), TEXT("Layers"), "", "/layers", always, true},
    {TEXT("Shape"), TEXT("Hidden width"), "", "/hidden", always, true},
    {TEXT("Shape"), TEXT("Feed-forward width"), "", "/ffn", hasFeedForward, false},
    {TEXT("Shape"), TEXT("Vocabulary"), TEXT("tokens"), "/vocab", always, true},
    {TEXT("Shape"), TEXT("Longest context"), TEXT("tokens"), "/max_context", always, false},
    {TEXT("Attention"), TEXT("Heads"), "", "/heads", hasHeads, true},
    {TEXT("Attention"), TEXT("Key/value heads"), "", "/kv_heads", hasOwnKeys, false},
    {TEXT("Attention"), TEXT("Head width"), "", "/head_dim", hasOwnKeys, false},
    {TEXT("Attention"), TEXT("Window"), TEXT("tokens"), "/sliding/window", hasWindow, false},
    {TEXT("Experts"), TEXT("Experts"), "", "/moe/experts", hasExperts, true},
    {TEXT("Experts"), TEXT("Used per token"), "", "/moe/top_k", hasExperts, true},
    {TEXT("Experts"), TEXT("Expert width"), "", "/moe/ffn", hasExperts, true},
    {TEXT("Experts"), TEXT("Shared width"), "", "/moe/shared_ffn", hasExperts, false},
};

#undef TEXT

/// {"moe": {"experts": 64}} from "/moe/experts": paths here are at most two deep.
void put(QJsonObject& object, const QString& path, qint64 value)
{
    const QStringList keys = path.mid(1).split(u'/');
    if (keys.size() == 1) {
        object[keys[0]] = value;
        return;
    }
    QJsonObject child = object[keys[0]].toObject();
    child[keys[1]] = value;
    object[keys[0]] = child;
}

} // namespace

std::vector<FormField> modelFields(const ModelArchitecture& base)
{
    std::vector<FormField> fields;
    FormField name;
    name.group = tr("Model");
    name.label = tr("Name");
    name.value = toQString(base.name);
    name.path = "/name";
    name.text = true;
    name.required = true;
    fields.push_back(name);
    for (const SizeRow& row : sizeRows) {
        if (!row.belongs(base))
            continue;
        FormField field;
        field.group = tr(row.group);
        field.label = tr(row.label);
        field.unit = *row.unit == '\0' ? QString() : tr(row.unit);
        if (const auto value = static_cast<qint64>(numberAt(base, row.path).value_or(0)); value > 0)
            field.value = QString::number(value);
        field.path = row.path;
        field.format = ValueFormat::Integer;
        field.whole = true;
        field.required = row.required;
        fields.push_back(field);
    }
    return fields;
}

Expected<ModelArchitecture> modelFrom(const ModelArchitecture& base, const std::vector<FormValue>& values)
{
    QJsonObject changes;
    std::size_t at = 1;
    for (const SizeRow& row : sizeRows) {
        if (!row.belongs(base))
            continue;
        const FormValue& value = values[at++];
        if (value.changed && value.number)
            put(changes, QLatin1String(row.path), static_cast<qint64>(*value.number));
    }
    auto changed = changedArchitecture(base, QJsonDocument(changes).toJson().toStdString());
    if (!changed)
        return changed;
    // A file may describe a shape that nobody can build; who fills in a form has slipped.
    if (changed->kvHeads > 0 && changed->heads % changed->kvHeads != 0)
        return fail("inconsistent", "/kv_heads",
                    say("must divide the {} query heads: each serves equally many", changed->heads));
    changed->name = toUtf8(values[0].text);
    changed->id = base.custom && !base.id.empty() ? base.id : idFromName(values[0].text);
    changed->hfId.clear();
    if (!changes.isEmpty()) { // said of another shape
        changed->published.clear();
        changed->source = changed->source.empty() ? "entered by hand" : "changed by hand from: " + base.source;
    }
    return parseArchitecture(architectureText(*changed));
}

} // namespace headroom::ui
