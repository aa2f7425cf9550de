// SPDX-License-Identifier: GPL-3.0-or-later
// DoorButton: a large button with a word and a sentence under it.
#pragma once

#include <QAbstractButton>

namespace headroom::ui
{

class DoorButton final : public QAbstractButton
{
    Q_OBJECT

public:
    DoorButton(const QString& word, const QString& sentence, QWidget* parent = nullptr);

    /// What it takes to show the sentence in full.
    [[nodiscard]] int heightForWidth(int width) const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] QRect sentenceRect(int width) const;

    QString m_word, m_sentence;
};

} // namespace headroom::ui
