// SPDX-License-Identifier: GPL-3.0-or-later
// DroppedFile: what a file that is dropped on the window, or imported, holds; decided here and nowhere else.
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>
#include <vector>

class QMimeData;

namespace headroom::ui
{

enum class FileKind {
    Scenario,     ///< .headroom
    ModelConfig,  ///< a Hugging Face config.json
    Quantization, ///< NVIDIA's hf_quant_config.json
    Accelerator,  ///< one record of a catalogue
    Model,        ///< one record of a catalogue
    Prices,       ///< a price list
    Other         ///< nothing that is known by its content; its reader says what is wrong with it
};

/// Bytes at the beginning of a file that say what it is, where it is not read whole.
inline constexpr qint64 telling = 64 << 10;

struct DroppedFile {
    QString path;
    FileKind kind = FileKind::Other;
};

/// By what is in the file, its name only where that says nothing.
[[nodiscard]] FileKind kindOf(const QString& name, const QByteArray& content);
/// Reads at most 16 MiB of the file; Other where it cannot be read.
[[nodiscard]] FileKind kindOfFile(const QString& path);

/// The paths of a drag's local files, in its order.
[[nodiscard]] QStringList localFiles(const QMimeData* mime);
/// The local files of a drag, in its order.
[[nodiscard]] std::vector<DroppedFile> droppedFiles(const QMimeData* mime);
/// Whether a drag holds a local file at all; looks at names alone, so that it can be asked while the mouse moves.
[[nodiscard]] bool mayBeDropped(const QMimeData* mime);

} // namespace headroom::ui
