// SPDX-License-Identifier: GPL-3.0-or-later
// HelpView: the help as a page of the window: contents to the left, the page in hand to the right, searched as one
// types.
#pragma once

#include <QWidget>
#include <functional>

class QLineEdit;
class QListWidget;
class QTextBrowser;
class QToolButton;
class QUrl;

namespace headroom::ui
{

class NothingFound;

class HelpView final : public QWidget
{
    Q_OBJECT

public:
    static constexpr const char* pageId = "help";
    /// `show` brings a page of the window to the front, by id; empty where the window cannot be reached: links into it
    /// are plain words then.
    explicit HelpView(std::function<void(const QString&)> show, QWidget* parent = nullptr);

    /// By id; what was read before is one step back.
    void open(const QString& id);
    void back();
    [[nodiscard]] QString current() const { return m_current; }
    [[nodiscard]] QLineEdit* field() const { return m_field; }
    [[nodiscard]] QListWidget* contents() const { return m_contents; }
    [[nodiscard]] QTextBrowser* browser() const { return m_browser; }

signals:
    /// A term's entry in the glossary is asked for.
    void termRequested(const QString& termId);
    /// Escape, or Back where there is nothing before.
    void closeRequested();

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void search();
    void findNext();
    void follow(const QUrl& link);
    void render();
    void fitText();
    void markHits();
    [[nodiscard]] QStringList words() const;

    std::function<void(const QString&)> m_show;
    QWidget* m_side = nullptr;
    QLineEdit* m_field;
    QListWidget* m_contents;
    QTextBrowser* m_browser;
    QToolButton* m_back;
    NothingFound* m_nothing;
    QString m_current;
    QStringList m_before;
    bool m_stale = false; ///< drawn in colours or type that changed while it was hidden
};

} // namespace headroom::ui
