// SPDX-License-Identifier: GPL-3.0-or-later
// Runs every block of tests/worked_examples/*.txt.
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"
#include "tests/support/worked_example.hpp"

#include <algorithm>

namespace headroom::test_worked_examples
{

class TestWorkedExamples : public QObject
{
    Q_OBJECT

    static std::vector<test::WorkedExample> all()
    {
        std::vector<std::filesystem::path> files;
        for (const auto& entry : std::filesystem::directory_iterator(test::sourcePath("tests/worked_examples")))
            if (entry.path().extension() == ".txt")
                files.push_back(entry.path());
        std::ranges::sort(files);
        std::vector<test::WorkedExample> examples;
        for (const auto& file : files) {
            const auto blocks = test::readWorkedExamples(file.string());
            examples.insert(examples.end(), blocks.begin(), blocks.end());
        }
        return examples;
    }

private slots:
    void thereAreEnough()
    {
        const auto examples = all();
        QVERIFY2(examples.size() >= 55, std::to_string(examples.size()).c_str()); // 15 first cases and 40 more
        for (const auto& example : examples) {
            QVERIFY2(!example.source.empty(), example.name.c_str());
            QVERIFY2(!example.expectations.empty(), example.name.c_str());
        }
    }

    void holds_data()
    {
        QTest::addColumn<int>("index");
        const auto examples = all();
        for (std::size_t i = 0; i < examples.size(); ++i)
            QTest::addRow("%s: %s", examples[i].file.c_str(), examples[i].name.c_str()) << static_cast<int>(i);
    }
    void holds()
    {
        QFETCH(int, index);
        static const auto examples = all();
        const std::string failures = test::runWorkedExample(examples[static_cast<std::size_t>(index)]);
        QVERIFY2(failures.empty(), failures.c_str());
    }
};
HEADROOM_TEST(TestWorkedExamples)

} // namespace headroom::test_worked_examples
#include "test_worked_examples.moc"
