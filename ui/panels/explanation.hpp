// SPDX-License-Identifier: GPL-3.0-or-later
// ExplanationPanel: the right panel: why the chosen metric has its value, with links to the sliders behind it.
#pragma once

#include "core/charts/chart_registry.hpp"
#include "core/explain/chart_point.hpp"
#include "core/explore/advice.hpp"
#include "core/profile/profile_advice.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/card.hpp"

#include <QTimer>

class QTextBrowser;

namespace headroom::ui
{

class Veil;

class ExplanationPanel final : public Card
{
    Q_OBJECT

public:
    explicit ExplanationPanel(QWidget* parent = nullptr);

    /// Explains a metric of the scenario. Nothing is derived while the panel is hidden.
    void explain(const QString& metricId, const ChartContext& context);
    /// Explains a point of a chart until explain() is called again.
    void explainPoint(const ChartPoint& point, const ChartContext& context);
    /// Advice leaves parameters alone that are held.
    void setHeld(IsHeld held) { m_held = std::move(held); }
    /// What several changes at once would reach (severalChanges()), of this setup alone; empty where there is nothing.
    void showSeveral(const std::optional<Advice>& advice, const Setup& setup);
    /// Veils the text: it is of the scenario before, as the scenario in hand cannot be evaluated.
    void setOutdated(bool outdated);
    /// Makes a parameter's symbol stand out; empty = none.
    void markParameter(const QString& parameterId);
    /// The text shown, up to date.
    [[nodiscard]] QString text();

signals:
    /// The panel came into sight.
    void shown();
    /// The pointer is on a symbol (its parameter), or on none (empty).
    void symbolPointedAt(const QString& parameterId);
    void symbolActivated(const QString& parameterId);
    void conventionChosen(const QString& conventionId);
    /// An advice is to be applied.
    void adviceChosen(const headroom::Advice& advice);
    /// A chart point was explained and is to give way to the scenario in hand.
    void backRequested();
    /// The glossary's entry of a metric is asked for.
    void glossaryRequested(const QString& metricId);

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void render();
    void renderSoon();
    [[nodiscard]] QString profiled(const Theme& colours);

    QTextBrowser* m_browser;
    Veil* m_veil;
    QString m_shown;                       ///< what the text that is shown is about
    QString m_metricId, m_marked, m_where; ///< m_where: which point of a chart; empty = the scenario in hand
    IsHeld m_held;
    std::vector<Advice> m_advice;                        ///< as shown
    std::vector<profile::ProfileAdvice> m_profileAdvice; ///< as shown
    std::optional<std::pair<Advice, Setup>> m_several;
    std::optional<Setup> m_nothingFor; ///< for which several changes were looked for in vain
    std::optional<ChartContext> m_context;
    QTimer m_quiet; ///< runs while a fresh text is too young to be replaced
    bool m_stale = false;
};

} // namespace headroom::ui
