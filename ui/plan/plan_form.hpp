// SPDX-License-Identifier: GPL-3.0-or-later
// PlanForm: the question of a plan as fields with units — the scenario's targets, and what only a search asks for.
#pragma once

#include "core/plan/planner.hpp"
#include "ui/document/recalculator.hpp"
#include "ui/plan/asked_plan.hpp"
#include "ui/plan/device_popup.hpp"
#include "ui/plan/plan_field.hpp"
#include "ui/widgets/card.hpp"

#include <QHash>
#include <vector>

class QCheckBox;
class QGridLayout;
class QToolButton;

namespace headroom::ui
{

class SegmentedControl;
class Settings;

class PlanForm final : public Card
{
    Q_OBJECT

public:
    PlanForm(ScenarioStore& store, Recalculator& recalculator, Settings& settings, QWidget* parent = nullptr);

    [[nodiscard]] const AskedPlan& asked() const { return m_asked; }
    [[nodiscard]] const PlanQuestion& question() const { return m_asked.question(); }
    void setQuestion(const PlanQuestion& question);
    /// The accelerators to compare, while they are chosen.
    [[nodiscard]] DevicePopup* devices() const { return m_popup; }
    [[nodiscard]] QToolButton* devicesButton() const { return m_devices; }
    [[nodiscard]] QCheckBox* slowEnd() const { return m_slowEnd; }
    /// By the parameter's id ("requests_per_s") or the question's key ("most_gpus"); null when it is not asked for this
    /// task.
    [[nodiscard]] PlanField* field(const QString& id) const { return m_fields.value(id); }
    /// What was typed and cannot be meant; empty when all is well.
    [[nodiscard]] QString refusal() const;
    [[nodiscard]] SegmentedControl* objectives() const { return m_objective; }
    /// Shows by what the answer is ranked, which is not cost where a price is unknown; emits nothing.
    void showObjective(PlanObjective objective);

signals:
    void changed();

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override;

private:
    /// Asks the same but for what `edit` does.
    void change(const std::function<void(PlanQuestion&)>& edit);
    /// Ticks what `key` of the question frees or asks for.
    void connectBox(QCheckBox& box, const char* key);
    void build(Task task);
    void addParameter(const char* id);
    /// A number of the question, by its key.
    void addAsked(const char* key);
    /// What a search takes where the scenario has no price.
    [[nodiscard]] QString listPrice() const;
    void addPrice(const QString& acceleratorId);
    void addField(const QString& id, PlanField* field);
    void arrange();
    void refresh();
    [[nodiscard]] std::vector<DeviceEntry> devicesFor(const QString& query) const;

    ScenarioStore& m_store;
    Recalculator& m_recalculator;
    AskedPlan m_asked;
    std::optional<Task> m_task;
    QStringList m_unpriced; ///< that have a field
    QGridLayout* m_grid;
    SegmentedControl* m_objective;
    QCheckBox *m_formats, *m_offload, *m_slowEnd;
    QToolButton* m_devices;
    DevicePopup* m_popup;
    QHash<QString, PlanField*> m_fields;
    std::vector<PlanField*> m_order;
    std::vector<std::function<void()>> m_refreshers, m_boxes; ///< show what is asked: the fields, the boxes
    int m_columns = 0;
};

} // namespace headroom::ui
