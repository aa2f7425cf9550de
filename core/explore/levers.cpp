// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/explore/levers.hpp"

#include "core/predict/device_domain.hpp"
#include "core/scenario/effective.hpp"
#include "core/support/whole_parts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <optional>
#include <set>

namespace headroom
{
namespace
{

/// How a lever saves memory.
enum class Way : std::uint8_t {
    None,
    Halve,
    Split,  ///< among twice as many ranks that divide the heads, within the scale-up domain
    Spread, ///< over twice as many ranks, on all GPUs
    AddGpus,
    Choose,
    ChooseStored, ///< as Choose; first the format that the checkpoint ships in
    SwitchOn
};

struct Lever {
    std::string_view parameter;
    LeverPrice price;
    Way way;
    std::array<std::string_view, 3> choices{}; ///< the mildest first
    /// Whether its next steps are tried in this setup; null: where the parameter stands in plain view.
    bool (*isTried)(const Setup&) = nullptr;
    bool allMarks = false; ///< its next steps are all marks of the slider: a few may gain nothing where many do
};

// Behind "more" in the window, and often what helps most.
constexpr bool always(const Setup&)
{
    return true;
}
constexpr bool inTraining(const Setup& setup) // few engines split a sequence
{
    return setup.task == Task::Training;
}
constexpr bool whereItOffloads(const Setup& setup) // it saves memory, which next steps are not asked for
{
    return setup.training.offload != Offload::None;
}
constexpr bool withoutStatedBits(const Setup& setup) // which stay: another format would only be multiplied otherwise
{
    return !setup.inference.weightBits;
}

/// The one table of what may be proposed. Everyday parameters without a row cost speed and save no memory.
constexpr std::array levers{
    Lever{"micro_batch", LeverPrice::Speed, Way::Halve},
    Lever{"batch", LeverPrice::Speed, Way::Halve},
    Lever{"checkpointing", LeverPrice::Speed, Way::Choose, {"selective_op", "full"}},
    Lever{"sharding", LeverPrice::Speed, Way::Choose, {"zero1", "fsdp"}},
    Lever{"tensor", LeverPrice::Speed, Way::Split},
    Lever{"pipeline", LeverPrice::Speed, Way::Spread},
    Lever{"rl_rollout_tensor", LeverPrice::Speed, Way::Split},
    Lever{"context", LeverPrice::Speed, Way::Spread, {}, inTraining},
    Lever{"expert", LeverPrice::Speed, Way::Spread, {}, always, true},
    Lever{"chunked_loss", LeverPrice::Speed, Way::SwitchOn, {}, always},
    Lever{"offload", LeverPrice::Speed, Way::Choose, {"optimizer", "parameters"}, whereItOffloads},
    Lever{"count", LeverPrice::Hardware, Way::AddGpus},
    Lever{"kv_cache", LeverPrice::Accuracy, Way::Choose, {"fp8", "int4"}},
    Lever{"weights", LeverPrice::Accuracy, Way::ChooseStored, {"fp8", "int8", "int4"}, withoutStatedBits},
    Lever{"optimizer", LeverPrice::Accuracy, Way::Choose, {"adamw8bit"}},
    Lever{"prompt_tokens", LeverPrice::Workload, Way::Halve},
    Lever{"method", LeverPrice::Question, Way::Choose, {"lora", "qlora"}},
    // Half the sequence is half the work, and other numbers are another result.
    Lever{"sequence_length", LeverPrice::Workload, Way::None},
    Lever{"precision", LeverPrice::Accuracy, Way::None},
    Lever{"compute", LeverPrice::Accuracy, Way::None},
    Lever{"gradients", LeverPrice::Accuracy, Way::None},
    // Other adapters learn something else.
    Lever{"lora_rank", LeverPrice::Question, Way::None},
    Lever{"lora_targets", LeverPrice::Question, Way::None},
    // Another amount of output is another job, and counting FLOP differently makes nothing faster.
    Lever{"output_tokens", LeverPrice::Question, Way::None},
    Lever{"accounting", LeverPrice::Question, Way::None},
    Lever{"efficiency", LeverPrice::Question, Way::None},
};

constexpr double mostTimesGpus = 64;
/// Choices that state ignorance or a special case, not something to try.
constexpr std::array<std::string_view, 3> notToTry{"unknown", "custom", "native"};

const Lever* leverOf(const ParameterRow& row)
{
    const auto* lever = std::ranges::find(levers, row.id, &Lever::parameter);
    return lever == levers.end() ? nullptr : lever;
}

/// A tensor-parallel group stays within the scale-up domain; eight GPUs are a node where there is none.
double mostTensor(const PreparedScenario& prepared)
{
    constexpr double node = 8, most = 64;
    return std::clamp(domainOf(prepared, static_cast<double>(prepared.hardware.count)).size, node, most);
}

/// How far a group of ranks may be doubled on the GPUs that there are.
double mostRanks(const Lever& lever, const PreparedScenario& prepared)
{
    const auto gpus = static_cast<double>(prepared.hardware.count);
    return lever.way == Way::Spread ? gpus : std::min(mostTensor(prepared), gpus);
}

void addHalves(std::vector<LeverMove>& moves, const ParameterRow& row, const Setup& setup, LeverPrice price)
{
    for (double value = std::floor(row.get(setup) / 2); value >= std::max(1.0, row.minimum);
         value = std::floor(value / 2))
        moves.push_back({{{&row, value}}, price});
}

void addChoice(std::vector<LeverMove>& moves, const ParameterRow& row, const Setup& setup, std::string_view id,
               LeverPrice price)
{
    for (std::size_t i = 0; i < row.choices.size(); ++i)
        if (const auto value = static_cast<double>(i); row.choices[i].id == id && value != row.get(setup))
            moves.push_back({{{&row, value}}, price});
}

/// A checkpoint that ships in fewer bits than are asked for: it is the model itself, so that no accuracy is lost.
void addShipped(std::vector<LeverMove>& moves, const ParameterRow& row, const PreparedScenario& prepared)
{
    constexpr double bitsPerByte = 8;
    const auto& shipped = prepared.model->architecture.quantization;
    if (shipped && shipped->bits > 0 && shipped->bits < bitsPerByte * storedBytes(prepared.inference.weights))
        addChoice(moves, row, prepared, toId(DataType::Native), LeverPrice::Speed);
}

/// Twice as many and more; tensor parallel may grow along, and stages where that may not: each GPU's share is smaller.
void addGpus(std::vector<LeverMove>& moves, const ParameterRow& count, const PreparedScenario& setup,
             const IsHeld& held)
{
    const ParameterRow &tensor = *parameterRow("tensor"), &pipeline = *parameterRow("pipeline");
    const double gpus = count.get(setup), ranks = tensor.get(setup), stages = pipeline.get(setup);
    const bool splits = isFree(tensor, setup, held), stretches = isFree(pipeline, setup, held);
    for (double factor = 2; factor <= mostTimesGpus && gpus * factor <= count.maximum; factor *= 2) {
        Edits edits{{&count, gpus * factor}};
        moves.push_back({edits, LeverPrice::Hardware});
        double split = 1;
        while (splits && split < factor && ranks * split * 2 <= mostTensor(setup) &&
               !cutsHeads(setup, {{&tensor, ranks * split * 2}})) {
            split *= 2;
            moves.push_back({{{&count, gpus * factor}, {&tensor, ranks * split}}, LeverPrice::Hardware});
        }
        if (!stretches || split == factor)
            continue;
        if (split > 1)
            edits.push_back({&tensor, ranks * split});
        edits.push_back({&pipeline, stages * factor / split});
        moves.push_back({std::move(edits), LeverPrice::Hardware});
    }
}

void addMoves(std::vector<LeverMove>& moves, const ParameterRow& row, const PreparedScenario& setup, const Lever& lever,
              const IsHeld& held)
{
    switch (lever.way) {
    case Way::None:
        break;
    case Way::Halve:
        addHalves(moves, row, setup, lever.price);
        break;
    case Way::Split:
    case Way::Spread:
        for (double value = row.get(setup) * 2; value <= mostRanks(lever, setup); value *= 2)
            moves.push_back({{{&row, value}}, lever.price});
        break;
    case Way::AddGpus:
        addGpus(moves, row, setup, held);
        break;
    case Way::ChooseStored:
        addShipped(moves, row, setup);
        [[fallthrough]];
    case Way::Choose:
        for (const std::string_view id : lever.choices)
            addChoice(moves, row, setup, id, lever.price);
        break;
    case Way::SwitchOn:
        if (!(row.get(setup) > 0))
            moves.push_back({{{&row, 1}}, lever.price});
        break;
    }
}

} // namespace

void apply(Setup& setup, const ParameterRow& row, double value)
{
    const bool batchOfItsOwn = setup.task == Task::Training && setup.training.globalBatch.has_value();
    const std::int64_t microBatches =
        batchOfItsOwn ? *setup.training.globalBatch / std::max<std::int64_t>(1, setup.training.microBatch) : 1;
    row.set(setup, value);
    if (batchOfItsOwn && row.id == "micro_batch" && !checkSetup(setup).empty())
        setup.training.globalBatch = microBatches * setup.training.microBatch;
}

void applyEdits(Setup& setup, const Edits& edits)
{
    for (const ParameterEdit& edit : edits)
        apply(setup, *edit.row, edit.value);
}

bool isFree(const ParameterRow& row, const Setup& setup, const IsHeld& held)
{
    return isOffered(row, setup) && !(held && held(row.id));
}

std::vector<LeverMove> memoryMoves(const PreparedScenario& setup, const IsHeld& held)
{
    std::vector<LeverMove> moves;
    for (const Lever& lever : levers) {
        const ParameterRow& row = *parameterRow(lever.parameter);
        if (isFree(row, setup, held) && !isOverruled(row, setup))
            addMoves(moves, row, setup, lever, held);
    }
    std::erase_if(moves, [&](const LeverMove& move) {
        return cutsHeads(setup, move.edits) || movesHeldBatch(setup, move.edits, held);
    });
    return moves;
}

bool movesHeldBatch(const PreparedScenario& prepared, const Edits& edits, const IsHeld& held)
{
    if (!held || !prepared.training.globalBatch || !held("global_batch"))
        return false;
    Setup after = prepared.setup();
    applyEdits(after, edits);
    return after.training.globalBatch != prepared.training.globalBatch;
}

bool cutsHeads(const PreparedScenario& prepared, const Edits& edits)
{
    const auto heads = static_cast<double>(prepared.model->architecture.heads);
    const auto divide = [heads](double ranks) { return heads < 1 || dividesInto(heads, ranks); };
    return std::ranges::any_of(edits, [&](const ParameterEdit& edit) {
        const Lever* lever = leverOf(*edit.row);
        return lever && lever->way == Way::Split && !divide(edit.value) && divide(edit.row->get(prepared));
    });
}

LeverPrice priceOf(const ParameterRow& row)
{
    const Lever* lever = leverOf(row);
    return lever ? lever->price : LeverPrice::Speed;
}

bool changesTheWork(const ParameterRow& row)
{
    const LeverPrice price = priceOf(row);
    return price == LeverPrice::Accuracy || price == LeverPrice::Workload || price == LeverPrice::Question;
}

namespace
{

/// The choice of software, whose first entry is none: as well tuned as any.
bool isSoftware(const ParameterRow& row)
{
    return row.group == ParameterGroup::Software && !row.choices.empty() && row.choices.front().id == "tuned";
}

} // namespace

bool isOutOfHand(const ParameterRow& row)
{
    return priceOf(row) == LeverPrice::Hardware || isSoftware(row);
}

std::vector<double> nextSteps(const ParameterRow& row, const Setup& setup)
{
    const Lever* lever = leverOf(row);
    const bool isTried = lever && lever->isTried ? lever->isTried(setup) : row.everyday;
    if (!isTried || priceOf(row) == LeverPrice::Question || !isOffered(row, setup) || isOverruled(row, setup) ||
        row.group == ParameterGroup::Measured || row.group == ParameterGroup::Assumptions ||
        row.group == ParameterGroup::Load)
        return {};
    const double now = row.get(setup);
    std::vector<double> steps;
    if (!row.choices.empty()) {
        // Of software only "tuned": comparing two stacks would mostly compare their fits.
        for (std::size_t i = 0; i < (isSoftware(row) ? 1 : row.choices.size()); ++i)
            if (static_cast<double>(i) != now && std::ranges::find(notToTry, row.choices[i].id) == notToTry.end())
                steps.push_back(static_cast<double>(i));
        return steps;
    }
    if (row.kind == ParameterKind::Toggle)
        return {1 - now};
    if (lever && lever->allMarks) {
        std::ranges::copy_if(row.snaps, std::back_inserter(steps), [now](double snap) { return snap != now; });
        return steps;
    }
    std::optional<double> below, above;
    for (const double snap : row.snaps) {
        if (snap < now && (!below || snap > *below))
            below = snap;
        if (snap > now && (!above || snap < *above))
            above = snap;
    }
    constexpr double halved = 2; // beyond the marks of the slider, where the last one may lie far below
    if (below && row.kind == ParameterKind::Integer)
        below = std::max(*below, std::floor(now / halved));
    if (below)
        steps.push_back(*below);
    if (above)
        steps.push_back(*above);
    return steps;
}

double distance(double a, double b)
{
    return a > 0 && b > 0 ? std::abs(std::log2(a / b)) : std::abs(a - b);
}

std::vector<double> nearbyValues(const ParameterRow& row, const Setup& setup)
{
    constexpr double neighbours = 64, multiples = 16; // tried on either side, and in all
    const double current = row.get(setup);
    std::set<double> values(row.snaps.begin(), row.snaps.end());
    for (std::size_t i = 0; i < row.choices.size(); ++i)
        if (std::ranges::find(notToTry, row.choices[i].id) == notToTry.end())
            values.insert(static_cast<double>(i));
    if (row.kind == ParameterKind::Integer) {
        for (double step = 1; step <= neighbours; ++step)
            values.insert({current - step, current + step});
        // Counts have to be multiples of what divides them.
        const Parallelism& p = setup.parallelism;
        const double unit = static_cast<double>(p.tensor * p.pipeline * p.context);
        const double batch = static_cast<double>(setup.training.microBatch) *
                             std::max(1.0, static_cast<double>(setup.hardware.count) / std::max(1.0, unit));
        for (const double base : {unit, batch})
            for (double k = 0; base > 1 && k < multiples; ++k)
                values.insert(base * std::max(1.0, std::floor(current / base) - multiples / 2 + k));
    }
    std::erase_if(values, [&](double v) { return v < row.minimum || v > row.maximum || v == current; });
    std::vector<double> sorted(values.begin(), values.end());
    std::ranges::stable_sort(sorted, {}, [current](double value) { return distance(value, current); });
    return sorted;
}

} // namespace headroom
