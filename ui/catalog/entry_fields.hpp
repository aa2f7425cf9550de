// SPDX-License-Identifier: GPL-3.0-or-later
// The fields of an accelerator and of a model that a form shows, and the entry that filled-in fields make.
#pragma once

#include "core/catalog/accelerator.hpp"
#include "core/model/model_architecture.hpp"
#include "ui/catalog/entry_form.hpp"

namespace headroom::ui
{

[[nodiscard]] std::vector<FormField> acceleratorFields(const Accelerator& base);
/// `base` with the fields' values; checked as a file of the user's catalogue is. Facts that were changed have the user
/// as their source.
[[nodiscard]] Expected<Accelerator> acceleratorFrom(const Accelerator& base, const std::vector<FormValue>& values);

[[nodiscard]] std::vector<FormField> modelFields(const ModelArchitecture& base);
/// `base` with the changed fields put over it; another number of layers repeats or cuts the schedule.
[[nodiscard]] Expected<ModelArchitecture> modelFrom(const ModelArchitecture& base,
                                                    const std::vector<FormValue>& values);

} // namespace headroom::ui
