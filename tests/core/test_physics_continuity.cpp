// SPDX-License-Identifier: GPL-3.0-or-later
// Sliders: over every numeric parameter, no figure jumps but where a named threshold says why.
#include "core/predict/device_domain.hpp"
#include "core/predict/inference/inference_lengths.hpp"
#include "core/predict/inference/inference_pass.hpp"
#include "core/scenario/parameter_registry.hpp"
#include "core/units/numbers.hpp"
#include "tests/support/physics_relation.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <map>

namespace headroom::test_physics_continuity
{
namespace
{

constexpr int scenarios = 60; // a parameter and task
constexpr int steps = 24;     // over the slider, before the largest change is looked at closely

/// What a person sees move.
struct Figure {
    const char* name;
    double (*of)(const Evaluation&);
};
constexpr std::array figures{
    Figure{"step time", [](const Evaluation& r) { return r.stepTimeS.value_or(0); }},
    Figure{"TPOT", [](const Evaluation& r) { return r.tpotS.value_or(0); }},
    Figure{"TTFT", [](const Evaluation& r) { return r.ttftS.value_or(0); }},
    Figure{"memory", [](const Evaluation& r) { return r.usedBytes; }},
    // Not where failures come sooner than the next checkpoint: they go with e to the power of an interval over the time
    // between failures, and a run that is shorter than its interval is one. Of whole steps of reinforcement learning
    // they jump with the copies' whole answers and the update's whole passes: core.test_physics_rl has those.
    Figure{"effective tokens",
           [](const Evaluation& r) {
               const bool compared = r.goodput && !r.rl && r.goodput->intervalS < r.goodput->mtbfS;
               return compared ? r.goodput->tokensPerS : 0;
           }},
};

/// One point of a sweep.
struct Point {
    PreparedScenario prepared;
    Evaluation result;
    double x = 0;
};

/// Why two neighbouring values of a parameter may give figures that are not neighbours.
struct Threshold {
    const char* name;
    double most; ///< factor that a figure may jump by there
    bool (*between)(const Point& a, const Point& b);
};

/// Sequences that a rank serves, and that it was asked to hold: memory that is missing is that of the second.
std::pair<double, double> perRank(const Point& p)
{
    const auto ranks = double(p.prepared.parallelism.attentionData);
    return {std::ceil(p.result.batch / ranks), std::ceil(double(p.prepared.inference.batch) / ranks)};
}
/// Prompts that a rank of the prefill pool reads together.
double pooledPerRank(const Point& p)
{
    const std::int64_t ranks =
        p.prepared.inference.prefillPool.attentionData.value_or(p.prepared.parallelism.attentionData);
    return p.result.pools ? std::ceil(p.result.pools->prompts / double(ranks)) : 0;
}
bool said(WarningCode code, const Point& a, const Point& b)
{
    return a.result.warnings.has(code) != b.result.warnings.has(code);
}
bool limited(const Point& p)
{
    return p.prepared.inference.batchMax || p.result.warnings.has(WarningCode::BatchLimitedByMemory);
}
double domain(const Point& p)
{
    return domainOf(p.prepared, double(p.prepared.hardware.count)).size;
}
/// Prompts that share a pass of their own.
double together(const Point& p)
{
    return std::floor(p.prepared.calibration->inference.serving.togetherTokens /
                      inference::promptLength(p.prepared.inference));
}
/// Passes that the prompts in flight take together, where an engine cuts them.
double chunks(const Point& p, double prompts)
{
    const InferenceWorkload& w = p.prepared.inference;
    double chunk = p.prepared.calibration->inference.engines[std::size_t(w.software)].chunkTokens;
    if (const auto most = w.maxTokensPerPass)
        chunk = chunk > 0 ? std::min(chunk, double(*most)) : double(*most);
    return chunk > 0 ? std::ceil(prompts * inference::promptLength(w) / chunk * (1 - roundingError)) : 0;
}

/// Tokens of prompts that a pass has room for beside the answers, or infinite.
double roomBeside(const Point& p)
{
    const InferenceWorkload& w = p.prepared.inference;
    if (!w.maxTokensPerPass)
        return std::numeric_limits<double>::infinity();
    const double rows = w.drafting ? 1 + double(w.draftTokens) : 1;
    return std::max(1.0, double(*w.maxTokensPerPass) - std::max(1.0, perRank(p).first) * rows);
}

/// Passes that one prompt takes where those in flight, and what they draft, leave it only a part of each.
double chunksBeside(const Point& p)
{
    const InferenceWorkload& w = p.prepared.inference;
    return w.maxTokensPerPass ? std::ceil(inference::promptLength(w) / roomBeside(p) * (1 - roundingError)) : 0;
}

/// Whether a request meets prompts that are not read in one pass with its own: of as many requests as ranks none does.
bool othersRead(const Point& p)
{
    return p.result.batch > double(p.prepared.parallelism.attentionData);
}

/// Whether a second request has a place beside the first on a rank.
bool hasPlaces(const Point& p)
{
    return !p.result.queue || p.result.queue->mostBatch > double(p.prepared.parallelism.attentionData);
}
/// Whether there is a second place at all: prompts that have passes of their own stop the answers on every rank.
bool hasCompany(const Point& p)
{
    return !p.result.queue || p.result.queue->mostBatch > 1;
}
/// Whether the answers are known to differ in length.
bool answersSpread(const Point& p)
{
    return inference::outputSpread(p.prepared.inference).squared.value_or(0) > 0;
}

/// Every threshold there is. The factors are a few times the worst of a hundred thousand sweeps.
constexpr std::array thresholds{
    Threshold{"out of memory", 1e6,
              [](const Point& a, const Point& b) {
                  return a.result.fits != b.result.fits || said(WarningCode::CheckpointingRaised, a, b);
              }},
    Threshold{"requests that wait for others to end", 1e6, // an answer of thousands of steps against one prompt
              [](const Point& a, const Point& b) { return said(WarningCode::BatchLimitedByMemory, a, b); }},
    Threshold{"whole sequences that fit", 5000,
              [](const Point& a, const Point& b) {
                  return (limited(a) || limited(b)) && a.result.maxBatch != b.result.maxBatch;
              }},
    Threshold{"load beyond the capacity", 1e5,
              [](const Point& a, const Point& b) {
                  constexpr double near = 0.99; // there a batch has room to grow for hardly any more throughput
                  return a.result.queue && b.result.queue &&
                         std::max(a.result.queue->utilization, b.result.queue->utilization) > near;
              }},
    Threshold{"whole sequences of a rank", 5000,
              [](const Point& a, const Point& b) {
                  return perRank(a) != perRank(b) || pooledPerRank(a) != pooledPerRank(b);
              }},
    Threshold{"chunk of prompts", 8,
              [](const Point& a, const Point& b) {
                  const double before = std::max(1.0, a.result.batch), after = std::max(1.0, b.result.batch);
                  const auto pooled = [](const Point& p) { return p.result.pools ? p.result.pools->prompts : 1; };
                  return a.prepared.task == Task::Inference &&
                         (chunksBeside(a) != chunksBeside(b) || together(a) != together(b) ||
                          chunks(a, 1) != chunks(b, 1) || chunks(a, before) != chunks(b, after) ||
                          chunks(a, perRank(a).first) != chunks(b, perRank(b).first) ||
                          chunks(a, together(a)) != chunks(b, together(b)) ||
                          chunks(a, pooled(a)) != chunks(b, pooled(b)));
              }},
    Threshold{"whole tokens of little room beside answers", 2, // one, or two
              [](const Point& a, const Point& b) {
                  constexpr double little = 8;
                  return roomBeside(a) != roomBeside(b) && std::min(roomBeside(a), roomBeside(b)) < little;
              }},
    Threshold{"the first answer that decodes", 1e6, // one of a single token never meets a prompt
              [](const Point& a, const Point& b) {
                  return (a.prepared.inference.outputTokens > 1) != (b.prepared.inference.outputTokens > 1);
              }},
    Threshold{"alone or among others", 1e6,
              [](const Point& a, const Point& b) {
                  return (a.result.batch > 1) != (b.result.batch > 1) || othersRead(a) != othersRead(b) ||
                         hasPlaces(a) != hasPlaces(b) || hasCompany(a) != hasCompany(b);
              }},
    Threshold{"static answers that begin to differ", 2, // of many the longest: σ is the root of a small difference
              [](const Point& a, const Point& b) { return answersSpread(a) != answersSpread(b); }},
    Threshold{"lengths as wide as a log-normal's can be", 2, // there σ is the root of a small difference
              [](const Point& a, const Point& b) {
                  constexpr double near = 0.99;
                  const auto widest = [](const Point& p) {
                      const InferenceWorkload& w = p.prepared.inference;
                      const auto wide = [](std::int64_t mean, const std::optional<std::int64_t>& far, double z) {
                          return far && double(*far) > near * std::exp(z * z / 2) * double(mean);
                      };
                      return wide(w.promptTokens, w.promptTokensP95, inference::z95) ||
                             wide(w.promptTokens, w.promptTokensP99, inference::z99) ||
                             wide(w.outputTokens, w.outputTokensP95, inference::z95) ||
                             wide(w.outputTokens, w.outputTokensP99, inference::z99);
                  };
                  return widest(a) || widest(b);
              }},
    Threshold{"seldom among others", 4, // a token meets a prompt so much more often, and that is most of its mean time
              [](const Point& a, const Point& b) {
                  constexpr double seldom = 1.05; // in flight
                  return a.result.batch != b.result.batch && std::max(a.result.batch, b.result.batch) < seldom;
              }},
    Threshold{
        "accumulation in fp32 from the second micro-batch", 2,
        [](const Point& a, const Point& b) { return (a.result.microBatches > 1) != (b.result.microBatches > 1); }},
    Threshold{"node boundary", 1e5, [](const Point& a, const Point& b) { return domain(a) != domain(b); }},
};

/// Parameters whose every value is a layout or a format of its own: other sizes divide, other links carry.
bool isStructure(const ParameterRow& row)
{
    return row.group == ParameterGroup::Parallelism || row.group == ParameterGroup::Measured || row.id == "count" ||
           row.id == "checkpoint_every";
}

Point at(const PreparedScenario& base, const ParameterRow& row, double x)
{
    Point p{base, {}, x};
    row.set(p.prepared, x);
    p.x = row.get(p.prepared);
    p.result = evaluate(p.prepared);
    return p;
}

double change(const Figure& figure, const Point& a, const Point& b)
{
    const double from = figure.of(a.result), to = figure.of(b.result);
    return from > 0 && to > 0 ? std::abs(std::log(to / from)) : 0;
}

/// Beyond what a figure may do that goes with the second power of the parameter, and a little.
double unexplained(const Figure& figure, const Point& a, const Point& b)
{
    constexpr double power = 2.5, little = 0.02;
    return change(figure, a, b) - power * std::abs(std::log(b.x / a.x)) - little;
}

/// Between two points the place where the figure changes most, as close together as the parameter can be set.
std::pair<Point, Point> closest(const Figure& figure, const PreparedScenario& base, const ParameterRow& row, Point a,
                                Point b)
{
    for (int i = 0; i < 50; ++i) {
        double middle = row.minimum > 0 && a.x > 0 ? std::sqrt(a.x * b.x) : (a.x + b.x) / 2;
        if (row.kind == ParameterKind::Integer)
            middle = std::round(middle);
        if (middle <= std::min(a.x, b.x) || middle >= std::max(a.x, b.x))
            break;
        Point m = at(base, row, middle);
        (change(figure, a, m) > change(figure, m, b) ? b : a) = m;
        if (std::abs(b.x / a.x - 1) < 1e-9)
            break;
    }
    return {a, b};
}

/// Values of a parameter that may give the same scenario: the mean of a mix is whole tokens.
double alikeSteps(const Point& p)
{
    const auto& mix = p.prepared.inference.mix;
    return mix ? std::ceil(1 / mix->all[1].share) : 1;
}

/// A steep slope goes on beside the step; a jump is alone.
bool isSlope(const Figure& figure, const PreparedScenario& base, const ParameterRow& row, const Point& a,
             const Point& b)
{
    if (row.kind != ParameterKind::Integer)
        return false;
    const double here = change(figure, a, b), width = alikeSteps(a);
    const auto alike = [&](double from, double to) {
        return from >= row.minimum && to <= row.maximum &&
               2 * change(figure, at(base, row, from), at(base, row, to)) > here;
    };
    return alike(a.x - width, a.x) || alike(b.x, b.x + width);
}

struct Explained {
    int count = 0;
    double worst = 1;
};
std::map<std::string, Explained>& explained()
{
    static std::map<std::string, Explained> all;
    return all;
}

std::string jump(const PreparedScenario& base, const ParameterRow& row)
{
    const bool log = row.scale == ParameterScale::Log && row.sliderMinimum > 0;
    std::vector<Point> points;
    for (int i = 0; i <= steps; ++i) {
        const double share = double(i) / steps;
        const double x = log ? row.sliderMinimum * std::pow(row.sliderMaximum / row.sliderMinimum, share)
                             : row.sliderMinimum + share * (row.sliderMaximum - row.sliderMinimum);
        Point p = at(base, row, row.kind == ParameterKind::Integer ? std::round(x) : x);
        if (checkSetup(p.prepared).empty() && (points.empty() || p.x > points.back().x) && p.x > 0)
            points.push_back(std::move(p));
    }
    for (const Figure& figure : figures) {
        for (std::size_t i = 1; i < points.size(); ++i) {
            if (unexplained(figure, points[i - 1], points[i]) <= 0)
                continue;
            const std::pair<Point, Point> pair = closest(figure, base, row, points[i - 1], points[i]);
            const Point &a = pair.first, &b = pair.second; // clang 14 captures no structured bindings
            if (unexplained(figure, a, b) <= 0 || isSlope(figure, base, row, a, b))
                continue;
            const double factor = std::exp(change(figure, a, b));
            const auto reason = std::ranges::find_if(
                thresholds, [&](const Threshold& t) { return factor <= t.most && t.between(a, b); });
            if (reason != thresholds.end()) {
                Explained& mine = explained()[fmt::format("{} ({})", reason->name, figure.name)];
                ++mine.count;
                mine.worst = std::max(mine.worst, factor);
                continue;
            }
            return fmt::format("{} from {:.10g} to {:.10g}: {} from {:.6g} to {:.6g}\n{}", row.id, a.x, b.x,
                               figure.name, figure.of(a.result), figure.of(b.result),
                               reason == thresholds.end() ? "no threshold" : reason->name,
                               test::physicsText(a.prepared));
        }
    }
    return {};
}

bool isNumeric(const ParameterRow& row)
{
    return row.choices.empty() && row.kind != ParameterKind::Toggle;
}

} // namespace

class TestPhysicsContinuity : public QObject
{
    Q_OBJECT
private slots:
    void parameter_data()
    {
        QTest::addColumn<int>("row");
        QTest::addColumn<bool>("training");
        int i = 0;
        for (const ParameterRow& row : parameterRegistry()) {
            const std::string id(row.id);
            if (isNumeric(row) && !isStructure(row) && row.training)
                QTest::newRow(("training " + id).c_str()) << i << true;
            if (isNumeric(row) && !isStructure(row) && row.inference)
                QTest::newRow(("serving " + id).c_str()) << i << false;
            ++i;
        }
    }
    void parameter()
    {
        QFETCH(int, row);
        QFETCH(bool, training);
        const ParameterRow& parameter = parameterRegistry()[static_cast<std::size_t>(row)];
        const Task task = training ? Task::Training : Task::Inference;
        QVERIFY(test::physicsHolds(std::string(QTest::currentDataTag()), task, test::physicsCount(scenarios),
                                   [&](const PreparedScenario& p) { return jump(p, parameter); }));
    }
    void cleanupTestCase()
    {
        for (const auto& [name, jumps] : explained())
            qInfo("%s: %d jumps, by %.4g at most", name.c_str(), jumps.count, jumps.worst);
    }
};
HEADROOM_TEST(TestPhysicsContinuity)

} // namespace headroom::test_physics_continuity
#include "test_physics_continuity.moc"
