// SPDX-License-Identifier: GPL-3.0-or-later
// RowNotice: the words under the row of a parameter, with one click to a value that is right.
#pragma once

#include "core/explore/advice.hpp"

#include <QLabel>
#include <optional>

namespace headroom::ui
{

/// What the result warns of, or why a typed text is no value, which speaks first. Hidden while there is neither.
class RowNotice final : public QLabel
{
    Q_OBJECT

public:
    explicit RowNotice(QWidget* parent = nullptr);

    /// What the result warns of; empty text = nothing.
    void warn(const QString& text, const std::optional<Advice>& fix);
    /// Why what was typed is no value, as HTML; `link` names the nearest one.
    void refuse(const QString& reason, const QString& link, const Advice& nearest);
    /// The warning speaks again.
    void endRefusal();
    /// As it is shown; empty while nothing is.
    [[nodiscard]] QString words() const { return isHidden() ? QString() : text(); }
    /// A notice that goes leaves its place empty until this is let go: the rows below it do not move.
    void setPlaceHeld(bool held);

signals:
    void followed(const headroom::Advice& advice);

private:
    struct Words {
        QString html; ///< empty = nothing
        std::optional<Advice> fix;
    };

    void showWords();

    Words m_warning;
    std::optional<Words> m_refusal;
};

} // namespace headroom::ui
