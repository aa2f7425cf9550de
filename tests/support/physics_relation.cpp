// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/physics_relation.hpp"

#include "tests/support/physics_start.hpp"
#include "tests/support/support.hpp"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>

namespace headroom::test
{
namespace
{

constexpr double rounding = 1 + 1e-7;

struct Exception {
    double bound = rounding;
    bool asked = false, needed = false;
};

std::map<std::string, Exception>& exceptions()
{
    static std::map<std::string, Exception> rows = [] {
        std::map<std::string, Exception> result;
        const auto file = nlohmann::json::parse(readFile(sourcePath("tests/physics_exceptions.json")));
        for (const auto& row : file.at("exceptions")) {
            if (row.at("reason").get<std::string>().size() < 20 || row.at("bound").get<double>() <= 1)
                qFatal("physics_exceptions.json: a row needs a reason and a bound above 1");
            if (!result
                     .emplace(row.at("relation").get<std::string>(),
                              Exception{row.value("in_flight", row.at("bound").get<double>())})
                     .second)
                qFatal("physics_exceptions.json: a relation has two rows");
        }
        return result;
    }();
    return rows;
}

struct Seen {
    long pairs = 0, broken = 0;
    double worst = 1;
    std::string example; ///< the worst pair
};

/// HEADROOM_PHYSICS_SURVEY: no relation fails, and the worst pair of each is printed: what a new bound is set by.
bool survey()
{
    static const bool wanted = std::getenv("HEADROOM_PHYSICS_SURVEY") != nullptr;
    return wanted;
}

std::map<std::string, Seen>& seen()
{
    static std::map<std::string, Seen> all;
    return all;
}

} // namespace

double allowedBadness(const std::string& relation)
{
    const auto row = exceptions().find(relation);
    return row == exceptions().end() ? rounding : std::max(rounding, row->second.bound);
}

bool physicsRelationHolds(const PhysicsRelation& relation, int count)
{
    const double allowed = allowedBadness(relation.name);
    if (const auto row = exceptions().find(relation.name); row != exceptions().end())
        row->second.asked = true;
    Seen& mine = seen()[relation.name];
    return physicsHolds(relation.name, relation.task, count, [&](const PreparedScenario& drawn) -> std::string {
        if (relation.applies && !relation.applies(drawn))
            return {};
        PreparedScenario first = drawn;
        first.measured = {};
        if (relation.first)
            relation.first(first);
        PreparedScenario second = first;
        relation.second(second);
        startAlike(first, second);
        if (!checkSetup(first).empty() || !checkSetup(second).empty())
            return {};
        const std::optional<double> badness = relation.badness(evaluate(first), evaluate(second));
        if (!badness)
            return {};
        ++mine.pairs;
        if (*badness > rounding) {
            ++mine.broken;
            if (*badness > mine.worst) {
                mine.worst = *badness;
                mine.example = survey() ? "  " + physicsText(first) + "\n  " + physicsText(second) + "\n" : "";
            }
            if (const auto row = exceptions().find(relation.name); row != exceptions().end())
                row->second.needed = true;
        }
        if (*badness <= allowed || survey())
            return {};
        return fmt::format("{}: {:.6g}, allowed {:.6g}\nfirst  {}\nsecond {}", relation.name, *badness, allowed,
                           physicsText(first), physicsText(second));
    });
}

long physicsPairsCompared()
{
    long pairs = 0;
    for (const auto& [name, relation] : seen())
        pairs += relation.pairs;
    return pairs;
}

void addRelationRows(const std::vector<PhysicsRelation>& relations)
{
    QTest::addColumn<int>("row");
    int i = 0;
    for (const PhysicsRelation& relation : relations)
        QTest::newRow(relation.name.c_str()) << i++;
}

void reportPhysicsRelations()
{
    for (const auto& [name, relation] : seen())
        if (relation.broken > 0)
            std::cerr << fmt::format("{:<56} {:>6} pairs, {:>5} excepted, worst {:.4g} of {:.4g}\n{}", name,
                                     relation.pairs, relation.broken, relation.worst, allowedBadness(name),
                                     relation.example);
    for (const auto& [name, row] : exceptions())
        if (row.asked && !row.needed)
            std::cerr << "physics_exceptions.json: no pair of this run needed the row of " << name << "\n";
    std::cerr << fmt::format("physics: {} scenarios drawn, {} pairs compared\n", physicsScenariosDrawn(),
                             physicsPairsCompared());
}

std::optional<double> lessThroughput(const Evaluation& a, const Evaluation& b)
{
    return *a.tokensPerS / *b.tokensPerS;
}

std::optional<double> moreMemory(const Evaluation& a, const Evaluation& b)
{
    return b.usedBytes / a.usedBytes;
}

std::optional<double> lessMemory(const Evaluation& a, const Evaluation& b)
{
    return a.usedBytes / b.usedBytes;
}

Badness within(double factor, const Badness& badness)
{
    return [factor, badness](const Evaluation& a, const Evaluation& b) -> std::optional<double> {
        const std::optional<double> value = badness(a, b);
        return value ? std::optional(*value / factor) : value;
    };
}

Change device(const std::function<void(Accelerator&)>& change)
{
    return [change](PreparedScenario& p) {
        Accelerator device = *p.accelerator;
        change(device);
        p.accelerator = std::make_shared<const Accelerator>(std::move(device));
    };
}

Change memoryTwice()
{
    return device([](Accelerator& a) {
        a.memoryUsableGib = a.usableMemoryBytes() / 1073741824 * 2;
        a.memoryGb *= 2;
    });
}

Change scaleOut(double gbitPerS)
{
    return [gbitPerS](PreparedScenario& p) { p.hardware.scaleOutGbitPerS = gbitPerS; };
}

Change devicesPerNode(std::int64_t count)
{
    return [count](PreparedScenario& p) { p.hardware.perNode = count; };
}

void scalePeak(Accelerator& accelerator, double factor)
{
    PeakRates& p = accelerator.peak;
    for (double* rate :
         {&p.fp64, &p.fp32, &p.tf32, &p.fp16, &p.bf16, &p.fp8, &p.int8, &p.int4, &p.fp6, &p.fp4, &p.fp16Accumulate16})
        *rate *= factor;
}

void doubleDevices(PreparedScenario& prepared)
{
    prepared.hardware.count *= 2;
    if (prepared.parallelism.replicas)
        *prepared.parallelism.replicas *= 2;
}

} // namespace headroom::test
