// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/catalog_text.hpp"
#include "core/catalog/record_keys.hpp"
#include "core/units/format.hpp"
#include "ui/base/text.hpp"
#include "ui/base/tr.hpp"
#include "ui/catalog/entry_fields.hpp"
#include "ui/document/catalog_library.hpp"

#include <QDate>

namespace headroom::ui
{
namespace
{

#define TEXT(words) QT_TRANSLATE_NOOP("AcceleratorFields", words)

/// A numeric field: its key in the entry, and the group of facts whose source it is.
struct NumberRow {
    const char *group, *label, *unit;
    const char *path, *source;
    double factor;
    ValueFormat format;
};

constexpr NumberRow peakRow(const char* label, const char* path, const char* source)
{
    return {TEXT("Dense peak"), label, TEXT("TFLOP/s"), path, source, 1e12, ValueFormat::FlopPerS};
}

constexpr const char* priceKey = "/cloud_price_usd_per_hour/value";

constexpr NumberRow numberRows[] = {
    {TEXT("Memory"), TEXT("Memory"), TEXT("GB"), "/memory_gb", "memory", 1e9, ValueFormat::Bytes},
    {TEXT("Memory"), TEXT("Memory bandwidth"), TEXT("GB/s"), "/memory_bandwidth_gbps_bytes", "bandwidth", 1e9,
     ValueFormat::BytesPerS},
    peakRow(TEXT("BF16"), "/peak_tflops/bf16", "peak.bf16"),
    peakRow(TEXT("FP16"), "/peak_tflops/fp16", "peak.fp16"),
    peakRow(TEXT("FP8"), "/peak_tflops/fp8", "peak.fp8"),
    peakRow(TEXT("FP4"), "/peak_tflops/fp4", "peak.fp4"),
    peakRow(TEXT("INT8"), "/peak_tflops/int8", "peak.int8"),
    peakRow(TEXT("TF32"), "/peak_tflops/tf32", "peak.tf32"),
    peakRow(TEXT("FP32"), "/peak_tflops/fp32", "peak.fp32"),
    {TEXT("Links"), TEXT("Scale-up link, one way"), TEXT("GB/s"), "/scaleup_bandwidth_unidir_gbps_bytes", "scaleup",
     1e9, ValueFormat::BytesPerS},
    {TEXT("Links"), TEXT("Scale-up domain"), TEXT("devices"), "/scaleup_domain_size", "scaleup", 1,
     ValueFormat::Integer},
    {TEXT("Links"), TEXT("Host link, one way"), TEXT("GB/s"), "/host_link_unidir_gbps_bytes", "pcie", 1e9,
     ValueFormat::BytesPerS},
    {TEXT("Links"), TEXT("Network per device"), TEXT("Gbit/s"), "/scaleout_nic_gbps_bits", "nic", 1,
     ValueFormat::Plain},
    {TEXT("Power and price"), TEXT("Power limit"), TEXT("W"), "/tdp_w", "tdp", 1, ValueFormat::Watts},
    {TEXT("Power and price"), TEXT("Price per hour"), TEXT("USD"), priceKey, "", 1, ValueFormat::Money},
};

#undef TEXT

void setPrice(Accelerator& a, double value)
{
    if (value <= 0)
        a.price.reset();
    else if (!a.price || a.price->usdPerHour != value)
        a.price = Price{value, {}, {}, toUtf8(QDate::currentDate().toString(Qt::ISODate)), "entered by hand", "own"};
}

/// What a field sets; what was said of another value goes.
void set(Accelerator& a, std::string_view path, double value)
{
    if (path == priceKey) {
        setPrice(a, value);
        return;
    }
    const bool otherMemory = path == "/memory_gb" && value != a.memoryGb;
    const bool one = path == "/scaleup_domain_size" && value <= 0; // a device alone
    setNumberAt(a, path, one ? 1 : value);
    if (otherMemory)
        a.memoryUsableGib.reset();
}

constexpr std::size_t textFields = 2; ///< name, vendor: before the numbers

QString shown(double value)
{
    return value > 0 ? toQString(withLocalMark(toUtf8(QString::number(value, 'g', 10)))) : QString();
}

/// Names that belong to the entry this one was made from.
void becomeOwn(Accelerator& a)
{
    a.aliases.clear();
    a.sources.clear();
    a.custom = true;
}

} // namespace

std::vector<FormField> acceleratorFields(const Accelerator& base)
{
    std::vector<FormField> fields;
    FormField text;
    text.group = tr("Accelerator");
    text.text = true;
    text.label = tr("Name");
    text.value = toQString(base.name);
    text.path = "/name";
    text.required = true;
    fields.push_back(text);
    text.label = tr("Vendor");
    text.value = toQString(base.vendor);
    text.path = "/vendor";
    text.required = false;
    fields.push_back(text);
    for (const NumberRow& row : numberRows) {
        FormField field;
        field.group = tr(row.group);
        field.label = tr(row.label);
        field.unit = tr(row.unit);
        field.value = shown(numberAt(base, row.path).value_or(0));
        field.path = row.path;
        field.factor = row.factor;
        field.format = row.format;
        field.whole = row.format == ValueFormat::Integer;
        field.required = field.path == "/memory_gb" || field.path == "/memory_bandwidth_gbps_bytes";
        fields.push_back(field);
    }
    return fields;
}

Expected<Accelerator> acceleratorFrom(const Accelerator& base, const std::vector<FormValue>& values)
{
    Accelerator a = base;
    becomeOwn(a);
    a.name = toUtf8(values[0].text);
    a.vendor = toUtf8(values[1].text);
    a.id = base.custom ? base.id : idFromName(values[0].text);
    std::size_t at = textFields;
    bool peaksChanged = false;
    for (const NumberRow& row : numberRows) {
        const FormValue& value = values[at++];
        if (!value.changed)
            continue;
        set(a, row.path, value.number.value_or(0));
        if (*row.source != '\0')
            a.fieldSources[row.source] = "entered by hand";
        peaksChanged = peaksChanged || std::string_view(row.source).starts_with("peak.");
    }
    if (peaksChanged) { // said of other peaks
        a.peakAlternates.clear();
        a.measured.clear();
        a.matrix16FlopPerClockPerUnit = 0;
    }
    if (a.scaleUpPeerGbPerS > a.scaleUpGbPerS)
        a.scaleUpPeerGbPerS = a.scaleUpGbPerS;
    return parseAccelerator(acceleratorText(a));
}

} // namespace headroom::ui
