// SPDX-License-Identifier: GPL-3.0-or-later
// SpokenNotice: words for assistive technology alone, heard wherever the keyboard is.
#pragma once

#include <QWidget>

class QLabel;

namespace headroom::ui
{

/// A notification without a look: screen readers speak one that comes to show, with the labels in it.
class SpokenNotice final : public QWidget
{
    Q_OBJECT

public:
    explicit SpokenNotice(QWidget* parent);
    /// Lets the words be spoken; what was said before may be cut short.
    void notify(const QString& words);

private:
    QLabel* m_words;
};

} // namespace headroom::ui
