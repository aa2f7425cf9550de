// SPDX-License-Identifier: GPL-3.0-or-later
// What the pickers show of a catalogue entry: its name and one line of facts.
#pragma once

#include "core/catalog/catalog.hpp"
#include "core/scenario/scenario.hpp"
#include "ui/widgets/catalog_picker.hpp"

namespace headroom::ui
{

/// "405.9 B parameters · GQA · 128k context"
[[nodiscard]] PickerEntry entryOf(const ModelArchitecture& model);
/// "192 GB · 5.3 TB/s · 1307 TFLOP/s bf16"
[[nodiscard]] PickerEntry entryOf(const Accelerator& accelerator);

/// What a scenario describes itself, by the name that it gives.
[[nodiscard]] PickerEntry describedEntry(const ModelChoice& model, const Catalog& catalog);
[[nodiscard]] PickerEntry describedEntry(const AcceleratorChoice& accelerator, const Catalog& catalog);

/// The catalogue is looked at anew for every query: it may have changed, and must outlive the search.
[[nodiscard]] PickerSearch modelSearch(const Catalog& catalog);
[[nodiscard]] PickerSearch acceleratorSearch(const Catalog& catalog);

} // namespace headroom::ui
