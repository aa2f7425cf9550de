// SPDX-License-Identifier: GPL-3.0-or-later
// TraceStream: the text of a trace block by block, plain or gzipped (zlib), never all of it in memory.
#pragma once

#include "core/support/diagnostic.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace headroom::profile
{

/// Told how far a file was read, 0…1; false stops the reading ("cancelled").
using Progress = std::function<bool(double share)>;

class TraceStream final
{
public:
    /// Of a file; "unreadable" where it cannot be opened or is a folder.
    [[nodiscard]] static Expected<TraceStream> open(const std::string& path, Progress progress = {});
    /// Of bytes in memory, which must outlive it.
    [[nodiscard]] static TraceStream of(std::string_view bytes);

    TraceStream(TraceStream&&) noexcept;
    TraceStream& operator=(TraceStream&&) noexcept;
    ~TraceStream();

    /// The next block, valid until the next call; empty at the end and where problem() says why there is no more.
    [[nodiscard]] std::string_view next();
    /// What ended the reading early: "unreadable", "broken-gzip", "too-large" (more than 64 GiB of text), "cancelled".
    [[nodiscard]] const std::optional<Diagnostic>& problem() const;
    /// The first bytes of the text, as many as there are of 4 KiB, without taking them.
    [[nodiscard]] std::string_view peek();

private:
    struct State;
    explicit TraceStream(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

} // namespace headroom::profile
