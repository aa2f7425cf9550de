// SPDX-License-Identifier: GPL-3.0-or-later
// MessageBar: some words about the scenario (does not fit, cannot be evaluated) with remedies to click.
#pragma once

#include <QFrame>
#include <functional>
#include <vector>

class QBoxLayout;
class QLabel;

namespace headroom::ui
{

class WrapLayout;

enum class MessageKind { Warning, Error };

/// A button of the bar.
struct Remedy {
    QString text;
    std::function<void()> apply;
};

class MessageBar final : public QFrame
{
    Q_OBJECT

public:
    explicit MessageBar(QWidget* parent = nullptr);

    /// `brief`: what it says of `text` where there is no room for more. `oneLine`: what it says where the text does not
    /// fit beside the buttons, which would cover the charts below; empty = the text all the same.
    void show(MessageKind kind, const QString& text, const QString& brief, std::vector<Remedy> remedies,
              const QString& oneLine = {});
    void clear();
    /// How high it is where it is as wide as this, pixels. Where that would be more than `most` it says itself in
    /// brief, without buttons; a pointer at rest shows the whole text.
    [[nodiscard]] int heightIn(int width, int most);
    /// The whole text; empty while the bar is hidden.
    [[nodiscard]] QString text() const;
    [[nodiscard]] const std::vector<Remedy>& remedies() const { return m_remedies; }

signals:
    /// It came, went or says something else: who places it has another look.
    void changed();
    /// What has the keyboard is about to go: without another place for it, Qt takes the next widget, a picker say.
    void keyboardLeaves();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    /// What decides whether there is room for the whole text.
    struct Room {
        int width = 0, most = 0, line = 0;
        QString text;
        bool operator==(const Room&) const = default;
    };

    void arrange();
    /// px that the words have beside the buttons.
    [[nodiscard]] int besideButtons() const;
    void freeKeyboard();
    enum class Form { Whole, OneLine, Brief };
    void write(Form form);
    [[nodiscard]] int heightNow(int width);

    QBoxLayout* m_layout;
    QLabel* m_label;
    WrapLayout* m_buttons;
    std::vector<Remedy> m_remedies;
    QString m_text, m_briefText, m_oneLine;
    MessageKind m_kind = MessageKind::Warning;
    Room m_room; ///< of the last decision: writing anew lays out anew, which asks again
};

} // namespace headroom::ui
