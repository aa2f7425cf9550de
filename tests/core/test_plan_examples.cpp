// SPDX-License-Identifier: GPL-3.0-or-later
// The worked examples of docs/plan_examples.md: what their reasoning claims holds, and the page tells today's figures.
// HEADROOM_UPDATE_PLAN_EXAMPLES=1 writes the page anew; read the difference, then the words.
#include "core/plan/planner_table.hpp"
#include "tests/support/plan_example.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

#include <QRegularExpression>
#include <QtGlobal>
#include <fstream>

namespace headroom::test_plan_examples
{

using test::PlanExample;
using test::PlanLine;

namespace
{

constexpr std::size_t torchtitanRuns = 6;

double stepOf(const PlanLine& line)
{
    return line.option->evaluation.stepTimeS.value_or(0);
}

const Parallelism& sizesOf(const PlanLine& line)
{
    return line.option->scenario.parallelism;
}

/// A line of the page in words, or a row of a table: its name and layout, milliseconds and percent of the memory.
struct PageLine {
    QString words;
    double ms = 0, memory = 0;
};

/// In order, but for the parts of a difference, which are as many figures as the rows above them.
QList<PageLine> linesOfPage(const std::string& page)
{
    QList<PageLine> all;
    static const QRegularExpression row(QStringLiteral("^\\| ([^|]+\\| [^|]+) \\| ([0-9.]+) ms \\| ([0-9]+) %"));
    for (const QString& line : QString::fromStdString(page).split(QChar(u'\n'))) {
        if (const auto match = row.match(line); match.hasMatch())
            all.append({match.captured(1), match.captured(2).toDouble(), match.captured(3).toDouble()});
        else if (!line.startsWith(QStringLiteral("From the published layout")))
            all.append({line});
    }
    return all;
}

} // namespace

class TestPlanExamples : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase()
    {
        m_examples = test::planExamples();
        for (const PlanExample& example : m_examples)
            m_lines.push_back(test::linesOf(example));
        QCOMPARE(m_examples.size(), torchtitanRuns + 2);
    }

    void nothingPublishedBeatsThePlan()
    {
        for (std::size_t i = 0; i < torchtitanRuns; ++i) {
            const std::vector<PlanLine>& lines = m_lines[i];
            QVERIFY2(lines.back().option, m_examples[i].title.c_str());
            QVERIFY(lines[0].option->evaluation.fits);
            for (const PlanLine& line : lines)
                QVERIFY2(!line.option || stepOf(line) >= stepOf(lines.back()) * (1 - 1e-9), line.name.c_str());
            // A stack that people tuned for a paper is not far from the best there is.
            QVERIFY2(stepOf(lines[0]) < 1.5 * stepOf(lines.back()), m_examples[i].title.c_str());
        }
    }

    void the405bNeedsFullCheckpointingAndSomeModelParallelism()
    {
        for (std::size_t i = 0; i < 3; ++i) {
            for (const PlanLine& line : {m_lines[i][1], m_lines[i][2]}) {
                QVERIFY(line.option);
                // An interleaved pipeline of 126 layers, embedding and head recomputes less, and is just ahead.
                const bool pipelined = sizesOf(line).pipeline > 1;
                QVERIFY(!pipelined || sizesOf(line).pipeline * sizesOf(line).virtualPipeline == 128);
                QCOMPARE(line.option->scenario.training.checkpointing,
                         pipelined ? Checkpointing::SelectiveOp : Checkpointing::Full);
                QVERIFY(sizesOf(line).tensor * sizesOf(line).context * sizesOf(line).pipeline > 1);
            }
            PlanRequest request = m_examples[i].variants[1].request;
            request.free = request.free.lock(PlanDimension::Checkpointing);
            request.base.training.checkpointing = Checkpointing::None;
            const auto keeping = plan(request);
            for (const PlanOption& option : keeping->ranked) {
                QVERIFY(option.scenario.parallelism.tensor > 8);
                QVERIFY(*option.evaluation.stepTimeS > stepOf(m_lines[i][2]));
            }
            QVERIFY(sizesOf(m_lines[i][1]).tensor < 8);
            request = m_examples[i].variants[0].request;
            request.base.parallelism.tensor = 1;
            request.free = request.free.lock(PlanDimension::Tensor);
            const auto alone = plan(request);
            QVERIFY2(alone->ranked.empty(), "FSDP alone does not fit, as published");
        }
    }

    void float8IsFasterAndHidingHelpsTensorParallelismMost()
    {
        QVERIFY(stepOf(m_lines[1][0]) < stepOf(m_lines[0][0]) && stepOf(m_lines[1][2]) < stepOf(m_lines[0][2]));
        const auto lead = [this](std::size_t i) { return stepOf(m_lines[i][0]) / stepOf(m_lines[i][1]); };
        QVERIFY(lead(2) < lead(1));
        QVERIFY(lead(1) > lead(0));
        QCOMPARE(sizesOf(m_lines[2][2]).tensor, 8);
        PlanRequest request = m_examples[0].variants.back().request; // without interleaving
        request.free = request.free.lock(PlanDimension::VirtualPipeline);
        const PlanOption best = plan(request)->ranked.front();
        QCOMPARE(best.scenario.parallelism.context, 4);
        QVERIFY(*best.evaluation.stepTimeS < 1.01 * stepOf(m_lines[0][2]));
    }

    void the8bIsDataParallelAndRecomputesNothing()
    {
        for (const std::size_t i : {std::size_t(3), std::size_t(4)}) {
            for (const PlanLine& line : {m_lines[i][1], m_lines[i][2]}) {
                QCOMPARE(sizesOf(line).tensor, 1);
                QCOMPARE(sizesOf(line).pipeline, 1);
                QVERIFY(line.option->scenario.training.checkpointing == Checkpointing::None);
            }
            QCOMPARE(m_lines[i][1].option->scenario.hardware.count, 64);
        }
        QVERIFY(stepOf(m_lines[4][0]) < stepOf(m_lines[3][0]));
    }

    void the70bRecomputesWhereNothingSplitsTheActivations()
    {
        PlanRequest request = m_examples[5].variants[0].request;
        request.free = request.free.lock(PlanDimension::Tensor);
        const auto alone = plan(request);
        QVERIFY(!alone->ranked.empty());
        QVERIFY(alone->ranked.front().scenario.training.checkpointing != Checkpointing::None);
        QVERIFY(m_lines[5][2].option->scenario.training.checkpointing == Checkpointing::None);
        request = m_examples[5].variants[1].request;
        request.base.training.sequenceLength *= 4;
        request.free = request.free.lock(PlanDimension::Context);
        QVERIFY(plan(request)->ranked.front().scenario.training.checkpointing != Checkpointing::None);
        QVERIFY(sizesOf(m_lines[5][2]).tensor * sizesOf(m_lines[5][2]).context > 1);
    }

    void loraMovesActivationsNotWeights()
    {
        const std::vector<PlanLine>& lines = m_lines[6];
        const Parallelism& best = sizesOf(lines.back());
        QCOMPARE(lines.back().option->scenario.hardware.count, 8);
        QCOMPARE(best.tensor * best.pipeline, 8);
        QVERIFY(stepOf(lines[0]) > 3 * stepOf(lines.back()));
        const auto result = plan(m_examples[6].variants.back().request);
        QVERIFY(!result->rejected.empty());
        QVERIFY(result->rejected.front().reason.starts_with("4 × "));
        QVERIFY(result->rejected.front().reason.find("the leanest layout needs") != std::string::npos);
        PlanRequest plain = m_examples[6].variants.back().request; // without interleaving
        plain.free = plain.free.lock(PlanDimension::VirtualPipeline);
        QVERIFY(*plan(plain)->ranked.front().evaluation.stepTimeS < 1.25 * stepOf(lines.back()));
    }

    void thirtyMillisecondsHaveTwoEdges()
    {
        const std::vector<PlanLine>& lines = m_lines[7];
        const auto gpus = [&lines](std::size_t i) { return lines[i].option->scenario.hardware.count; };
        QVERIFY(lines[1].option && lines[2].option && lines[3].option && lines[4].option);
        QCOMPARE(gpus(4), 1);
        QVERIFY2(gpus(1) > 1, "eight sequences of 4096 tokens do not fit beside the weights");
        QVERIFY(gpus(2) > 1);
        QCOMPARE(gpus(3), 2);
        QCOMPARE(sizesOf(lines[3]).tensor, 2);
        const Evaluation& one = lines[4].option->evaluation;
        QVERIFY(one.part(MemoryPart::Weights) > 0.8 * one.capacityBytes);
        QVERIFY(!riskText(m_examples[7].variants.back().request, *lines[4].option).empty());
        const auto wide = plan(m_examples[7].variants[0].request);
        QVERIFY(wide->rejected.back().reason.find("for a cache that needs") != std::string::npos);
    }

    void thePageTellsTodaysFigures()
    {
        const std::string path = test::sourcePath("docs/plan_examples.md");
        const std::string now = test::planExamplesText(m_examples);
        if (qEnvironmentVariableIsSet("HEADROOM_UPDATE_PLAN_EXAMPLES"))
            std::ofstream(path) << now;
        const auto shown = linesOfPage(test::readFile(path)), right = linesOfPage(now);
        QVERIFY(right.size() > 40);
        QCOMPARE(shown.size(), right.size());
        for (qsizetype i = 0; i < right.size(); ++i) {
            QCOMPARE(shown[i].words, right[i].words);
            // Figures are rounded, and compilers round differently.
            QVERIFY2(std::abs(shown[i].ms - right[i].ms) <= 0.005 * right[i].ms &&
                         std::abs(shown[i].memory - right[i].memory) <= 1,
                     qPrintable(shown[i].words + QStringLiteral(": set HEADROOM_UPDATE_PLAN_EXAMPLES=1, then read")));
        }
    }

private:
    std::vector<PlanExample> m_examples;
    std::vector<std::vector<PlanLine>> m_lines;
};
HEADROOM_TEST(TestPlanExamples)

} // namespace headroom::test_plan_examples
#include "test_plan_examples.moc"
