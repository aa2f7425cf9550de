// SPDX-License-Identifier: GPL-3.0-or-later
// prepare(): names looked up, the model compiled, the sizes checked.
#include "core/predict/evaluate.hpp"
#include "core/predict/phases.hpp"
#include "core/predict/prices.hpp"
#include "core/predict/utilization.hpp"
#include "core/scenario/effective.hpp"
#include "core/scenario/scenario_json.hpp"
#include "core/support/per_thread.hpp"
#include "core/support/say.hpp"

#include <algorithm>
#include <vector>

namespace headroom
{
namespace
{

using ProfilePointer = std::shared_ptr<const ModelProfile>;
using ArchitecturePointer = std::shared_ptr<const ModelArchitecture>;

/// The models this thread compiled last. Per thread, so that a search on many threads never waits for a lock.
/// A profile is found by the catalogue entry it came from (held, so that its address stays its own) and, for object
/// forms, by their text.
class ProfileCache final
{
public:
    [[nodiscard]] ProfilePointer find(const ArchitecturePointer& entry, const std::string& object)
    {
        const auto found = std::ranges::find_if(
            m_slots, [&entry, &object](const Slot& slot) { return slot.entry == entry && slot.object == object; });
        return found == m_slots.end() ? nullptr : found->profile;
    }

    void add(ArchitecturePointer entry, const std::string& object, ProfilePointer profile)
    {
        if (object.size() > largestObject)
            return;
        Slot slot{std::move(entry), object, std::move(profile)};
        if (m_slots.size() < mostSlots)
            m_slots.push_back(std::move(slot));
        else
            m_slots[m_next++ % mostSlots] = std::move(slot);
    }

private:
    /// Enough for a file of many models in mixed order; a config.json of megabytes is not worth keeping.
    static constexpr std::size_t mostSlots = 64, largestObject = 16384;

    struct Slot {
        ArchitecturePointer entry;
        std::string object;
        ProfilePointer profile;
    };
    std::vector<Slot> m_slots;
    std::size_t m_next = 0;
};

} // namespace

Expected<std::shared_ptr<const ModelProfile>> profileOf(const ModelChoice& choice, const Catalog& catalog)
{
    auto& cache = ofThisThread<ProfileCache>();
    const ArchitecturePointer entry = catalog.model(choice.id);
    if (entry || !choice.object.empty()) {
        if (auto profile = cache.find(entry, choice.object))
            return profile;
    }
    auto architecture = resolveModel(choice, catalog);
    if (!architecture)
        return tl::unexpected(std::move(architecture.error()));
    auto profile = std::make_shared<const ModelProfile>(compileModel(std::move(*architecture)));
    cache.add(entry, choice.object, profile);
    return profile;
}

namespace
{

/// What is not published of a part and needed to evaluate anything; empty: nothing.
std::string missingFact(const Accelerator& accelerator)
{
    const PeakRates& peak = accelerator.peak;
    if (!(accelerator.memoryGb > 0))
        return say("no memory size of the {} is published", accelerator.name);
    if (!(accelerator.memoryBandwidthGbPerS > 0))
        return say("no memory bandwidth of the {} is published", accelerator.name);
    if (!(peak.fp32 > 0 || peak.tf32 > 0 || peak.fp16 > 0 || peak.bf16 > 0))
        return say("no 16-bit or 32-bit peak rate of the {} is published", accelerator.name);
    return {};
}

/// The catalogue also shows parts of which too little is published to evaluate anything.
Expected<std::shared_ptr<const Accelerator>> complete(std::shared_ptr<const Accelerator> accelerator)
{
    std::string missing = missingFact(*accelerator);
    if (missing.empty())
        return accelerator;
    const std::string_view key = !(accelerator->memoryBandwidthGbPerS > 0) ? R"("memory_bandwidth_gbps_bytes": …)"
                                                                           : R"("peak_tflops": {"bf16": …})";
    const std::string example = R"({"id": ")" + accelerator->id + R"(", )" + std::string(key) + "}";
    return fail("incomplete-accelerator", "/hardware/accelerator", std::move(missing),
                say("add your figure: {}", example));
}

Expected<std::shared_ptr<const Accelerator>> acceleratorOf(const AcceleratorChoice& choice, const Catalog& catalog)
{
    if (choice.object.empty()) {
        if (auto entry = catalog.accelerator(choice.id))
            return complete(std::move(entry));
    }
    auto accelerator = resolveAccelerator(choice, catalog);
    if (!accelerator)
        return tl::unexpected(std::move(accelerator.error()));
    return complete(std::make_shared<const Accelerator>(std::move(*accelerator)));
}

void append(Diagnostics& problems, const Diagnostics& more)
{
    problems.insert(problems.end(), more.begin(), more.end());
}

/// A stage, or a piece of one, without a layer would be billed and do nothing. Embedding and head may take a piece of
/// their own (PipelineLayout).
Expected<void> checkStages(const Setup& setup, const ModelProfile& model)
{
    const Parallelism& p = setup.parallelism;
    const auto layers = std::int64_t(model.layers);
    if (p.pipeline > layers)
        return fail("out-of-range", "/parallelism/pipeline",
                    layers == 1 ? say("{} stages are more than the model's 1 layer", p.pipeline)
                                : say("{} stages are more than the model's {} layers", p.pipeline, layers),
                    say("use at most {}", layers));
    if (hasPrefillPool(setup) && setup.inference.prefillPool.pipeline > layers)
        return fail(
            "out-of-range", "/workload/prefill_pool/parallelism/pipeline",
            layers == 1
                ? say("{} stages are more than the model's 1 layer", *setup.inference.prefillPool.pipeline)
                : say("{} stages are more than the model's {} layers", *setup.inference.prefillPool.pipeline, layers),
            say("use at most {}", layers));
    const std::int64_t pieces = p.pipeline * p.virtualPipeline;
    if (setup.task == Task::Training && p.pipeline > 1 && pieces > layers && pieces != layers + 2)
        return fail("out-of-range", "/parallelism/virtual_pipeline",
                    say("pipeline × virtual_pipeline = {} × {} = {} pieces are more than the model's {} layers",
                        p.pipeline, p.virtualPipeline, pieces, layers),
                    say("use at most {}", std::max<std::int64_t>(1, layers / p.pipeline)));
    return {};
}

/// The draft model that the scenario names; null where it names none.
Expected<ProfilePointer> draftOf(const InferenceWorkload& workload, const Catalog& catalog)
{
    if (!workload.draftModel)
        return ProfilePointer();
    auto profile = profileOf({std::string(workload.draftModel->text()), {}}, catalog);
    if (!profile)
        for (Diagnostic& problem : profile.error())
            problem.path = "/workload/speculative/draft_model";
    return profile;
}

/// The accelerator of the prefill pool; null where the scenario names none.
Expected<std::shared_ptr<const Accelerator>> readerOf(const InferenceWorkload& workload, const Catalog& catalog)
{
    if (!workload.prefillPool.accelerator)
        return std::shared_ptr<const Accelerator>();
    auto accelerator = acceleratorOf({std::string(workload.prefillPool.accelerator->text()), {}}, catalog);
    if (!accelerator)
        for (Diagnostic& problem : accelerator.error())
            problem.path = "/workload/prefill_pool/accelerator";
    return accelerator;
}

/// A model without layers that predict tokens ahead cannot draft for itself.
Expected<void> checkDrafting(const Setup& setup, const ModelProfile& model)
{
    if (setup.task == Task::Inference && setup.inference.drafting == Drafting::Mtp && !model.mtp)
        return fail("unknown-name", "/workload/speculative/method",
                    say("{} has no layer for multi-token prediction", model.architecture.name),
                    said("use 'eagle3', or a model that has such layers"));
    return {};
}

/// Adapters of matrices that the model does not have would train nothing.
Expected<void> checkAdapters(const Setup& setup, const ModelProfile& model)
{
    const TrainingWorkload& w = setup.training;
    if (setup.task == Task::Training && w.method != Method::Full && !(loraParameters(model, 1, w.loraTargets) > 0))
        return fail("out-of-range", "/workload/lora/targets",
                    say("{} has none of these matrices: no parameter would be trained", model.architecture.name),
                    said("use 'all-linear', or name matrices that it has"));
    return {};
}

/// What the sizes ask of the model.
void checkModel(const Setup& setup, const ModelProfile& model, Diagnostics& problems)
{
    if (auto drafts = checkDrafting(setup, model); !drafts)
        append(problems, drafts.error());
    else if (auto stages = checkStages(setup, model); !stages)
        append(problems, stages.error());
    else if (auto adapters = checkAdapters(setup, model); !adapters)
        append(problems, adapters.error());
}

/// Each phase has to go together as the scenario itself has. Paths name the phase, messages what is wrong in it.
Diagnostics checkPhases(const PreparedScenario& prepared)
{
    Diagnostics all;
    for (std::size_t i = 0; i < prepared.phases->size(); ++i) {
        Diagnostics wrong = checkSetup(phaseScenario(prepared, (*prepared.phases)[i]));
        for (Diagnostic& problem : wrong) {
            problem.path = "/workload/phases/" + std::to_string(i);
            all.push_back(std::move(problem));
        }
    }
    return all;
}

} // namespace

Diagnostics checkSetup(const Setup& setup, const ModelProfile& model)
{
    Diagnostics problems = checkSetup(setup);
    if (problems.empty())
        checkModel(setup, model, problems);
    return problems;
}

Diagnostics checkSetup(const PreparedScenario& prepared)
{
    Diagnostics problems = checkSetup(prepared.setup(), *prepared.model);
    if (problems.empty() && prepared.phases && prepared.task == Task::Training)
        problems = checkPhases(prepared);
    return problems;
}

Expected<PreparedScenario> prepare(const Scenario& scenario, const Catalog& catalog,
                                   std::shared_ptr<const Calibration> calibration)
{
    try {
        Diagnostics problems = checkSetup(scenario);
        const auto model = profileOf(scenario.model, catalog);
        if (!model)
            append(problems, model.error());
        const auto accelerator = acceleratorOf(scenario.accelerator, catalog);
        if (!accelerator)
            append(problems, accelerator.error());
        const auto draft = draftOf(scenario.inference, catalog);
        if (!draft)
            append(problems, draft.error());
        const auto reader = readerOf(scenario.inference, catalog);
        if (!reader)
            append(problems, reader.error());
        if (!problems.empty())
            return tl::unexpected(std::move(problems));
        checkModel(scenario, **model, problems);
        if (!problems.empty())
            return tl::unexpected(std::move(problems));

        PreparedScenario prepared;
        prepared.setup() = scenario.setup();
        if (scenario.measuredWith)
            prepared.measured = {}; // of another run
        prepared.model = *model;
        prepared.accelerator = *accelerator;
        prepared.draft = *draft;
        prepared.prefillAccelerator = *reader;
        prepared.calibration = calibration ? std::move(calibration) : Calibration::builtIn();
        lookUpPrice(prepared);
        if (scenario.fittedOn.any() && !scenario.efficiency.isPlain())
            prepared.fittedOn = std::make_shared<const FittedOn>(scenario.fittedOn);
        if (prepared.measured.profile.any() && !scenario.kernels.empty())
            prepared.kernels = std::make_shared<const ProfiledKernels>(scenario.kernels);
        if (!scenario.phases.empty() && scenario.task == Task::Training) {
            prepared.phases = std::make_shared<const TrainingPhases>(scenario.phases);
            if (Diagnostics wrong = checkPhases(prepared); !wrong.empty())
                return tl::unexpected(std::move(wrong));
        }
        return prepared;
    } catch (const std::exception& error) { // out of memory on an absurd model: an answer, not a crash
        return fail("internal", "", say("the scenario could not be prepared: {}", error.what()));
    }
}

} // namespace headroom
