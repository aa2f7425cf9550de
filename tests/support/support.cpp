// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/support.hpp"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <fstream>
#include <sstream>

namespace headroom::test
{

std::string readFile(const std::string& path)
{
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

std::vector<std::string> readLines(const std::string& path)
{
    std::ifstream in(path, std::ios::binary);
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);)
        lines.push_back(line);
    if (lines.empty())
        qFatal("cannot read %s", path.c_str());
    return lines;
}

std::vector<std::string> publishedRunLines(const std::string& task)
{
    return readLines(publishedRunsPath(task));
}

QString writtenFile(const QString& path, const QByteArray& text)
{
    QDir().mkpath(QFileInfo(path).path());
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
        qFatal("cannot write %s", qPrintable(path));
    return path;
}

} // namespace headroom::test
