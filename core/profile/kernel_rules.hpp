// SPDX-License-Identifier: GPL-3.0-or-later
// KernelRules: which class of work a GPU kernel belongs to, by the rows of a table that users can add to.
#pragma once

#include "core/support/diagnostic.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headroom::profile
{

/// What a kernel does.
enum class KernelClass : std::uint8_t {
    Matmul,
    Attention,
    Router,
    Norm,
    Quantise,
    Elementwise,
    Optimizer,
    Copy,
    Communication,
    Other ///< no row names it; it keeps its name
};
inline constexpr int kernelClassCount = 10;

/// What a communication kernel exchanges. NCCL sends an all-to-all as sends and receives: only a trace that names the
/// collective tells them apart.
enum class Collective : std::uint8_t {
    AllReduce,
    AllGather,
    ReduceScatter,
    AllToAll,
    SendRecv,
    Other,
    Waiting ///< the part of any of them in which this rank waited for another; known with several ranks' files only
};
inline constexpr int collectiveCount = 7;

/// Ids in files and JSON: "matmul", "all_reduce".
[[nodiscard]] std::string_view idOf(KernelClass kernelClass);
[[nodiscard]] std::string_view idOf(Collective collective);
/// As tables show them, in English: what say() is asked for.
[[nodiscard]] std::string_view label(KernelClass kernelClass);
[[nodiscard]] std::string_view label(Collective collective);

/// A class, and of communication what is exchanged.
struct KernelKind {
    KernelClass kernelClass = KernelClass::Other;
    Collective collective = Collective::Other; ///< of communication only
    bool operator==(const KernelKind&) const = default;
};

/// One row: a kernel matches where its name holds one of `contains` (or begins with one of `begins`) and, where `also`
/// is not empty, one of `also`.
struct KernelRule {
    KernelKind kind;
    std::vector<std::string> contains, begins, also;
    bool ignoreCase = false;
    [[nodiscard]] bool matches(std::string_view name) const;
};

/// The table.
class KernelRules final
{
public:
    /// resources/profile_rules.json: checked by tests.
    [[nodiscard]] static const KernelRules& builtIn();
    /// A file of the same form: its rows come before the built-in ones. At most 1 MiB.
    [[nodiscard]] static Expected<KernelRules> withOwn(std::string_view json);

    /// The first row that matches decides. Names of any length; linear in it.
    [[nodiscard]] KernelKind kindOf(std::string_view name) const;
    [[nodiscard]] const std::vector<KernelRule>& rows() const { return m_rows; }

private:
    std::vector<KernelRule> m_rows;
};

/// What a trace's own words for a collective mean ("_allgather_base", "all_to_allv"); empty where they say nothing.
[[nodiscard]] std::optional<Collective> collectiveNamed(std::string_view name);

} // namespace headroom::profile
