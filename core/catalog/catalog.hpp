// SPDX-License-Identifier: GPL-3.0-or-later
// Catalog: the accelerators and models that Headroom knows, built in and added by the user.
#pragma once

#include "core/catalog/accelerator.hpp"
#include "core/model/model_architecture.hpp"
#include "core/support/diagnostic.hpp"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headroom
{

/// An immutable set of accelerators and models. Copying is cheap (shared entries).
class Catalog final
{
public:
    /// The built-in catalogue, compiled into the library, read at the first call (about 10 ms). Never fails: its files
    /// are checked by tests.
    [[nodiscard]] static const Catalog& builtIn();

    /// In the order of presentation: accelerators by vendor, family and size; models by family and size.
    [[nodiscard]] std::span<const std::shared_ptr<const Accelerator>> accelerators() const { return m_accelerators; }
    [[nodiscard]] std::span<const std::shared_ptr<const ModelArchitecture>> models() const { return m_models; }

    /// By id or exact alias (case-insensitive); null when there is none, or when an alias leaves open which of several
    /// parts is meant: "NVIDIA H100" is what a driver calls the one of 94 GB, and what people call all of them.
    [[nodiscard]] std::shared_ptr<const Accelerator> accelerator(std::string_view idOrAlias) const;
    [[nodiscard]] std::shared_ptr<const ModelArchitecture> model(std::string_view idOrAlias) const;

    /// Best match first; every word of the query must begin or lie within a word of id, name, alias or family.
    [[nodiscard]] std::vector<std::shared_ptr<const Accelerator>> searchAccelerators(std::string_view query) const;
    [[nodiscard]] std::vector<std::shared_ptr<const ModelArchitecture>> searchModels(std::string_view query) const;

    /// A copy with an entry added, or replaced where the id exists.
    [[nodiscard]] Catalog with(Accelerator accelerator) const;
    [[nodiscard]] Catalog with(ModelArchitecture model) const;

private:
    std::vector<std::shared_ptr<const Accelerator>> m_accelerators;
    std::vector<std::shared_ptr<const ModelArchitecture>> m_models;
};

/// What somebody meant who wrote a name that accelerator() does not find: "one of: h100-sxm-80gb, …", "did you mean
/// 'h200-sxm-141gb'?", or nothing.
[[nodiscard]] std::string acceleratorHint(const Catalog& catalog, std::string_view name);

} // namespace headroom
