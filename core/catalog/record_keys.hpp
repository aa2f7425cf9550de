// SPDX-License-Identifier: GPL-3.0-or-later
// The keys of the catalogue's records as forms and people know them: a number by its path, and the page
// docs/catalog_format.md.
#pragma once

#include "core/catalog/accelerator.hpp"
#include "core/model/model_architecture.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headroom
{

/// The number at a record's path ("/memory_gb", "/moe/experts"), in the key's unit; empty where the list of keys has no
/// number there, or the record lacks the part that would hold it.
[[nodiscard]] std::optional<double> numberAt(const Accelerator& accelerator, std::string_view path);
[[nodiscard]] std::optional<double> numberAt(const ModelArchitecture& architecture, std::string_view path);
/// Puts a number there; false where numberAt() is empty. Nothing else changes, and the range is not asked.
bool setNumberAt(Accelerator& accelerator, std::string_view path, double value);

/// One key. Words are English: they describe a file.
struct RecordKey {
    std::string path;    ///< "/moe/top_k"; "/published/…/what" of each element of an array
    std::string values;  ///< "whole number from 1 to 1024"
    std::string usual;   ///< as a file has it; empty where nothing stands for a key that is left out
    bool needed = false; ///< no record is read without it
};

/// Every key that is written, in that order.
[[nodiscard]] std::vector<RecordKey> acceleratorKeys();
[[nodiscard]] std::vector<RecordKey> architectureKeys();

/// Both lists as the Markdown of docs/catalog_format.md.
[[nodiscard]] std::string catalogFormatPage();

} // namespace headroom
