// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/prices.hpp"

#include "core/scenario/effective.hpp"
#include "core/support/say.hpp"
#include "core/units/currency.hpp"
#include "core/units/format.hpp"

namespace headroom
{

namespace
{

using Known = std::shared_ptr<const KnownPrice>;

/// Null where the price was stated since.
const KnownPrice* behind(std::optional<double> price, const Known& known)
{
    return known && price == known->perHour ? known.get() : nullptr;
}

Known known(const Accelerator& accelerator, PriceKind kind)
{
    auto price = knownPrice(accelerator, kind);
    return price ? std::make_shared<const KnownPrice>(std::move(*price)) : nullptr;
}

void forgetLookedUp(PreparedScenario& p)
{
    Hardware& h = p.hardware;
    if (behind(h.pricePerGpuHour, p.price)) {
        h.pricePerGpuHour.reset();
        if (h.spotMtbfHours == p.price->spotMtbfHours)
            h.spotMtbfHours.reset();
    }
    if (behind(p.inference.prefillPool.pricePerGpuHour, p.prefillPrice))
        p.inference.prefillPool.pricePerGpuHour.reset();
    p.price.reset();
    p.prefillPrice.reset();
}

void setPrefillPrice(PreparedScenario& p, Known price)
{
    p.inference.prefillPool.pricePerGpuHour = price->perHour;
    p.prefillPrice = std::move(price);
}

} // namespace

void lookUpPrice(PreparedScenario& p)
{
    forgetLookedUp(p);
    Hardware& h = p.hardware;
    const auto& listed = p.accelerator->listed;
    if (h.priceKind == PriceKind::Spot && !h.spotMtbfHours && listed)
        h.spotMtbfHours = listed->spotMtbfHours;
    const PriceKind kind = h.priceKind.value_or(PriceKind::OnDemand);
    const auto& reader = p.prefillAccelerator;
    const bool asksReader = reader && !p.inference.prefillPool.pricePerGpuHour;
    if (h.pricePerGpuHour) {
        const bool listKnows = asksReader && reader->id != p.accelerator->id && reader->listed;
        if (listKnows && reader->listed->of(kind))
            setPrefillPrice(p, known(*reader, kind));
        return;
    }
    if (!(h.priceKind || (listed && listed->onDemand)))
        return;
    Known price = known(*p.accelerator, kind);
    if (!price)
        return;
    if (asksReader) {
        if (Known theirs = known(*reader, kind))
            setPrefillPrice(p, std::move(theirs));
        else if (hasPrefillPool(p))
            return; // of both together no price is known
    }
    h.pricePerGpuHour = price->perHour;
    p.price = std::move(price);
}

void followPriceKind(PreparedScenario& changed, std::string_view parameter, const PreparedScenario& base)
{
    const bool stated = parameter == "price_per_gpu_hour";
    if (!stated && parameter != "price_kind")
        return;
    if (!stated) {
        changed.hardware.pricePerGpuHour = base.hardware.pricePerGpuHour;
        changed.hardware.spotMtbfHours = base.hardware.spotMtbfHours;
    }
    changed.inference.prefillPool.pricePerGpuHour = base.inference.prefillPool.pricePerGpuHour;
    changed.price = stated ? nullptr : base.price; // one that is stated was not looked up, though it be the same
    changed.prefillPrice = base.prefillPrice;
    lookUpPrice(changed);
}

const KnownPrice* lookedUpPrice(const PreparedScenario& p)
{
    return behind(p.hardware.pricePerGpuHour, p.price);
}

const KnownPrice* lookedUpPrefillPrice(const PreparedScenario& p)
{
    const bool another = p.prefillAccelerator && p.prefillAccelerator->id != p.accelerator->id;
    return another && hasPrefillPool(p) ? behind(p.inference.prefillPool.pricePerGpuHour, p.prefillPrice) : nullptr;
}

std::vector<std::string> priceSources(const PreparedScenario& p)
{
    std::vector<std::string> sources;
    if (const KnownPrice* price = lookedUpPrice(p))
        sources.push_back(say("{} a GPU-hour: {}; {}.", formatText(price->perHour, ValueFormat::Money),
                              priceOrigin(*price), currencyName(price->currency)));
    if (const KnownPrice* price = lookedUpPrefillPrice(p))
        sources.push_back(say("{} an hour of a prefill GPU: {}; {}.", formatText(price->perHour, ValueFormat::Money),
                              priceOrigin(*price), currencyName(price->currency)));
    return sources;
}

} // namespace headroom
