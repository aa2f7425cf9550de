// SPDX-License-Identifier: GPL-3.0-or-later
// ExplanationPanel: the right panel: why the chosen metric has its value, with links to the sliders behind it.
#pragma once

#include "core/charts/chart_registry.hpp"
#include "ui/controls/card.hpp"

#include <QTimer>

class QTextBrowser;

namespace headroom::ui
{

class ExplanationPanel final : public Card
{
    Q_OBJECT

public:
    explicit ExplanationPanel(QWidget* parent = nullptr);

    /// Explains a metric of the scenario. Nothing is derived while the panel is hidden.
    void explain(const QString& metricId, const ChartContext& context);
    /// Makes a parameter's symbol stand out; empty = none.
    void markParameter(const QString& parameterId);
    /// The text shown, up to date.
    [[nodiscard]] QString text();

signals:
    /// The pointer is on a symbol (its parameter), or on none (empty).
    void symbolPointedAt(const QString& parameterId);
    void symbolActivated(const QString& parameterId);
    void conventionChosen(const QString& conventionId);

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void render();
    void renderSoon();

    QTextBrowser* m_browser;
    QString m_metricId, m_marked;
    std::optional<ChartContext> m_context;
    QTimer m_quiet; ///< runs while a fresh text is too young to be replaced
    bool m_stale = false;
};

} // namespace headroom::ui
