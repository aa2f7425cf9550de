// SPDX-License-Identifier: GPL-3.0-or-later
// The SQLite file of `nsys export --type sqlite`.
#include "core/profile/trace_readers.hpp"

#include "core/support/say.hpp"
#include "core/support/utf8.hpp"

#include <algorithm>
#include <memory>
#include <set>
#include <sqlite3.h>

namespace headroom::profile
{
namespace
{

struct Close {
    void operator()(sqlite3* database) const { sqlite3_close(database); }
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};

Diagnostic problemOf(std::string code, std::string message, std::string hint)
{
    return {Severity::Error, std::move(code), {}, std::move(message), std::move(hint), {}, 0};
}

/// One of a process' things among those of others: calls are numbered anew in each.
std::uint32_t ofProcess(std::int64_t correlation, std::int64_t globalId)
{
    // globalPid and globalTid hold the process in bits 24 to 47 (Nsight Systems user guide, "Common SQLite Examples").
    constexpr std::uint32_t spread = 2654435761u; // Knuth's multiplicative hash: neighbours far apart
    const auto process = static_cast<std::uint32_t>((static_cast<std::uint64_t>(globalId) >> 24) & 0xffffff);
    const std::uint32_t key = static_cast<std::uint32_t>(correlation) ^ (process * spread);
    return correlation == 0 ? 0 : std::max(1u, key);
}

class NsysDatabase final
{
public:
    NsysDatabase(const std::string& path, const KernelRules& rules, const Progress& progress)
        : m_progress(progress), m_names(events, rules)
    {
        sqlite3* database = nullptr;
        const int result =
            sqlite3_open_v2(path.c_str(), &database, SQLITE_OPEN_READONLY | SQLITE_OPEN_PRIVATECACHE, nullptr);
        m_database.reset(database);
        if (result != SQLITE_OK)
            refuse();
        // A file from anywhere: no functions and triggers of its own, no more work than its rows are.
        sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
        sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
        constexpr int steps = 100'000; // of SQLite's machine between two calls: milliseconds
        sqlite3_progress_handler(database, steps, &NsysDatabase::goOn, this);
    }

    void read()
    {
        readStrings();
        readKernels("CUPTI_ACTIVITY_KIND_KERNEL");
        readCopies("CUPTI_ACTIVITY_KIND_MEMCPY", "[CUDA memcpy]");
        readCopies("CUPTI_ACTIVITY_KIND_MEMSET", "[CUDA memset]");
        readGraphs();
        readCalls();
        readAnnotations();
        readDevices();
    }

    TraceEvents events;
    std::optional<Diagnostic> problem;

private:
    using Statement = std::unique_ptr<sqlite3_stmt, Close>;

    static int goOn(void* self)
    {
        auto& reader = *static_cast<NsysDatabase*>(self);
        if (!reader.m_progress || reader.m_progress(reader.m_share))
            return 0;
        reader.problem = problemOf("cancelled", said("the import was cancelled"), {});
        return 1;
    }

    void refuse()
    {
        if (problem)
            return;
        const char* why = m_database ? sqlite3_errmsg(m_database.get()) : "";
        problem = problemOf("broken-database", say("the SQLite file cannot be read: {}", printable(why)),
                            said("export it again: nsys export --type sqlite"));
    }

    /// The columns of a table; none where it is not there, or something else (a view may never end).
    std::set<std::string> columnsOf(const char* table)
    {
        std::set<std::string> columns;
        const auto isTable = prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?1 AND "
                                     "sql LIKE 'CREATE TABLE%'");
        if (!isTable)
            return columns;
        sqlite3_bind_text(isTable.get(), 1, table, -1, SQLITE_STATIC);
        if (sqlite3_step(isTable.get()) != SQLITE_ROW)
            return columns;
        const auto names = prepare("SELECT name FROM pragma_table_info(?1)");
        if (!names)
            return columns;
        sqlite3_bind_text(names.get(), 1, table, -1, SQLITE_STATIC);
        while (sqlite3_step(names.get()) == SQLITE_ROW)
            if (const auto* text = sqlite3_column_text(names.get(), 0))
                columns.insert(reinterpret_cast<const char*>(text));
        return columns;
    }

    Statement prepare(const std::string& sql)
    {
        sqlite3_stmt* statement = nullptr;
        if (problem || sqlite3_prepare_v2(m_database.get(), sql.c_str(), -1, &statement, nullptr) != SQLITE_OK) {
            refuse();
            return nullptr;
        }
        return Statement(statement);
    }

    /// Calls use(statement) for each row; false from it stops.
    template <typename Use>
    void each(const std::string& sql, Use use)
    {
        const auto statement = prepare(sql);
        if (!statement)
            return;
        int result = SQLITE_ROW;
        while ((result = sqlite3_step(statement.get())) == SQLITE_ROW)
            if (!use(statement.get()))
                return;
        if (result != SQLITE_DONE)
            refuse();
    }

    static std::string_view text(sqlite3_stmt* row, int column)
    {
        const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(row, column));
        return bytes != nullptr ? std::string_view(bytes, static_cast<std::size_t>(sqlite3_column_bytes(row, column)))
                                : std::string_view();
    }

    static bool has(const std::set<std::string>& columns, std::initializer_list<const char*> wanted)
    {
        return std::ranges::all_of(wanted, [&](const char* name) { return columns.contains(name); });
    }
    /// A column, or a value in its place where the table has none.
    static std::string columnOr(const std::set<std::string>& columns, const char* name, const char* otherwise)
    {
        return columns.contains(name) ? name : otherwise;
    }

    /// Names stand in a table of their own, each once.
    void readStrings()
    {
        constexpr std::size_t mostBytes = 64u << 20;
        if (!has(columnsOf("StringIds"), {"id", "value"}))
            return;
        std::size_t bytes = 0;
        each("SELECT id, value FROM StringIds", [&](sqlite3_stmt* row) {
            bytes += text(row, 1).size();
            m_strings.emplace(sqlite3_column_int64(row, 0), text(row, 1));
            return bytes < mostBytes;
        });
    }

    /// The row's times; empty where they are none.
    static std::optional<Span> spanOf(sqlite3_stmt* row)
    {
        const Span span{sqlite3_column_int64(row, 0), sqlite3_column_int64(row, 1)};
        const bool sound = span.start > -latest && span.end < latest && span.end >= span.start;
        return sound ? std::optional(span) : std::nullopt;
    }

    bool add(sqlite3_stmt* row, std::string_view name)
    {
        const auto span = spanOf(row);
        if (!span)
            return true;
        if (events.gpu.size() >= mostEvents) {
            problem = problemOf("too-large", say("the trace holds more than {} events of one kind", mostEvents),
                                said("profile fewer steps"));
            return false;
        }
        GpuEvent event;
        event.start = span->start;
        event.end = span->end;
        event.device = events.deviceIndex(sqlite3_column_int64(row, 2));
        event.correlation = ofProcess(sqlite3_column_int64(row, 3), sqlite3_column_int64(row, 4));
        event.name = m_names.add(name);
        event.kind = events.names[event.name].kind;
        events.gpu.push_back(event);
        return true;
    }

    void readKernels(const char* table)
    {
        const auto columns = columnsOf(table);
        if (!has(columns, {"start", "end", "deviceId"}))
            return;
        m_share = 0.1;
        const std::string name = columnOr(columns, "demangledName", columnOr(columns, "shortName", "NULL").c_str());
        each("SELECT start, end, deviceId, " + columnOr(columns, "correlationId", "0") + ", " +
                 columnOr(columns, "globalPid", "0") + ", " + name + " FROM " + table,
             [&](sqlite3_stmt* row) {
                 const auto known = m_strings.find(sqlite3_column_int64(row, 5));
                 return add(row, known != m_strings.end() ? std::string_view(known->second) : text(row, 5));
             });
    }

    void readCopies(const char* table, std::string_view name)
    {
        const auto columns = columnsOf(table);
        if (!has(columns, {"start", "end", "deviceId"}))
            return;
        each("SELECT start, end, deviceId, " + columnOr(columns, "correlationId", "0") + ", " +
                 columnOr(columns, "globalPid", "0") + " FROM " + table,
             [&](sqlite3_stmt* row) { return add(row, name); });
    }

    /// Graphs traced whole: their kernels are not in the file.
    void readGraphs()
    {
        const auto columns = columnsOf("CUPTI_ACTIVITY_KIND_GRAPH_TRACE");
        if (!has(columns, {"start", "end", "deviceId"}))
            return;
        const std::size_t before = events.gpu.size();
        each("SELECT start, end, deviceId, " + columnOr(columns, "correlationId", "0") + ", " +
                 columnOr(columns, "globalPid", "0") + " FROM CUPTI_ACTIVITY_KIND_GRAPH_TRACE",
             [&](sqlite3_stmt* row) { return add(row, "CUDA graph"); });
        if (events.gpu.size() > before)
            events.warnings.push_back(wholeGraphs());
    }

    void readCalls()
    {
        const auto columns = columnsOf("CUPTI_ACTIVITY_KIND_RUNTIME");
        if (!has(columns, {"start", "end", "correlationId"}))
            return;
        m_share = 0.5;
        each("SELECT start, end, correlationId, " + columnOr(columns, "globalTid", "0") +
                 " FROM CUPTI_ACTIVITY_KIND_RUNTIME",
             [&](sqlite3_stmt* row) {
                 ++events.hostEvents;
                 const auto span = spanOf(row);
                 const auto call = ofProcess(sqlite3_column_int64(row, 2), sqlite3_column_int64(row, 3));
                 if (span && call != 0)
                     events.launches.push_back({call, span->start, span->end});
                 return events.launches.size() < mostEvents;
             });
    }

    void readAnnotations()
    {
        const auto columns = columnsOf("NVTX_EVENTS");
        if (!has(columns, {"start", "end", "text"}))
            return;
        m_share = 0.9;
        each("SELECT start, end, text, " + columnOr(columns, "textId", "NULL") +
                 " FROM NVTX_EVENTS WHERE end IS NOT NULL",
             [&](sqlite3_stmt* row) {
                 const auto known = m_strings.find(sqlite3_column_int64(row, 3));
                 const std::string_view name =
                     text(row, 2).empty() && known != m_strings.end() ? std::string_view(known->second) : text(row, 2);
                 const auto span = spanOf(row);
                 const auto step = nvtxStepNamed(name);
                 if (span && step)
                     events.steps.push_back({*step, *span, false, 0, 0});
                 return events.steps.size() < mostEvents;
             });
    }

    void readDevices()
    {
        if (!has(columnsOf("TARGET_INFO_GPU"), {"id", "name"}))
            return;
        each("SELECT id, name FROM TARGET_INFO_GPU", [&](sqlite3_stmt* row) {
            const auto device = std::ranges::find(events.devices, sqlite3_column_int64(row, 0), &TraceDevice::id);
            if (device != events.devices.end())
                device->name = printable(text(row, 1));
            return true;
        });
    }

    const Progress& m_progress;
    std::unique_ptr<sqlite3, Close> m_database;
    NameTable m_names;
    std::unordered_map<std::int64_t, std::string> m_strings;
    double m_share = 0;
};

} // namespace

bool looksLikeSqlite(std::string_view beginning)
{
    return beginning.starts_with(std::string_view("SQLite format 3\0", 16)); // https://www.sqlite.org/fileformat.html
}

Expected<TraceEvents> readNsysSqlite(const std::string& path, const KernelRules& rules, const Progress& progress)
{
    NsysDatabase database(path, rules, progress);
    if (!database.problem)
        database.read();
    if (database.problem)
        return tl::unexpected(Diagnostics{*database.problem});
    database.events.format = said("Nsight Systems export");
    return std::move(database.events);
}

} // namespace headroom::profile
