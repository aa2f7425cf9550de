// SPDX-License-Identifier: GPL-3.0-or-later
// PaleParts: what still answers the question before, while the next is searched; it turns pale after a moment.
#pragma once

#include <QList>
#include <QObject>
#include <QTimer>
#include <vector>

class QWidget;

namespace headroom::ui
{

class Veil;

class PaleParts final : public QObject
{
    Q_OBJECT

public:
    explicit PaleParts(QObject* parent = nullptr);

    void add(const QList<QWidget*>& parts);
    /// A new question: every part is of the one before, and pale where its answer does not come at once.
    void begin();
    /// These parts answer the question.
    void answer(const QList<QWidget*>& parts);
    /// Nothing more will come.
    void end();
    /// Both answer the same question, whichever.
    [[nodiscard]] bool belongTogether(const QWidget* one, const QWidget* other) const;

signals:
    void changed(bool pale); ///< whether any is

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Part {
        QWidget* widget;
        Veil* veil;       ///< its child
        int question = 0; ///< that it answers
    };
    void tell();

    std::vector<Part> m_parts;
    int m_question = 0;
    QTimer m_moment; ///< what is answered meanwhile does not flicker
    bool m_told = false;
};

} // namespace headroom::ui
