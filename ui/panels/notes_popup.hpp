// SPDX-License-Identifier: GPL-3.0-or-later
// NotesPopup: everything the result in hand assumes or leaves out, above the status line's button.
#pragma once

#include "core/explain/result_notes.hpp"
#include "ui/widgets/popup_card.hpp"

class QLabel;
class QTextBrowser;

namespace headroom::ui
{

class NotesPopup final : public PopupCard
{
    Q_OBJECT

public:
    explicit NotesPopup(QWidget* parent);

    void setNotes(const std::vector<ResultNote>& notes);
    /// Above `place` (of the screen) and within its window.
    void openAbove(const QRect& place);
    [[nodiscard]] QString text() const;

signals:
    /// The slider behind a note is asked for.
    void parameterRequested(const QString& parameterId);

private:
    QLabel* m_heading;
    QTextBrowser* m_browser;
};

} // namespace headroom::ui
