// SPDX-License-Identifier: GPL-3.0-or-later
// ChoiceButton: one answer to a question: its number, words over as many lines as they need, and what became of it.
#pragma once

#include <QAbstractButton>
#include <cstdint>

namespace headroom::ui
{

enum class ChoiceMark : std::uint8_t { Open, Chosen, Right, Wrong, Other };

class ChoiceButton final : public QAbstractButton
{
    Q_OBJECT

public:
    /// `number` is the key that chooses it.
    ChoiceButton(int number, const QString& words, QWidget* parent = nullptr);

    /// Anything but Open can no longer be chosen.
    void setMark(ChoiceMark mark);
    [[nodiscard]] ChoiceMark mark() const { return m_mark; }

    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] int badgeWidth() const;

    int m_number;
    QString m_words;
    ChoiceMark m_mark = ChoiceMark::Open;
};

} // namespace headroom::ui
