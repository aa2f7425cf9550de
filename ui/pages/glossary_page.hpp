// SPDX-License-Identifier: GPL-3.0-or-later
// GlossaryPage: every term, metric and parameter in one alphabet, searched as one types.
#pragma once

#include <QWidget>

class QLineEdit;
class QTextBrowser;

namespace headroom::ui
{

class GlossaryPage final : public QWidget
{
    Q_OBJECT

public:
    static constexpr const char* pageId = "glossary";
    explicit GlossaryPage(QWidget* parent = nullptr);

    [[nodiscard]] QLineEdit* field() const { return m_field; }
    /// What is listed, as plain text.
    [[nodiscard]] QString text() const;
    void showMetric(const QString& metricId);
    void showParameter(const QString& parameterId);
    void showTerm(const QString& termId);
    /// Any entry, by its id in core's glossary.
    void showEntry(const QString& entryId);

signals:
    void metricRequested(const QString& metricId);
    void parameterRequested(const QString& parameterId);
    void chartRequested(const QString& chartId);

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void render();

    QLineEdit* m_field;
    QTextBrowser* m_browser;
};

} // namespace headroom::ui
