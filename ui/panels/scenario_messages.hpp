// SPDX-License-Identifier: GPL-3.0-or-later
// ScenarioMessages: tells the bar what is wrong with the scenario in hand, and what would mend it.
#pragma once

#include <QObject>
#include <QTimer>
#include <vector>

namespace headroom
{
struct Advice;
struct ChartContext;
struct Diagnostic;
} // namespace headroom

namespace headroom::ui
{

class MessageBar;
class Recalculator;
class ScenarioStore;
struct Remedy;

/// The bar lies over the foot of the charts: it waits until the hand rests, so that none of them flickers under a drag.
class ScenarioMessages final : public QObject
{
    Q_OBJECT

public:
    ScenarioMessages(MessageBar& bar, ScenarioStore& store, Recalculator& recalculator, QObject* parent);
    /// Whether the page in front shows the figures that the bar speaks of; at once.
    void setWanted(bool wanted);

private:
    void show();
    void showRefusal(const Diagnostic& first);
    void showResult(const ChartContext& context);
    [[nodiscard]] std::vector<Remedy> remediesFor(const ChartContext& context);
    /// One for each, which follows it.
    [[nodiscard]] std::vector<Remedy> buttons(const std::vector<Advice>& found);

    MessageBar& m_bar;
    ScenarioStore& m_store;
    Recalculator& m_recalculator;
    QTimer m_rest;
    bool m_wanted = true;
};

} // namespace headroom::ui
