// SPDX-License-Identifier: GPL-3.0-or-later
// headroom-cli as a process, as a person or a script runs it.
#pragma once

#include "tests/support/places.hpp"

#include <QProcess>

namespace headroom::test
{

struct Outcome {
    int status = -1; ///< exit status; -1: it did not start, crashed, or ran for two minutes
    QByteArray out, err;

    [[nodiscard]] QList<QByteArray> lines() const
    {
        QList<QByteArray> list = out.split('\n');
        list.removeAll(QByteArray());
        return list;
    }
};

/// Feeds `input` to a process that was started, and waits for its end.
inline Outcome finish(QProcess& process, const QByteArray& input)
{
    if (!process.waitForStarted())
        return {};
    process.write(input);
    process.closeWriteChannel();
    if (!process.waitForFinished(120'000) || process.exitStatus() != QProcess::NormalExit) {
        process.kill();
        process.waitForFinished();
        return {};
    }
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

inline Outcome runCli(const QStringList& arguments, const QByteArray& input = {})
{
    QProcess process;
    process.start(commandLineProgram(), arguments);
    return finish(process, input);
}

} // namespace headroom::test
