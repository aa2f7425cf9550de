// SPDX-License-Identifier: GPL-3.0-or-later
// Relations between trainings that fail, and that differ in one thing.
#include "core/scenario/effective.hpp"
#include "tests/support/physics_relation.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

namespace headroom::test_physics_goodput
{

using test::Badness;
using test::Change;
using test::PhysicsRelation;

namespace
{

constexpr int pairs = 1000; // of each relation

std::optional<double> lessUseful(const Evaluation& a, const Evaluation& b)
{
    return a.goodput->share / b.goodput->share;
}
/// The second may be spot too, with whatever interruptions it was drawn with.
std::optional<double> lessUsefulOrAsMuch(const Evaluation& a, const Evaluation& b)
{
    return a.goodput->mtbfS > b.goodput->mtbfS ? std::nullopt : lessUseful(a, b);
}
std::optional<double> moreUseful(const Evaluation& a, const Evaluation& b)
{
    return b.goodput->share / a.goodput->share;
}
std::optional<double> sooner(const Evaluation& a, const Evaluation& b)
{
    return *a.secondsToTrain / *b.secondsToTrain;
}
std::optional<double> cheaper(const Evaluation& a, const Evaluation& b)
{
    return *a.costToTrain / *b.costToTrain;
}

const std::vector<PhysicsRelation>& relations()
{
    using R = Reliability;
    static const std::vector<PhysicsRelation> table = [] {
        std::vector<PhysicsRelation> r;
        const auto set = [](auto R::*field, double value) {
            return [field, value](PreparedScenario& p) {
                p.training.trainingTokens = 1e12;
                p.hardware.pricePerGpuHour = 2;
                if (!p.training.reliability.gpuMtbfHours)
                    p.training.reliability.gpuMtbfHours = usualGpuMtbfHours;
                auto& changed = p.training.reliability.*field;
                changed = static_cast<std::decay_t<decltype(changed)>>(value);
            };
        };
        const auto add = [&r](std::string name, const Change& first, const Change& second, Badness badness) {
            r.push_back({std::move(name), Task::Training, first, second, std::move(badness), {}});
        };
        add("G mtbf x2 trains less", set(&R::gpuMtbfHours, 25000), set(&R::gpuMtbfHours, 50000), lessUseful);
        add("G mtbf x400 trains less", set(&R::gpuMtbfHours, 25000), set(&R::gpuMtbfHours, 1e7), lessUseful);
        add("G restart 1 -> 60 min sooner", set(&R::restartS, 60), set(&R::restartS, 3600), sooner);
        add("G maintenance sooner", set(&R::maintenance, 0), set(&R::maintenance, 0.1), sooner);
        add("G stragglers sooner", set(&R::stragglerSigma, 0.01), set(&R::stragglerSigma, 0.05), sooner);
        add("G spares cheaper", set(&R::spares, 0), set(&R::spares, 16), cheaper);
        add("G spares change the time", set(&R::spares, 0), set(&R::spares, 16), lessUseful);
        add("G spares change the time, either way", set(&R::spares, 0), set(&R::spares, 16), moreUseful);
        const auto spot = [&set](double hours) {
            return [hours, base = set(&R::gpuMtbfHours, 50000)](PreparedScenario& p) {
                base(p);
                p.hardware.priceKind = PriceKind::Spot;
                p.hardware.spotMtbfHours = hours;
            };
        };
        add("G spot interruptions x10 train less", spot(100), spot(1000), lessUseful);
        add("G spot trains less than on demand", spot(500), set(&R::gpuMtbfHours, 50000), lessUsefulOrAsMuch);
        add("G checkpoint 1 -> 60 s sooner", set(&R::checkpointS, 1), set(&R::checkpointS, 60), sooner);
        return r;
    }();
    return table;
}

} // namespace

class TestPhysicsGoodput : public QObject
{
    Q_OBJECT
private slots:
    void relation_data() { test::addRelationRows(relations()); }
    void relation()
    {
        QFETCH(int, row);
        QVERIFY(test::physicsRelationHolds(relations()[static_cast<std::size_t>(row)], test::physicsCount(pairs)));
    }
    void cleanupTestCase() { test::reportPhysicsRelations(); }
};
HEADROOM_TEST(TestPhysicsGoodput)

} // namespace headroom::test_physics_goodput
#include "test_physics_goodput.moc"
