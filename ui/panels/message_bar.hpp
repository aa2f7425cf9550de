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

    void show(MessageKind kind, const QString& text, std::vector<Remedy> remedies);
    void clear();
    /// How high it is where it is as wide as this.
    [[nodiscard]] int heightIn(int width);
    [[nodiscard]] QString text() const;
    [[nodiscard]] const std::vector<Remedy>& remedies() const { return m_remedies; }

signals:
    /// It came, went or says something else: who places it has another look.
    void changed();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void arrange();

    QBoxLayout* m_layout;
    QLabel* m_label;
    WrapLayout* m_buttons;
    std::vector<Remedy> m_remedies;
    MessageKind m_kind = MessageKind::Warning;
};

} // namespace headroom::ui
