// SPDX-License-Identifier: GPL-3.0-or-later
// KeptBounds: the ends of sliders that somebody chose, in the settings.
#pragma once

#include "core/scenario/parameter_registry.hpp"
#include "core/scenario/slider_scale.hpp"

#include <QString>
#include <optional>

namespace headroom::ui
{

class Settings;

class KeptBounds final
{
public:
    explicit KeptBounds(Settings& settings) : m_settings(settings) {}
    /// Within what the row allows; empty = the registry's.
    [[nodiscard]] std::optional<SliderBounds> of(const ParameterRow& row) const;
    /// Empty = the registry's again.
    void keep(const QString& parameterId, const std::optional<SliderBounds>& bounds);

private:
    Settings& m_settings;
};

} // namespace headroom::ui
