// SPDX-License-Identifier: GPL-3.0-or-later
// ValueBox: a number with its unit that can be typed over; shows "16 sequences", edits "16".
#pragma once

#include <QLineEdit>

namespace headroom::ui
{

class ValueBox final : public QLineEdit
{
    Q_OBJECT

public:
    explicit ValueBox(QWidget* parent = nullptr);

    /// `shown` while at rest, `editable` once the caret is in. A text being typed or refused stays as it is.
    void setTexts(const QString& shown, const QString& editable);
    /// Muted: the value is automatic.
    void setAutomatic(bool automatic);
    /// Marks the text as refused; the next setTexts() with another value clears it.
    void setRefused(bool refused);
    [[nodiscard]] bool isRefused() const { return m_refused; }
    /// Starts editing with this first key.
    void beginWith(const QString& key);
    /// What it would take to show a text.
    [[nodiscard]] int widthFor(const QString& text) const;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

signals:
    /// The text is to become the value.
    void committed(const QString& text);
    /// What was typed is given up: the box shows the value again.
    void givenUp();

protected:
    bool event(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void rest();
    void commit();
    void updateColours();

    QString m_shown, m_editable;
    bool m_automatic = false, m_refused = false, m_updatingColours = false;
    bool m_firstClick = false; ///< the press that brought the keyboard here
};

} // namespace headroom::ui
