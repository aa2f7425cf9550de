// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/parameters/catalog_entries.hpp"

#include "core/model/model_profile.hpp"
#include "core/scenario/scenario_json.hpp"
#include "core/units/format.hpp"
#include "ui/base/text.hpp"
#include "ui/base/tr.hpp"

namespace headroom::ui
{
namespace
{

QString attentionName(AttentionKind kind)
{
    switch (kind) {
    case AttentionKind::Mha:
        return QStringLiteral("MHA");
    case AttentionKind::Gqa:
        return QStringLiteral("GQA");
    case AttentionKind::Mqa:
        return QStringLiteral("MQA");
    case AttentionKind::Mla:
    case AttentionKind::Dsv4:
        return QStringLiteral("MLA");
    case AttentionKind::None:
        break;
    }
    return {};
}

/// Joins what there is; what a maker does not publish is left out.
QString joined(const QStringList& facts)
{
    QStringList present = facts;
    present.removeAll(QString());
    return present.join(QStringLiteral(" · "));
}

QString value(double number, ValueFormat format)
{
    return number > 0 ? toQString(formatText(number, format)) : QString();
}

} // namespace

PickerEntry entryOf(const ModelArchitecture& model)
{
    const ParameterCounts counts = countParameters(model);
    QString size = value(counts.total, ValueFormat::Parameters);
    if (model.moe.experts > 0 && counts.active > 0 && counts.active < counts.total)
        size = tr("%1, %2 active").arg(size, value(counts.active, ValueFormat::Parameters));
    else if (!size.isEmpty())
        size = tr("%1 parameters").arg(size);
    const QString context = model.maxContext >= 1024 ? tr("%1k context").arg(model.maxContext / 1024)
                            : model.maxContext > 0   ? tr("%1 context").arg(model.maxContext)
                                                     : QString();
    return {toQString(model.id), toQString(model.name), joined({size, attentionName(model.attention.kind), context}),
            model.custom};
}

PickerEntry entryOf(const Accelerator& accelerator)
{
    const double bf16 = accelerator.peakFlops(DataType::Bf16);
    const QString peak = bf16 > 0 ? tr("%1 bf16").arg(value(bf16, ValueFormat::FlopPerS))
                                  : value(accelerator.peakFlops(DataType::Fp32), ValueFormat::FlopPerS);
    QString name = toQString(accelerator.name);
    const QString vendor = toQString(accelerator.vendor);
    if (!name.startsWith(vendor))
        name = vendor + u' ' + name;
    return {toQString(accelerator.id), name,
            joined({value(accelerator.usableMemoryBytes(), ValueFormat::Bytes),
                    value(accelerator.memoryBandwidth(), ValueFormat::BytesPerS), peak}),
            accelerator.custom};
}

namespace
{

template <typename Entries>
std::vector<PickerEntry> entriesOf(const Entries& entries)
{
    std::vector<PickerEntry> all;
    for (const auto& entry : entries)
        all.push_back(entryOf(*entry));
    return all;
}

/// `part`: the model or the accelerator as it was read; `unnamed`: what it is called where it has no name.
PickerEntry described(const std::string& id, const auto& part, const QString& unnamed)
{
    const bool named = part && !part->name.empty();
    return {toQString(id), named ? toQString(part->name) : unnamed, tr("described in the scenario file")};
}

} // namespace

PickerEntry describedEntry(const ModelChoice& model, const Catalog& catalog)
{
    return described(model.id, resolveModel(model, catalog), tr("Custom model"));
}

PickerEntry describedEntry(const AcceleratorChoice& accelerator, const Catalog& catalog)
{
    return described(accelerator.id, resolveAccelerator(accelerator, catalog), tr("Custom accelerator"));
}

PickerSearch modelSearch(const Catalog& catalog)
{
    return [&catalog](const QString& query) {
        return query.isEmpty() ? entriesOf(catalog.models()) : entriesOf(catalog.searchModels(toUtf8(query)));
    };
}

PickerSearch acceleratorSearch(const Catalog& catalog)
{
    return [&catalog](const QString& query) {
        return query.isEmpty() ? entriesOf(catalog.accelerators())
                               : entriesOf(catalog.searchAccelerators(toUtf8(query)));
    };
}

} // namespace headroom::ui
