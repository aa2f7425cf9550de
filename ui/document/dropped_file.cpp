// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/dropped_file.hpp"

#include "ui/platform/files.hpp"

#include <QFileInfo>
#include <QMimeData>
#include <QUrl>
#include <algorithm>
#include <cctype>

namespace headroom::ui
{
namespace
{

constexpr qint64 mostDropped = 16 << 20;

/// Keys of the outermost object, also of text that a strict parser refuses (comments, NaN): the first place where a
/// quoted word with a colon stands, at any depth, is good enough to tell the kinds apart.
bool hasKey(const QByteArray& content, const char* key)
{
    const QByteArray quoted = QByteArray("\"") + key + "\"";
    for (qsizetype at = content.indexOf(quoted); at >= 0; at = content.indexOf(quoted, at + 1)) {
        qsizetype next = at + quoted.size();
        while (next < content.size() && std::isspace(static_cast<unsigned char>(content[next])))
            ++next;
        if (next < content.size() && content[next] == ':')
            return true;
    }
    return false;
}

bool hasAny(const QByteArray& content, std::initializer_list<const char*> keys)
{
    return std::any_of(keys.begin(), keys.end(), [&](const char* key) { return hasKey(content, key); });
}

} // namespace

FileKind kindOf(const QString& name, const QByteArray& content)
{
    if (name.endsWith(QLatin1String(".headroom"), Qt::CaseInsensitive) || content.contains("\"headroom-scenario\""))
        return FileKind::Scenario;
    if (content.contains("\"headroom-prices\""))
        return FileKind::Prices;
    if (hasKey(content, "memory_gb") && hasAny(content, {"peak_tflops", "memory_bandwidth_gbps_bytes"}))
        return FileKind::Accelerator;
    if (hasKey(content, "layers") && hasKey(content, "hidden"))
        return FileKind::Model;
    if (hasAny(content, {"model_type", "architectures", "num_hidden_layers", "hidden_size", "n_layer", "text_config"}))
        return FileKind::ModelConfig;
    if (hasKey(content, "quantization") && hasAny(content, {"quant_algo", "kv_cache_quant_algo", "producer"}))
        return FileKind::Quantization;
    if (name == QLatin1String("config.json"))
        return FileKind::ModelConfig;
    return name == QLatin1String("hf_quant_config.json") ? FileKind::Quantization : FileKind::Other;
}

FileKind kindOfFile(const QString& path)
{
    const auto content = readFile(path, mostDropped);
    return content ? kindOf(QFileInfo(path).fileName(), *content) : FileKind::Other;
}

QStringList localFiles(const QMimeData* mime)
{
    QStringList paths;
    for (const QUrl& url : mime->urls())
        if (url.isLocalFile())
            paths << url.toLocalFile();
    return paths;
}

std::vector<DroppedFile> droppedFiles(const QMimeData* mime)
{
    std::vector<DroppedFile> files;
    for (const QString& path : localFiles(mime))
        files.push_back({path, kindOfFile(path)});
    return files;
}

bool mayBeDropped(const QMimeData* mime)
{
    return mime->hasUrls() && !localFiles(mime).isEmpty();
}

} // namespace headroom::ui
