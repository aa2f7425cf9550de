// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/profile_table.hpp"

#include "core/metrics/words.hpp"
#include "core/support/markdown.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace headroom::profile
{
namespace
{

std::string cell(const std::optional<double>& seconds)
{
    return seconds ? formatText(*seconds, ValueFormat::Seconds) : "–";
}

std::string headOf(const std::string& letter)
{
    return letter.empty() ? said("Now") : letter;
}

PartAcross& partIn(std::vector<PartAcross>& parts, std::string_view id, std::string_view label, std::size_t columns)
{
    const auto known = std::ranges::find(parts, id, &PartAcross::id);
    return known != parts.end()
               ? *known
               : parts.emplace_back(PartAcross{id, label, std::vector<std::optional<double>>(columns)});
}

} // namespace

std::string signedSeconds(double seconds)
{
    const std::string size = formatText(std::abs(seconds), ValueFormat::Seconds);
    return seconds == 0 ? size : (seconds < 0 ? "−" : "+") + size;
}

std::vector<ProfileTableRow> profileTable(const ProfileComparison& comparison)
{
    std::vector<ProfileTableRow> rows;
    if (comparison.measuredS <= 0)
        return rows;
    for (const ProfilePart& part : comparison.parts)
        rows.push_back({capitalized(said(part.label)), cell(part.predictedS), cell(part.measuredS),
                        signedSeconds(part.differenceS()), part.cause});
    rows.push_back({said("Step"),
                    cell(comparison.predictedS),
                    cell(comparison.measuredS),
                    signedSeconds(comparison.measuredS - comparison.predictedS),
                    {}});
    return rows;
}

std::vector<KernelRow> kernelRows(const ProfiledKernels& kernels, std::size_t most)
{
    std::vector<KernelRow> rows;
    for (const ProfiledKernel& kernel : kernels) {
        if (rows.size() == most)
            break;
        const auto id = std::find(kernelClassIds.begin(), kernelClassIds.end(), kernel.kernelClass);
        const auto kind = static_cast<KernelClass>(id - kernelClassIds.begin());
        const std::string what = said(id == kernelClassIds.end() ? label(KernelClass::Other) : label(kind));
        rows.push_back(
            {kernel.name, say("{}, {} times, {}", formatText(kernel.seconds, ValueFormat::Seconds),
                              formatText(kernel.count, std::floor(kernel.count) == kernel.count ? ValueFormat::Integer
                                                                                                : ValueFormat::Plain),
                              what)});
    }
    return rows;
}

std::string profileMarkdown(const ProfileComparison& comparison)
{
    const auto rows = profileTable(comparison);
    if (rows.empty())
        return {};
    std::string text = fmt::format("| {} | {} | {} | {} | {} |\n|---|---:|---:|---:|---|\n", say("Part"),
                                   say("predicted"), say("measured"), say("difference"), say("likely cause"));
    for (const ProfileTableRow& row : rows)
        text += fmt::format("| {} | {} | {} | {} | {} |\n", markdownText(row.part), row.predicted, row.measured,
                            row.difference, markdownText(row.cause));
    for (const std::string& note : comparison.notes)
        text += "\n" + markdownText(note) + "\n";
    return text;
}

ProfilesAcross profilesAcross(const std::vector<ComparedScenario>& scenarios)
{
    std::vector<const ComparedScenario*> profiled;
    for (const ComparedScenario& each : scenarios)
        if (each.prepared && each.evaluation && each.prepared->measured.profile.any())
            profiled.push_back(&each);
    ProfilesAcross across;
    const auto otherTask = [&](const auto* each) { return each->prepared->task != profiled.front()->prepared->task; };
    if (profiled.size() < 2 || std::ranges::any_of(profiled, otherTask))
        return across;
    PartAcross step{"step", phrase("step"), {}};
    for (const ComparedScenario* each : profiled) {
        const auto comparison = compareProfile(each->prepared->measured.profile, *each->prepared, *each->evaluation);
        for (const ProfilePart& part : comparison.parts)
            if (part.measuredS && *part.measuredS > 0)
                partIn(across.parts, part.id, part.label, profiled.size()).measuredS[across.letters.size()] =
                    part.measuredS;
        step.measuredS.emplace_back(comparison.measuredS);
        across.letters.push_back(each->letter);
    }
    across.parts.push_back(std::move(step));
    return across;
}

std::string profilesMarkdown(const ProfilesAcross& across)
{
    if (across.parts.empty())
        return {};
    std::string text = fmt::format("| {} |", say("Part, as profiled")), rule = "|---|";
    for (const std::string& letter : across.letters) {
        text += " " + headOf(letter) + " |";
        rule += "---:|";
    }
    text += "\n" + rule + "\n";
    for (const PartAcross& part : across.parts) {
        text += "| " + markdownText(capitalized(said(part.label))) + " |";
        for (const auto& seconds : part.measuredS)
            text += " " + cell(seconds) + " |";
        text += "\n";
    }
    return text;
}

std::string profilesCsv(const ProfilesAcross& across, const Comparison& comparison)
{
    std::string text;
    for (const PartAcross& part : across.parts) {
        text += "profile." + std::string(part.id);
        for (const ComparisonColumn& column : comparison.columns) {
            const auto at = std::ranges::find(across.letters, column.letter) - across.letters.begin();
            const auto own = std::size_t(at) < part.measuredS.size() ? part.measuredS[std::size_t(at)] : std::nullopt;
            text += "," + (own ? exactNumber(*own) : std::string());
        }
        text += "\n";
    }
    return text;
}

} // namespace headroom::profile
