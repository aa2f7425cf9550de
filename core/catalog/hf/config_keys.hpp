// SPDX-License-Identifier: GPL-3.0-or-later
// PRIVATE to core/catalog/hf*: ConfigKeys: checked reading of one object of a config.json; what is wrong is collected,
// never thrown.
#pragma once

#include "core/support/diagnostic.hpp"

#include <cstdint>
#include <initializer_list>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headroom::hf
{

/// The whole numbers that a key may hold, ends included.
struct Bounds {
    std::int64_t low = 1, high = (std::int64_t{1} << 40) - 1;
};
inline constexpr Bounds sizes{};
inline constexpr Bounds counts{0};
inline constexpr Bounds layerCounts{1, 100000};

/// Alternative names of one fact, in order of preference.
using Names = std::initializer_list<std::string_view>;

/// Unlike ObjectReader, which reads our own strict formats, it takes several names for a fact and passes over keys that
/// nobody asks for. A key that is absent and one that is null mean the same. After a problem a reader goes on with a
/// harmless value, so that one pass finds every fault of a file; whoever reads must look at the problems before using
/// the result.
class ConfigKeys final
{
public:
    /// `object` and `problems` must outlive the reader. Anything but an object reads as an empty one.
    ConfigKeys(const nlohmann::json& object, std::string path, Diagnostics& problems);

    [[nodiscard]] bool has(std::string_view name) const { return find(name) != nullptr; }
    [[nodiscard]] bool mentions(std::string_view name) const; ///< also where it is null
    [[nodiscard]] const nlohmann::json* find(std::string_view name) const;
    [[nodiscard]] std::vector<std::string> names() const; ///< of all keys, null ones too
    [[nodiscard]] const std::string& path() const { return m_path; }

    /// The first name that is present; nullopt where none is.
    [[nodiscard]] std::optional<std::int64_t> whole(Names names, Bounds bounds = sizes) const;
    /// A positive size; a problem "missing-key" where no name is present.
    [[nodiscard]] std::int64_t required(Names names, Bounds bounds = sizes) const;
    [[nodiscard]] std::int64_t size(Names names, std::int64_t fallback) const;
    /// A number that may be 0, meaning "none".
    [[nodiscard]] std::int64_t count(Names names, std::int64_t fallback = 0) const;
    /// A finite number within [low, high].
    [[nodiscard]] double real(Names names, double fallback, double low, double high) const;
    [[nodiscard]] bool flag(Names names, bool fallback) const;
    [[nodiscard]] std::string text(Names names, std::string fallback = {}) const;
    [[nodiscard]] std::vector<std::int64_t> numbers(std::string_view name, Bounds bounds = counts) const;
    [[nodiscard]] std::vector<std::string> words(std::string_view name) const;
    [[nodiscard]] ConfigKeys object(std::string_view name) const;
    [[nodiscard]] std::vector<ConfigKeys> objects(std::string_view name) const;

    void missing(Names names, std::string hint = {}) const;
    void problem(std::string code, std::string_view name, std::string message, std::string hint = {}) const;

private:
    [[nodiscard]] std::int64_t wholeOf(const nlohmann::json& value, std::string_view place, Bounds bounds) const;

    const nlohmann::json* m_object;
    std::string m_path;
    Diagnostics* m_problems;
};

/// The value as a message shows it, shortened.
[[nodiscard]] std::string shown(const nlohmann::json& value);

} // namespace headroom::hf
