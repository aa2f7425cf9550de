// SPDX-License-Identifier: GPL-3.0-or-later
// ViewForm: one view of the talk, to be changed: name, note, scenario, charts, sliders.
#pragma once

#include "core/catalog/catalog.hpp"
#include "core/present/stage_view.hpp"

#include <QWidget>
#include <functional>

class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;

namespace headroom::ui
{

class ChoiceList;

class ViewForm final : public QWidget
{
    Q_OBJECT

public:
    using Change = std::function<void(StageView&)>;

    explicit ViewForm(const Catalog& catalog, QWidget* parent = nullptr);
    /// Fields that are being typed into and say the same stay as they are.
    void show(const StageView& view);
    using QWidget::show;

    [[nodiscard]] QLineEdit* name() const { return m_name; }
    [[nodiscard]] QPlainTextEdit* note() const { return m_note; }
    [[nodiscard]] ChoiceList* charts() const { return m_charts; }
    [[nodiscard]] ChoiceList* sliders() const { return m_sliders; }

signals:
    /// `typing`: one of many small steps of the same field.
    void changed(const QString& text, const headroom::ui::ViewForm::Change& change, bool typing);
    /// The view is to begin with the scenario in hand.
    void takeRequested();
    /// The view's scenario is to be the one in hand.
    void useRequested();

private:
    void build();

    const Catalog& m_catalog;
    QLineEdit* m_name;
    QPlainTextEdit* m_note;
    QLabel* m_scenario;
    QPushButton *m_take, *m_use;
    ChoiceList *m_charts, *m_sliders;
    bool m_showing = false;
};

} // namespace headroom::ui
