// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/trace_stream.hpp"

#include "core/support/file_name.hpp"
#include "core/support/say.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <vector>
#include <zlib.h>

namespace headroom::profile
{
namespace
{

constexpr std::size_t blockBytes = 256u << 10;
constexpr std::uint64_t mostText = std::uint64_t(64) << 30; ///< a bomb's text has no end; a day's trace is below

} // namespace

/// Bytes from a file or from memory, and the inflating of them.
struct TraceStream::State {
    struct CloseFile {
        void operator()(std::FILE* opened) const { std::fclose(opened); }
    };

    std::unique_ptr<std::FILE, CloseFile> file;
    std::string_view memory; ///< what is left of it
    Progress progress;
    double size = 0; ///< of the file in bytes, 0 where it is not known
    std::uint64_t taken = 0, given = 0;
    std::vector<unsigned char> raw = std::vector<unsigned char>(blockBytes);
    std::vector<char> text;
    std::string ahead; ///< what peek() saw
    bool started = false, zipped = false, inflating = false, ended = false;
    z_stream zip{};
    std::optional<Diagnostic> problem;

    State() = default;
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State()
    {
        if (inflating)
            inflateEnd(&zip);
    }

    void stop(std::string code, std::string message, std::string hint)
    {
        ended = true;
        problem = Diagnostic{Severity::Error, std::move(code), {}, std::move(message), std::move(hint), {}, 0};
    }

    /// Fills `raw`; 0 at the end.
    std::size_t fill()
    {
        std::size_t count = 0;
        if (file) {
            count = std::fread(raw.data(), 1, raw.size(), file.get());
            if (count == 0 && std::ferror(file.get()) != 0)
                stop("unreadable", said("the file cannot be read"), {});
        } else {
            count = std::min(raw.size(), memory.size());
            std::copy_n(memory.data(), count, raw.data());
            memory.remove_prefix(count);
        }
        taken += count;
        if (progress && !ended && !progress(size > 0 ? std::min(1.0, double(taken) / size) : 0))
            stop("cancelled", said("the import was cancelled"), {});
        return ended ? 0 : count;
    }

    std::string_view inflateNext()
    {
        zip.next_out = reinterpret_cast<Bytef*>(text.data());
        zip.avail_out = static_cast<uInt>(text.size());
        while (zip.avail_out > 0 && !ended) {
            if (zip.avail_in == 0) {
                zip.next_in = raw.data();
                zip.avail_in = static_cast<uInt>(fill());
                if (zip.avail_in == 0) {
                    if (!problem && inflating)
                        stop("broken-gzip", said("the gzip file ends too early"), said("is it cut off? Copy it again"));
                    ended = true;
                    break;
                }
            }
            if (!inflating) { // a further member of the same file, or zeros that pad it
                if (*zip.next_in != 0x1f) {
                    ended = true;
                    break;
                }
                inflating = inflateInit2(&zip, 16 + MAX_WBITS) == Z_OK;
            }
            const int result = inflate(&zip, Z_NO_FLUSH);
            if (result == Z_STREAM_END) {
                inflateEnd(&zip);
                inflating = false;
            } else if (result != Z_OK && result != Z_BUF_ERROR) {
                stop("broken-gzip",
                     say("the gzip file is broken after {} bytes of text", given + text.size() - zip.avail_out),
                     said("copy it again"));
            }
        }
        return {text.data(), text.size() - zip.avail_out};
    }

    std::string_view read()
    {
        if (ended)
            return {};
        if (!started) {
            started = true;
            const std::size_t count = fill();
            zipped = count >= 2 && raw[0] == 0x1f && raw[1] == 0x8b;
            if (zipped) {
                text.resize(blockBytes);
                zip.next_in = raw.data();
                zip.avail_in = static_cast<uInt>(count);
            } else {
                ended = ended || count == 0;
                return counted({reinterpret_cast<const char*>(raw.data()), count});
            }
        }
        if (zipped)
            return counted(inflateNext());
        const std::size_t count = fill();
        ended = ended || count == 0;
        return counted({reinterpret_cast<const char*>(raw.data()), count});
    }

    std::string_view counted(std::string_view block)
    {
        given += block.size();
        if (given <= mostText)
            return block;
        stop("too-large", said("the trace holds more than 64 GiB of text"), said("profile fewer steps"));
        return {};
    }
};

TraceStream::TraceStream(std::unique_ptr<State> state) : m_state(std::move(state)) {}
TraceStream::TraceStream(TraceStream&&) noexcept = default;
TraceStream& TraceStream::operator=(TraceStream&&) noexcept = default;
TraceStream::~TraceStream() = default;

Expected<TraceStream> TraceStream::open(const std::string& path, Progress progress)
{
    auto state = std::make_unique<State>();
    state->file.reset(openToRead(path));
    char first = 0; // a folder opens and cannot be read
    if (!state->file || (std::fread(&first, 1, 1, state->file.get()) == 0 && std::ferror(state->file.get()) != 0))
        return fail("unreadable", "", said("the file cannot be read"));
    if (std::fseek(state->file.get(), 0, SEEK_END) == 0) {
        state->size = double(std::max(0L, std::ftell(state->file.get())));
        std::rewind(state->file.get());
    } else if (std::feof(state->file.get()) == 0 && // a pipe
               std::ungetc(static_cast<unsigned char>(first), state->file.get()) == EOF) {
        return fail("unreadable", "", said("the file cannot be read"));
    }
    state->progress = std::move(progress);
    return TraceStream(std::move(state));
}

TraceStream TraceStream::of(std::string_view bytes)
{
    auto state = std::make_unique<State>();
    state->memory = bytes;
    return TraceStream(std::move(state));
}

std::string_view TraceStream::next()
{
    if (m_state->ahead.empty())
        return m_state->read();
    m_state->text.assign(m_state->ahead.begin(), m_state->ahead.end());
    const std::size_t count = m_state->ahead.size();
    m_state->ahead.clear();
    if (m_state->zipped)
        m_state->text.resize(std::max(count, blockBytes));
    return {m_state->text.data(), count};
}

std::string_view TraceStream::peek()
{
    constexpr std::size_t enough = 4096;
    while (m_state->ahead.size() < enough) {
        const std::string_view block = m_state->read();
        if (block.empty())
            break;
        m_state->ahead += block;
    }
    return std::string_view(m_state->ahead).substr(0, enough);
}

const std::optional<Diagnostic>& TraceStream::problem() const
{
    return m_state->problem;
}

} // namespace headroom::profile
