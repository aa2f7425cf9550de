// SPDX-License-Identifier: GPL-3.0-or-later
// Public traces whose totals another program printed: the split agrees within 1 %.
#include "core/profile/profile_reading.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

#include <cmath>
#include <numeric>

namespace headroom::test_profile_totals
{

using namespace profile;

namespace
{

/// What TraceLens printed of a trace beside it: ops_summary_by_category.csv and ops_summary.csv, in
/// microseconds. Its categories are of operators, so those are compared that are one class of kernels.
struct Printed {
    const char* trace;
    double matmulUs, attentionUs, normUs, elementwiseUs; ///< 0: no such category, or one that cuts across classes
    double kernelsUs;                                    ///< of all categories
};

// https://github.com/AMD-AGI/TraceLens (MIT), tests/traces: torch_compile_triton/trace_perf_report_csvs at e73ceba6
// (GEMM, SDPA_fwd, triton); inference/sglang_decode/perf_csvs at 5db7bda7 (GEMM of four modules; the attention
// operator of ops_summary.csv; RMSNorm).
constexpr Printed printed[] = {
    {"tracelens_torch_compile", 8029.55517578125, 3683.5087890625, 0, 835.95703125,
     8029.55517578125 + 3683.5087890625 + 835.95703125},
    {"tracelens_sglang_decode", 2417.6591796875 + 2064.244140625 + 903.5185546875 + 396.83203125, 2127.86328125,
     683.9638671875, 0, 9778.6171875},
};

double of(const std::array<double, kernelClassCount>& seconds, KernelClass c)
{
    return 1e6 * seconds[static_cast<std::size_t>(c)];
}

} // namespace

class TestProfileTotals : public QObject
{
    Q_OBJECT
private slots:
    void theSplitAgreesWithWhatWasPrinted_data()
    {
        QTest::addColumn<int>("row");
        for (std::size_t i = 0; i < std::size(printed); ++i)
            QTest::newRow(printed[i].trace) << int(i);
    }
    void theSplitAgreesWithWhatWasPrinted()
    {
        QFETCH(const int, row);
        const Printed& p = printed[row];
        const auto reading =
            readProfiles({test::sourcePath(std::string("tests/facts/traces/") + p.trace + ".json.gz")});
        QVERIFY(reading);
        const TimeSplit& whole = reading->devices.front().whole;
        const auto agrees = [](double ours, double theirs, const char* what) {
            const double apart = ours / theirs - 1;
            qInfo("%s: %.1f us printed, %.1f us read, %+.3f %%", what, theirs, ours, 100 * apart);
            return std::abs(apart) < 0.01;
        };
        QVERIFY(agrees(of(whole.sum, KernelClass::Matmul), p.matmulUs, "matmul"));
        QVERIFY(agrees(of(whole.sum, KernelClass::Attention), p.attentionUs, "attention"));
        if (p.normUs > 0)
            QVERIFY(agrees(of(whole.sum, KernelClass::Norm), p.normUs, "norm"));
        if (p.elementwiseUs > 0)
            QVERIFY(agrees(of(whole.sum, KernelClass::Elementwise), p.elementwiseUs, "elementwise"));
        QVERIFY(agrees(1e6 * std::accumulate(whole.sum.begin(), whole.sum.end(), 0.0), p.kernelsUs, "all"));
        // And nothing is lost between the classes: they and idle time add up to the trace.
        const double parts = std::accumulate(whole.shared.begin(), whole.shared.end(), 0.0) + whole.idle();
        QVERIFY(std::abs(parts / whole.span - 1) < 1e-3);
    }
};
HEADROOM_TEST(TestProfileTotals)

} // namespace headroom::test_profile_totals
#include "test_profile_totals.moc"
