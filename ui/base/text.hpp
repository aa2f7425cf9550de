// SPDX-License-Identifier: GPL-3.0-or-later
// Bridges between core's UTF-8 text and Qt's strings.
#pragma once

#include <QString>
#include <string>
#include <string_view>

namespace headroom::ui
{

[[nodiscard]] inline QString toQString(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

[[nodiscard]] inline std::string toUtf8(const QString& text)
{
    const QByteArray bytes = text.toUtf8();
    return {bytes.constData(), static_cast<std::size_t>(bytes.size())};
}

/// What a file holds, as core's readers take it; valid as long as `bytes`.
[[nodiscard]] inline std::string_view toView(const QByteArray& bytes)
{
    return {bytes.constData(), static_cast<std::size_t>(bytes.size())};
}

/// Escaped for rich text. Qt's HTML reader takes core's narrow no-break space for an ordinary one and would break
/// "20.0 %" between number and unit, hence the entity that it does keep.
[[nodiscard]] inline QString toRichText(const QString& text)
{
    return text.toHtmlEscaped().replace(QChar(0x202F), QStringLiteral("&nbsp;"));
}

[[nodiscard]] inline QString toRichText(std::string_view text)
{
    return toRichText(toQString(text));
}

} // namespace headroom::ui
