// SPDX-License-Identifier: GPL-3.0-or-later
// "Copy as command line": pasted into a shell, it gives the numbers that the window shows, to the last digit.
#include "core/metrics/evaluation_text.hpp"
#include "core/predict/evaluation_json.hpp"
#include "core/scenario/command_line.hpp"
#include "core/scenario/scenario_json.hpp"
#include "core/support/embedded.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

#include <QFileInfo>
#include <QProcess>

namespace headroom::test_command_line
{
namespace
{

/// Standard output of a line typed into a shell that finds headroom-cli.
QByteArray typed(const std::string& line)
{
    QProcess shell;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("PATH"), QFileInfo(test::commandLineProgram()).absolutePath() + u':' +
                                                   environment.value(QStringLiteral("PATH")));
    shell.setProcessEnvironment(environment);
    shell.start(QStringLiteral("sh"), {QStringLiteral("-c"), QString::fromStdString(line)});
    if (!shell.waitForFinished(120'000) || shell.exitCode() != 0)
        return shell.readAllStandardError();
    return shell.readAllStandardOutput();
}

} // namespace

class TestCommandLine : public QObject
{
    Q_OBJECT
private slots:
    void everyExample_data()
    {
        QTest::addColumn<QByteArray>("text");
        for (const EmbeddedFile& file : embeddedFolder("scenarios/"))
            QTest::newRow(std::string(file.path).c_str()) << QByteArray(file.text.data(), qsizetype(file.text.size()));
    }

    void everyExample()
    {
        QFETCH(const QByteArray, text);
        Scenario scenario = readScenario(text.toStdString(), Catalog::builtIn())->scenario;
        scenario.name += " — it's \"quoted\", $HOME and `such`"; // nothing a shell would touch may change
        const auto prepared = prepare(scenario, Catalog::builtIn(), Calibration::builtIn());
        QVERIFY(prepared);
        const std::string line = commandLine(scenario);
        QVERIFY(line.find('\n') == std::string::npos);
        const std::string json = evaluationJson(scenario.name, *prepared, evaluate(*prepared), 2) + "\n";
        QCOMPARE(typed(line + " --format json"), QByteArray::fromStdString(json));
    }

    void asItStandsItPrintsTheTable()
    {
        const Scenario scenario;
        const auto prepared = prepare(scenario, Catalog::builtIn(), Calibration::builtIn());
        QVERIFY(prepared);
        const std::string table = evaluationText(scenario.name, *prepared, evaluate(*prepared));
        const QByteArray printed = typed(commandLine(scenario));
        QVERIFY2(printed.contains(QByteArray::fromStdString(table.substr(table.find('\n')))), printed.constData());
    }
};
HEADROOM_TEST(TestCommandLine)

} // namespace headroom::test_command_line
#include "test_command_line.moc"
