// SPDX-License-Identifier: GPL-3.0-or-later
// Player: moves a parameter by itself along its slider, to and fro, until any key, click or wheel.
#pragma once

#include "core/scenario/slider_scale.hpp"
#include "ui/document/scenario_store.hpp"

#include <QTimer>
#include <optional>

namespace headroom::ui
{

/// All it moves is one undo step.
class Player final : public QObject
{
    Q_OBJECT

public:
    explicit Player(ScenarioStore& store, QObject* parent = nullptr);

    /// Ten steps a second. `calm`, for desktops that turned motion off: one snap point a second.
    void play(const ParameterRow& row, const SliderScale& scale, bool calm);
    void stop();
    /// Null while nothing moves.
    [[nodiscard]] const ParameterRow* playing() const { return m_timer.isActive() ? m_row : nullptr; }
    [[nodiscard]] int intervalMs() const { return m_timer.interval(); }

signals:
    void playingChanged();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void step();
    [[nodiscard]] double next(double value);

    ScenarioStore& m_store;
    const ParameterRow* m_row = nullptr;
    std::optional<SliderScale> m_scale;
    QTimer m_timer;
    double m_position = 0;
    int m_direction = 1, m_gesture = 0;
    bool m_calm = false;
};

} // namespace headroom::ui
