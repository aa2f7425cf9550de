// SPDX-License-Identifier: GPL-3.0-or-later
// What the subcommands of headroom-cli share: the catalogue, the constants, the exit status, the formats.
#pragma once

#include "core/calibration/calibration.hpp"
#include "core/catalog/catalog.hpp"
#include "core/metrics/metric_registry.hpp"
#include "core/scenario/scenario_json.hpp"
#include "core/support/diagnostic.hpp"

#include <CLI/CLI.hpp>
#include <cerrno>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace headroom::cli
{

/// Exit status (docs/cli.md).
enum class Status : int { Done = 0, Refused = 1, WrongUsage = 2 };

enum class Format { Text, Json, JsonLines, Csv, Markdown };

class Context final
{
public:
    /// Read on first use: --help should not wait for the catalogue.
    [[nodiscard]] const Catalog& catalog();
    [[nodiscard]] const std::shared_ptr<const Calibration>& calibration();

    Status status = Status::Done;
    std::optional<FittedEfficiency> efficiency; ///< in place of the scenarios' own
    /// For commands about runs: a scenario that has moved on from its measurement is read as what was measured.
    bool asMeasured = false;
    /// Puts the prices of a list at the catalogue's accelerators. What cannot be read, or names an accelerator that
    /// there is not, ends the program (std::exception).
    void usePrices(const std::string& path);
    void refused() { status = Status::Refused; }

private:
    std::unique_ptr<Catalog> m_catalog;
    std::shared_ptr<const Calibration> m_calibration;
};

/// Adds the option --format with some of the formats.
void addFormat(CLI::App& command, Format& format, std::initializer_list<Format> formats);

/// Adds the option --efficiency: a file that calibrate wrote. What cannot be read ends the program (std::exception).
void addEfficiency(CLI::App& command, Context& context);

/// Adds the option --prices: a price list (docs/prices.md). What cannot be read ends the program (std::exception).
void addPrices(CLI::App& command, Context& context);

/// Adds the option --metric, several times; `otherwise` is what stands for none.
void addMetrics(CLI::App& command, std::vector<std::string>& ids, const std::string& otherwise);
/// A figure by the key of the result; wrongUsage() with the nearest key where there is none.
[[nodiscard]] const MetricRow& metricNamed(const std::string& id);

/// Adds the option --threads, 1 to 256.
void addThreads(CLI::App& command, unsigned& threads);

/// Ends the program with Status::WrongUsage and what is wrong with an option's value (CLI::ValidationError).
[[noreturn]] void wrongUsage(const std::string& option, const std::string& message);

/// A file of at most so many MiB: "unreadable" (a folder, too) or "too-large" otherwise; the caller knows its name, and
/// what helps against a large one.
[[nodiscard]] Expected<std::string> readInputFile(const std::string& path, std::size_t mostMiB = 4,
                                                  const std::string& hint = {});

/// Ends the program with the first of the problems of a file (std::exception).
[[noreturn]] void endWith(const Diagnostics& problems, const std::string& file);
/// What a call of the C library failed of, the last one where no number is given, in words; unlike strerror() safe in
/// any thread.
[[nodiscard]] std::string systemError(int number = errno);

/// One message on standard error: "headroom-cli: file:3: /workload/batch: …".
void printMessage(const Diagnostic& diagnostic);
void printMessages(const Diagnostics& diagnostics);
/// Ends the call with Status::Refused and says why; of a file, where the problems do not name theirs.
void refuse(Context& context, const Diagnostics& problems);
void refuseFile(Context& context, const std::string& file, Diagnostics problems);
/// Results: standard output, in large pieces.
void print(std::string_view text);

/// The subcommands: one file each, and one row in main.cpp.
void addEvaluate(CLI::App& app, Context& context);
void addSweep(CLI::App& app, Context& context);
void addPlan(CLI::App& app, Context& context);
void addExplain(CLI::App& app, Context& context);
void addValidate(CLI::App& app, Context& context);
void addCalibrate(CLI::App& app, Context& context);
void addLessons(CLI::App& app, Context& context);
void addModels(CLI::App& app, Context& context);
void addAccelerators(CLI::App& app, Context& context);
void addImportConfig(CLI::App& app, Context& context);
void addImportLog(CLI::App& app, Context& context);
void addImportProfile(CLI::App& app, Context& context);
void addManual(CLI::App& app, Context& context);

} // namespace headroom::cli
