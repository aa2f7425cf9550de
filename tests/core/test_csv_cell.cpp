// SPDX-License-Identifier: GPL-3.0-or-later
// Cells of CSV: what a spreadsheet would run stays text, wherever it begins a cell.
#include "core/metrics/evaluation_text.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

namespace headroom::test_csv_cell
{

class TestCsvCell : public QObject
{
    Q_OBJECT
private slots:
    /// Where the decimal mark is a comma, spreadsheets split at ';', and some split at tabs, too.
    void noCellBeginsAFormula()
    {
        for (const auto& [text, cell] : {std::pair("run;=cmd|' /C calc'!A0", "\"run;'=cmd|' /C calc'!A0\""),
                                         {"run\t=1+1", "\"run\t'=1+1\""},
                                         {"a\n@SUM(A1)", "\"a\n'@SUM(A1)\""},
                                         {"\r=1", "\"'\r'=1\""},
                                         {"\n=1", "\"'\n'=1\""},
                                         {"\t=1", "\"'\t'=1\""},
                                         {"a;b", "\"a;b\""},
                                         {"a; b", "\"a; b\""},
                                         {"a\tb", "\"a\tb\""},
                                         {"-1.5", "-1.5"}})
            QCOMPARE(csvCell(text), std::string(cell));
    }
};
HEADROOM_TEST(TestCsvCell)

} // namespace headroom::test_csv_cell
#include "test_csv_cell.moc"
