// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/profile_reading.hpp"

#include "core/profile/device_profile.hpp"
#include "core/profile/trace_readers.hpp"
#include "core/support/say.hpp"
#include "core/support/utf8.hpp"

#include <algorithm>

namespace headroom::profile
{
namespace
{

/// How large a part of the files' own waiting is worth a word.
constexpr double muchOther = 0.1;

Diagnostic note(std::string code, std::string message, std::string hint)
{
    return {Severity::Warning, std::move(code), {}, std::move(message), std::move(hint), {}, 0};
}

Expected<TraceEvents> readTrace(TraceStream& stream, const KernelRules& rules)
{
    const std::string_view beginning = stream.peek();
    if (looksLikeNsysCsv(beginning) && !looksLikeJson(beginning))
        return readNsysCsv(stream, rules);
    if (!looksLikeJson(beginning)) {
        if (stream.problem())
            return tl::unexpected(Diagnostics{*stream.problem()});
        if (beginning.empty())
            return fail("empty", "", said("the file is empty"), said("import a trace that a profiler wrote"));
        return unknownProfile();
    }
    return readKineto(stream, rules);
}

Diagnostic noGpuEvents(const TraceEvents& trace)
{
    Diagnostic problem{Severity::Error, "no-gpu-events", {}, said("holds no GPU events"), {}, {}, 0};
    problem.hint =
        trace.hostEvents > 0 ? said("profile with ProfilerActivity.CUDA") : said("is it the trace of a profiler?");
    return problem;
}

/// The devices of one file.
Expected<std::vector<DeviceWork>> worksOf(Expected<TraceEvents> read, std::string_view fileName, std::string& format,
                                          Diagnostics& warnings)
{
    if (!read)
        return tl::unexpected(read.error());
    const auto trace = std::make_shared<TraceEvents>(*std::move(read));
    if (trace->gpu.empty())
        return tl::unexpected(Diagnostics{noGpuEvents(*trace)});
    settle(*trace);
    format = trace->format;
    warnings.insert(warnings.end(), trace->warnings.begin(), trace->warnings.end());
    std::vector<DeviceWork> works;
    std::vector<bool> has(trace->devices.size());
    for (const GpuEvent& event : trace->gpu)
        has[event.device] = true;
    for (std::size_t i = 0; i < has.size(); ++i) {
        if (!has[i])
            continue;
        DeviceWork work;
        work.trace = trace;
        work.device = static_cast<std::uint16_t>(i);
        work.profile.file = printable(fileName, fileName.size());
        work.profile.rank = trace->rank;
        work.profile.device = trace->devices[i].id;
        work.profile.deviceName = trace->devices[i].name;
        works.push_back(std::move(work));
    }
    return works;
}

/// What the files leave open.
void addWarnings(const std::vector<DeviceWork>& works, ProfileReading& reading)
{
    const DeviceProfile& slowest = reading.devices.front();
    if (slowest.steps.source == StepSource::WholeTrace)
        reading.warnings.push_back(note("no-steps", said("no steps were found: the whole trace counts as one"),
                                        said("call prof.step() once a step")));
    if (slowest.mean.communication > 0 && !reading.ranksCompared)
        reading.warnings.push_back(
            note("one-rank",
                 works.size() < 2 ? said("one rank cannot tell waiting for another from exchanging")
                                  : said("the ranks' collectives do not match: waiting is not told from exchanging"),
                 works.size() < 2 ? said("import the files of the other ranks with it")
                                  : said("import ranks of one group, profiled over the same steps")));
    const double other = slowest.mean.ofClass(KernelClass::Other);
    if (other > muchOther * slowest.mean.busy())
        reading.warnings.push_back(note("not-recognised",
                                        say("{} of the busy time is in kernels that no rule names",
                                            std::to_string(int(100 * other / slowest.mean.busy())) + " %"),
                                        said("add rows for them and import with --rules")));
    if (slowest.mean.unexplained > muchOther * slowest.mean.span)
        reading.warnings.push_back(note(
            "no-launches", said("the trace does not say which calls launched the kernels: idle time is not told apart"),
            said("profile with ProfilerActivity.CPU too")));
}

Expected<ProfileReading> readingOf(std::vector<DeviceWork> works, ProfileReading reading, const ProfileOptions& options)
{
    reading.ranksCompared = markWaiting(works);
    for (DeviceWork& work : works) {
        if (auto problem = makeProfile(work, options.step)) {
            problem->file = work.profile.file;
            return tl::unexpected(Diagnostics{*std::move(problem)});
        }
        reading.devices.push_back(work.profile);
    }
    std::ranges::stable_sort(reading.devices, std::greater(), [](const DeviceProfile& d) { return d.mean.span; });
    addWarnings(works, reading);
    return reading;
}

std::string lastPart(const std::string& path)
{
    return path.substr(path.find_last_of("/\\") + 1);
}

template <typename Result>
Result named(Result result, std::string_view file)
{
    if (!result)
        for (Diagnostic& diagnostic : result.error())
            if (diagnostic.file.empty())
                diagnostic.file = file;
    return result;
}

} // namespace

Expected<ProfileReading> readProfiles(const std::vector<std::string>& paths, const ProfileOptions& options)
{
    try {
        if (paths.empty())
            return fail("no-files", "", said("there is no file"));
        const KernelRules& rules = options.rules != nullptr ? *options.rules : KernelRules::builtIn();
        ProfileReading reading;
        std::vector<DeviceWork> works;
        for (std::size_t i = 0; i < paths.size(); ++i) {
            Progress progress;
            if (options.progress)
                progress = [&, i](double share) {
                    return options.progress((double(i) + share) / double(paths.size()));
                };
            auto stream = named(TraceStream::open(paths[i], progress), lastPart(paths[i]));
            if (!stream)
                return tl::unexpected(stream.error());
            auto read =
                looksLikeSqlite(stream->peek()) ? readNsysSqlite(paths[i], rules, progress) : readTrace(*stream, rules);
            auto own = named(worksOf(std::move(read), lastPart(paths[i]), reading.format, reading.warnings),
                             lastPart(paths[i]));
            if (!own)
                return tl::unexpected(own.error());
            std::ranges::move(*own, std::back_inserter(works));
        }
        return readingOf(std::move(works), std::move(reading), options);
    } catch (const std::exception& error) {
        return fail("internal", "", say("could not be read: {}", error.what()));
    }
}

Expected<ProfileReading> readProfile(std::string_view bytes, std::string_view fileName, const ProfileOptions& options)
{
    try {
        const KernelRules& rules = options.rules != nullptr ? *options.rules : KernelRules::builtIn();
        ProfileReading reading;
        TraceStream stream = TraceStream::of(bytes);
        auto works = named(worksOf(readTrace(stream, rules), fileName, reading.format, reading.warnings), fileName);
        if (!works)
            return tl::unexpected(works.error());
        return readingOf(*std::move(works), std::move(reading), options);
    } catch (const std::exception& error) {
        return fail("internal", "", say("could not be read: {}", error.what()));
    }
}

bool looksLikeProfile(std::string_view fileName, std::string_view beginning)
{
    TraceStream stream = TraceStream::of(beginning);
    const std::string_view text = stream.peek();
    // Some tools write pages of their own before the events.
    const bool isTrace = fileName.ends_with(".trace.json") || fileName.ends_with(".json.gz");
    return looksLikeKineto(text) || looksLikeSqlite(text) || looksLikeNsysCsv(text) || (isTrace && looksLikeJson(text));
}

} // namespace headroom::profile
