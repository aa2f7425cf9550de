// SPDX-License-Identifier: GPL-3.0-or-later
// SampleTrace: small traces as a profiler writes them, for tests.
#pragma once

#include <fmt/format.h>
#include <string>

namespace headroom::test
{

class SampleTrace final
{
public:
    /// Times in µs.
    SampleTrace& kernel(const std::string& name, double start, double duration, int correlation = 0, int device = 0,
                        const std::string& more = {})
    {
        return event("kernel", name, start, duration,
                     fmt::format(R"("device": {}, "stream": 7, "correlation": {}{})", device, correlation, more),
                     device);
    }
    SampleTrace& copy(double start, double duration)
    {
        return event("gpu_memcpy", "Memcpy HtoD (Pinned -> Device)", start, duration, R"("device": 0, "stream": 7)", 0);
    }
    SampleTrace& launch(double start, double duration, int correlation)
    {
        return event("cuda_runtime", "cudaLaunchKernel", start, duration,
                     fmt::format(R"("correlation": {})", correlation));
    }
    SampleTrace& hostStep(int number, double start, double duration)
    {
        return event("user_annotation", fmt::format("ProfilerStep#{}", number), start, duration, {});
    }
    SampleTrace& gpuStep(int number, double start, double duration)
    {
        return event("gpu_user_annotation", fmt::format("ProfilerStep#{}", number), start, duration, {}, 0);
    }
    SampleTrace& event(const std::string& category, const std::string& name, double start, double duration,
                       const std::string& arguments, int process = 4711)
    {
        m_events += fmt::format(
            R"({}{{"ph": "X", "cat": "{}", "name": "{}", "pid": {}, "tid": 7, "ts": {:.3f}, "dur": {:.3f}, "args": {{{}}}}})",
            m_events.empty() ? "" : ",\n", category, name, process, start, duration, arguments);
        return *this;
    }
    SampleTrace& rank(int rank)
    {
        m_head += fmt::format(R"("distributedInfo": {{"backend": "nccl", "rank": {}, "world_size": 2}}, )", rank);
        return *this;
    }
    [[nodiscard]] std::string text() const
    {
        return R"({"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "NVIDIA H100 80GB HBM3"}], )" + m_head +
               "\"traceEvents\": [\n" + m_events + "\n]}\n";
    }

private:
    std::string m_head, m_events;
};

} // namespace headroom::test
