// SPDX-License-Identifier: GPL-3.0-or-later
// The table that says what a kernel does: names seen in public traces, rows of a user's own, files that are no table.
#include "core/profile/kernel_rules.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

namespace headroom::test_kernel_rules
{

using namespace profile;

namespace
{

struct Seen {
    std::string kernelClass, name;
};

/// Cells of a line of CSV, with quotes.
std::vector<std::string> cells(const std::string& line)
{
    std::vector<std::string> result(1);
    bool quoted = false;
    for (const char c : line) {
        if (c == '"')
            quoted = !quoted;
        else if (c == ',' && !quoted)
            result.emplace_back();
        else
            result.back() += c;
    }
    return result;
}

std::vector<Seen> kernelsSeen(const char* file)
{
    std::vector<Seen> seen;
    for (const std::string& line : test::readLines(test::sourcePath(file)))
        if (const auto row = cells(line); row[0] != "class")
            seen.push_back({row[0], row[1]});
    return seen;
}

std::string rulesFile(const std::string& rows)
{
    return R"({"format": "headroom-profile-rules", "version": 1, "rules": [)" + rows + "]}";
}

} // namespace

class TestKernelRules : public QObject
{
    Q_OBJECT
private slots:
    void theKernelsSeenHaveTheirClass()
    {
        const auto seen = kernelsSeen("tests/facts/kernel_names.csv");
        QVERIFY(seen.size() > 100);
        double right = 0;
        for (const Seen& kernel : seen) {
            const std::string_view found = idOf(KernelRules::builtIn().kindOf(kernel.name).kernelClass);
            right += found == kernel.kernelClass ? 1 : 0;
            if (found != kernel.kernelClass)
                qInfo("%s: %s, not %s", kernel.name.c_str(), std::string(found).c_str(), kernel.kernelClass.c_str());
        }
        QVERIFY2(right / double(seen.size()) >= 0.97, qPrintable(QString::number(right / double(seen.size()))));
    }

    /// Names that the programs give their kernels, whether or not a trace with them is public.
    void programsNamesHaveTheirClass()
    {
        const auto named = kernelsSeen("tests/facts/kernel_names_programs.csv");
        QVERIFY(named.size() > 100);
        for (const Seen& kernel : named) {
            const std::string found(idOf(KernelRules::builtIn().kindOf(kernel.name).kernelClass));
            QVERIFY2(found == kernel.kernelClass, (kernel.name + ": " + found).c_str());
        }
    }

    void everyRowDecidesSomething()
    {
        // A row that an earlier one always beats is a mistake: its first pattern, alone, must reach it.
        const auto& rows = KernelRules::builtIn().rows();
        QVERIFY(rows.size() > 10);
        for (const KernelRule& row : rows) {
            bool reached = false;
            for (const auto* patterns : {&row.contains, &row.begins})
                for (const std::string& pattern : *patterns) {
                    const std::string name = pattern + (row.also.empty() ? "" : " " + row.also.front());
                    reached = reached || KernelRules::builtIn().kindOf(name) == row.kind;
                }
            QVERIFY(reached);
        }
    }

    void collectivesAreToldApart_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("kind");
        QTest::newRow("ring") << "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)"
                              << "all_reduce";
        QTest::newRow("scatter") << "ncclDevKernel_ReduceScatter_Sum_f32_RING_LL"
                                 << "reduce_scatter";
        QTest::newRow("gather") << "ncclSymkDevKernel_AllGather_LL"
                                << "all_gather";
        QTest::newRow("send") << "ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)"
                              << "send_recv";
        QTest::newRow("custom") << "void vllm::cross_device_reduce_1stage<__nv_bfloat16, 8>"
                                << "all_reduce";
        QTest::newRow("deepep") << "void deep_ep::internode::dispatch<false, 8>"
                                << "all_to_all";
        QTest::newRow("broadcast") << "ncclDevKernel_Broadcast_RING_LL"
                                   << "other";
    }
    void collectivesAreToldApart()
    {
        QFETCH(const QString, name);
        QFETCH(const QString, kind);
        const KernelKind found = KernelRules::builtIn().kindOf(name.toStdString());
        QCOMPARE(found.kernelClass, KernelClass::Communication);
        QCOMPARE(QString::fromStdString(std::string(idOf(found.collective))), kind);
    }

    void namesOfATraceWin()
    {
        QCOMPARE(collectiveNamed("_allgather_base"), Collective::AllGather);
        QCOMPARE(collectiveNamed("all_to_allv"), Collective::AllToAll);
        QCOMPARE(collectiveNamed("_reduce_scatter_base"), Collective::ReduceScatter);
        QVERIFY(!collectiveNamed("coalesced"));
    }

    void ownRowsComeFirst()
    {
        const std::string kernel = "my_fused_gemm_attention_v2";
        QCOMPARE(KernelRules::builtIn().kindOf(kernel).kernelClass, KernelClass::Attention);
        const auto own = KernelRules::withOwn(
            rulesFile(R"({"class": "matmul", "begins": ["MY_"], "also": ["gemm"], "ignore_case": true})"));
        QVERIFY(own);
        QCOMPARE(own->kindOf(kernel).kernelClass, KernelClass::Matmul);
        QCOMPARE(own->kindOf("flash_fwd_kernel").kernelClass, KernelClass::Attention); // the others are still there
        QCOMPARE(own->kindOf("my_kernel").kernelClass, KernelClass::Other);            // without "gemm"
    }

    void badTablesAreRefused_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("path");
        const auto row = [](const char* name, const std::string& text, const char* code, const char* path) {
            QTest::newRow(name) << QString::fromStdString(text) << code << path;
        };
        row("no JSON", "matmul gemm", "syntax", "");
        row("another file", R"({"format": "headroom-scenario", "version": 1, "rules": []})", "wrong-format", "/format");
        row("unknown class", rulesFile(R"({"class": "matmull", "contains": ["a"]})"), "unknown-name", "/rules/0/class");
        row("no pattern", rulesFile(R"({"class": "matmul"})"), "missing-key", "/rules/0");
        row("empty pattern", rulesFile(R"({"class": "matmul", "contains": [""]})"), "empty-pattern",
            "/rules/0/contains");
        row("unknown key", rulesFile(R"({"class": "matmul", "contains": ["a"], "regex": "b"})"), "unknown-key",
            "/rules/0/regex");
    }
    void badTablesAreRefused()
    {
        QFETCH(const QString, text);
        QFETCH(const QString, code);
        QFETCH(const QString, path);
        const auto rules = KernelRules::withOwn(text.toStdString());
        QVERIFY(!rules);
        QCOMPARE(QString::fromStdString(rules.error().front().code), code);
        QCOMPARE(QString::fromStdString(rules.error().front().path), path);
        QVERIFY(rules.error().front().line > 0);
    }
};
HEADROOM_TEST(TestKernelRules)

} // namespace headroom::test_kernel_rules
#include "test_kernel_rules.moc"
