// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/physics.hpp"

#include "core/catalog/accelerator_json.hpp"
#include "core/catalog/architecture_json.hpp"
#include "core/scenario/scenario_json.hpp"

#include <iostream>
#include <nlohmann/json.hpp>
#include <rapidcheck.h>

namespace headroom::test
{
namespace
{

/// Smaller draws: one answer plainest, half as far from it, or the one before.
rc::Seq<PhysicsDraw> smaller(const PhysicsDraw& draw)
{
    std::vector<PhysicsDraw> all;
    const auto with = [&](std::size_t i, std::uint16_t value) {
        all.push_back(draw);
        all.back().choice[i] = value;
    };
    for (std::size_t i = 0; i < draw.choice.size(); ++i)
        if (draw.choice[i] > 0)
            with(i, 0);
    constexpr std::uint16_t least = 512; // finer steps change no answer but a catalogue entry's
    for (std::size_t i = 0; i < draw.choice.size(); ++i)
        if (draw.choice[i] > least)
            with(i, draw.choice[i] / 2);
    return rc::seq::fromContainer(std::move(all));
}

rc::Gen<PhysicsDraw> draws(Task task)
{
    return [task](const rc::Random& random, int) {
        rc::Random bits(random);
        PhysicsDraw draw;
        draw.task = task;
        for (std::size_t i = 0; i < draw.choice.size(); i += 4) {
            std::uint64_t four = bits.next();
            for (std::size_t j = i; j < i + 4; ++j, four >>= 16)
                draw.choice[j] = static_cast<std::uint16_t>(four & 0xffff);
        }
        return rc::shrinkable::shrinkRecur(draw, &smaller);
    };
}

const rc::detail::TestParams& parameters()
{
    return rc::detail::configuration().testParams;
}

long drawn = 0;

} // namespace

void showValue(const PhysicsDraw& draw, std::ostream& out)
{
    out << writeScenarioLine(physicsScenario(draw));
}

std::string physicsText(const PreparedScenario& prepared)
{
    Scenario s;
    s.setup() = prepared.setup();
    const ModelArchitecture& model = prepared.model->architecture;
    const Accelerator& device = *prepared.accelerator;
    s.model.id = model.id;
    s.accelerator.id = device.id;
    if (const auto entry = Catalog::builtIn().accelerator(device.id); !entry || !(*entry == device))
        s.accelerator.object = writeAccelerator(device).dump();
    if (const auto entry = Catalog::builtIn().model(model.id); !entry || !(*entry == model))
        s.model.object = writeArchitecture(model).dump();
    return writeScenarioLine(s);
}

int physicsCount(int normal)
{
    return static_cast<int>(static_cast<long>(normal) * parameters().maxSuccess / 100);
}

std::uint64_t physicsSeed()
{
    static const std::uint64_t seed = [] {
        const std::uint64_t value = parameters().seed;
        std::cerr << "physics: RC_PARAMS=seed=" << value << " draws the same scenarios again\n";
        return value;
    }();
    return seed;
}

long physicsScenariosDrawn()
{
    return drawn;
}

bool physicsHolds(const std::string& name, Task task, int count,
                  const std::function<std::string(const PreparedScenario&)>& wrong)
{
    rc::detail::TestParams params = parameters();
    params.seed = physicsSeed() + std::hash<std::string>{}(name); // each check draws its own
    params.maxSuccess = count;
    const auto property = [&] {
        const PhysicsDraw draw = *draws(task);
        const auto prepared = prepare(physicsScenario(draw), Catalog::builtIn(), Calibration::builtIn());
        if (!prepared)
            RC_DISCARD("refused");
        ++drawn;
        if (const std::string found = wrong(*prepared); !found.empty())
            RC_FAIL(found);
    };
    rc::detail::TestMetadata metadata;
    metadata.id = metadata.description = name;
    const rc::detail::TestResult result = rc::detail::checkTestable(property, metadata, params);
    if (result.is<rc::detail::SuccessResult>())
        return true;
    std::cerr << "\n" << name << "\n";
    rc::detail::printResultMessage(result, std::cerr);
    std::cerr << std::endl;
    return false;
}

} // namespace headroom::test
