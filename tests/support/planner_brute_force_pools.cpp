// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/effective.hpp"
#include "tests/support/planner_brute_force.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace headroom::test
{
namespace
{

/// One instance of either pool.
struct Layout {
    PlanAccelerator device;
    std::int64_t tensor = 1, pipeline = 1, context = 1;
    [[nodiscard]] std::int64_t gpus() const { return tensor * pipeline * context; }
};

bool isPower(std::int64_t n)
{
    return (n & (n - 1)) == 0;
}

/// Every pair of layouts, every number of both, every batch. Models without experts and without latent attention.
class Enumeration final
{
public:
    explicit Enumeration(const PlanRequest& request) : r(request), b(request.base), s(request.base) {}

    std::optional<double> run()
    {
        std::vector<PlanAccelerator> devices = r.accelerators;
        if (devices.empty())
            devices = {{b.accelerator, b.hardware.pricePerGpuHour}};
        const std::vector<Layout> decode = layouts(b.parallelism, devices);
        if (b.prefillAccelerator)
            devices = {{b.prefillAccelerator, b.inference.prefillPool.pricePerGpuHour}};
        const std::vector<Layout> prefill = layouts(prefillLayout(b), devices);
        for (const Layout& decoding : decode)
            for (const Layout& reading : prefill)
                numbers(decoding, reading);
        return m_best;
    }

private:
    const PlanRequest& r;
    const PreparedScenario& b;
    PreparedScenario s;
    std::optional<double> m_best;

    [[nodiscard]] std::vector<Layout> layouts(const Parallelism& held,
                                              const std::vector<PlanAccelerator>& devices) const
    {
        const std::int64_t most = r.gpuCounts.back();
        const auto layers = std::int64_t(b.model->layers);
        const auto sizes = [&](PlanDimension d, std::int64_t only) {
            std::vector<std::int64_t> all;
            for (std::int64_t n = 1; n <= most; ++n)
                if (r.free.has(d) || n == only)
                    all.push_back(n);
            return all;
        };
        std::vector<Layout> all;
        for (const PlanAccelerator& device : devices)
            for (const std::int64_t t : sizes(PlanDimension::Tensor, held.tensor))
                for (const std::int64_t p : sizes(PlanDimension::Pipeline, held.pipeline))
                    for (const std::int64_t c : sizes(PlanDimension::Context, held.context)) {
                        const auto& a = b.model->architecture;
                        const bool heads = divides(t, a.heads) && (divides(t, a.kvHeads) || divides(a.kvHeads, t));
                        const bool stages = p <= 8 || divides(p, layers) || isPower(p); // as one pool has them
                        const bool legal =
                            (heads || !r.free.has(PlanDimension::Tensor)) && p <= layers && stages && isPower(c);
                        if (legal && t * p * c <= most)
                            all.push_back({device, t, p, c});
                    }
        return all;
    }

    void numbers(const Layout& decoding, const Layout& reading)
    {
        const std::int64_t most = r.gpuCounts.back(), least = r.gpuCounts.front();
        for (std::int64_t d = decoding.gpus(); d < most; d += decoding.gpus())
            for (std::int64_t p = reading.gpus(); p + d <= most; p += reading.gpus())
                if (r.exactCounts ? std::ranges::count(r.gpuCounts, p + d) > 0 : p + d >= least)
                    batches(decoding, d, reading, p);
    }

    void batches(const Layout& decoding, std::int64_t d, const Layout& reading, std::int64_t p)
    {
        s.accelerator = decoding.device.accelerator;
        s.hardware.pricePerGpuHour = decoding.device.pricePerGpuHour;
        s.hardware.count = d;
        s.parallelism.tensor = decoding.tensor;
        s.parallelism.pipeline = decoding.pipeline;
        s.parallelism.context = decoding.context;
        s.parallelism.replicas = d / decoding.gpus();
        InferenceWorkload& w = s.inference;
        s.prefillAccelerator = reading.device.accelerator;
        w.prefillPool.accelerator = CatalogId::from(reading.device.accelerator->id);
        w.prefillPool.pricePerGpuHour = reading.device.pricePerGpuHour;
        w.prefillPool.count = p;
        w.prefillPool.tensor = reading.tensor;
        w.prefillPool.pipeline = reading.pipeline;
        w.prefillPool.context = reading.context;
        w.prefillPool.expert = w.prefillPool.attentionData = 1;
        w.batch = 1;
        if (!checkSetup(s).empty())
            std::abort(); // the rules let something through that no file may say
        const double fits = *evaluate(s).maxBatch;
        const bool free = r.free.has(PlanDimension::Batch);
        const std::int64_t first = free ? 1 : b.inference.batch, last = free ? 2048 : b.inference.batch;
        for (std::int64_t batch = first; batch <= last && double(batch) <= fits; ++batch) {
            w.batch = batch;
            const Evaluation e = evaluate(s);
            if (!meetsTargets(r, s, e))
                continue;
            const std::array<double, planObjectiveCount> values{
                *e.costPerHour, *e.requestLatencyS + *e.queue->meanWaitS, *e.joulesPerToken, double(d + p), -*e.mfu};
            const double value = values[static_cast<std::size_t>(r.objective)];
            m_best = std::min(value, m_best.value_or(value));
        }
    }
};

} // namespace

std::optional<double> poolsBruteForce(const PlanRequest& request)
{
    return Enumeration(request).run();
}

} // namespace headroom::test
