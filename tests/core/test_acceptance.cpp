// SPDX-License-Identifier: GPL-3.0-or-later
// Speculative decoding: tokens that a cycle accepts, and cycles that an answer takes.
#include "core/explain/derive.hpp"
#include "core/scenario/speculation.hpp"
#include "tests/support/near.hpp"
#include "tests/support/program.hpp"
#include "tests/support/serving_fixture.hpp"
#include "tests/support/support.hpp"

#include <algorithm>
#include <utility>

namespace headroom::test_acceptance
{

using test::near;

class TestAcceptance : public QObject
{
    Q_OBJECT

    /// Llama 3.1 8B on one H100.
    static PreparedScenario drafting(Drafting method, std::int64_t drafts, std::int64_t batch)
    {
        return test::serving("llama-3.1-8b", "h100-sxm-80gb", 1, [&](Scenario& s) {
            s.inference.batch = batch;
            s.inference.drafting = method;
            s.inference.draftTokens = drafts;
        });
    }

private slots:
    /// Leviathan et al. 2023: (1 − α^(γ+1)) ÷ (1 − α).
    void tokensOfACycleFollowTheAcceptance()
    {
        for (const auto& [drafts, tokens] : {std::pair{1, 1.8}, {2, 2.44}, {3, 2.952}, {5, 3.68928}})
            QVERIFY(near(tokensPerCycle(Acceptance::of(0.8), 1, drafts), tokens, 1e-12));
        QCOMPARE(tokensPerCycle(Acceptance::of(1), 1, 16), 17.0);
        QCOMPARE(tokensPerCycle(Acceptance::of(0), 1, 16), 1.0);
        // Survival of 0.72, 0.50 and 0.36 (InferenceX, pull request 1737): 2.58 tokens.
        const Acceptance byPosition{{0.72, 0.50 / 0.72, 0.36 / 0.50}, 3};
        QVERIFY(near(tokensPerCycle(byPosition, 0.95, 3), 2.58, 1e-12));
        // Beyond the last position that is stated the chance decays.
        QVERIFY(near(tokensPerCycle(Acceptance::of(0.8), 0.5, 2), 1 + 0.8 + 0.8 * 0.4, 1e-12));
    }

    /// By the sum over all ways that cycles can end. An answer of nine tokens whose nine drafts are nearly all kept was
    /// said to take 1.69 cycles, for min(A, 9) was divided by: it takes 2.16.
    void theLastCycleAcceptsInVain()
    {
        const auto each = Acceptance::of(0.95);
        QVERIFY(near(cyclesOf(each, 1, 8, 1), 1, 1e-12));
        QVERIFY(near(cyclesOf(each, 1, 8, 2), 1 + 0.05, 1e-12));
        QVERIFY(near(cyclesOf(each, 1, 8, 3), 1 + 0.05 * 1.05 + 0.95 * 0.05, 1e-12));
        QVERIFY(near(cyclesOf(Acceptance::of(1), 1, 3, 9), 3, 1e-12)); // of four each
        QVERIFY(near(cyclesOf(Acceptance::of(0), 1, 8, 500), 500, 1e-12));
        for (const auto& [tokens, drawn] :
             {std::pair{9.0, 1.399}, {40.0, 5.923}, {400.0, 54.60}}) // 20,000 draws or more
            QVERIFY(near(cyclesOf(each, 1, 8, tokens), drawn, 0.003));
        QVERIFY(near(cyclesOf(each, 0.95, 8, 9), 2.157, 0.003));
        PreparedScenario p = drafting(Drafting::Ngram, 8, 1);
        p.inference.acceptance = each;
        p.inference.outputTokens = 10;
        const Evaluation e = evaluate(p);
        QVERIFY(near(e.speculation->tokensAdded, 9 / 2.157, 0.003));
        QVERIFY(near(*e.tpotS - e.part(TimePart::PrefillInterference),
                     e.speculation->cycleS / e.speculation->tokensAdded, 1e-12));
    }

    /// An answer of three tokens has two after its first: of five that a cycle would accept it takes no more.
    void aShortAnswerTakesWhatItWants()
    {
        PreparedScenario p = drafting(Drafting::Eagle, 4, 4);
        p.inference.acceptanceLength = 5;
        p.inference.outputTokens = 3;
        const Evaluation e = evaluate(p);
        QCOMPARE(e.speculation->tokensPerCycle, 2.0);
        QVERIFY(near(*e.tpotS - e.part(TimePart::PrefillInterference), e.speculation->cycleS / 2, 1e-12));
        QCOMPARE(derive("speculation.tokens_per_cycle", p, e).steps.back().value, 2.0);
    }

    void aLengthAndItsAcceptanceAreOne()
    {
        for (const double length : {1.0, 1.5, 2.9, 3.999})
            QVERIFY(near(tokensPerCycle(Acceptance::of(acceptanceOfLength(length, 0.95, 5)), 0.95, 5),
                         std::min(length, tokensPerCycle(Acceptance::of(1), 0.95, 5)), 1e-9));
    }
};
HEADROOM_TEST(TestAcceptance)

} // namespace headroom::test_acceptance
#include "test_acceptance.moc"
