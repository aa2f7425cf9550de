// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/parameters/kept_bounds.hpp"

#include "ui/base/text.hpp"
#include "ui/settings/settings.hpp"

#include <algorithm>

namespace headroom::ui
{

std::optional<SliderBounds> KeptBounds::of(const ParameterRow& row) const
{
    const QVariantList ends = m_settings.value(SettingKey::SliderBounds).toMap().value(toQString(row.id)).toList();
    if (ends.size() != 2)
        return std::nullopt;
    const SliderBounds bounds{std::max(ends[0].toDouble(), row.minimum), std::min(ends[1].toDouble(), row.maximum)};
    return bounds.low < bounds.high ? std::optional(bounds) : std::nullopt;
}

void KeptBounds::keep(const QString& parameterId, const std::optional<SliderBounds>& bounds)
{
    QVariantMap all = m_settings.value(SettingKey::SliderBounds).toMap();
    if (bounds)
        all[parameterId] = QVariantList{bounds->low, bounds->high};
    else
        all.remove(parameterId);
    m_settings.setValue(SettingKey::SliderBounds, all);
}

} // namespace headroom::ui
