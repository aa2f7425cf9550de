// SPDX-License-Identifier: GPL-3.0-or-later
// OwnRunCard: the first start's way to one's own run: model, GPUs and step time, over the filled window.
#pragma once

#include "ui/widgets/catalog_picker.hpp"

#include <QWidget>

class QLabel;
class QLineEdit;
class QPushButton;

namespace headroom
{
class Catalog;
}

namespace headroom::ui
{

/// What was entered; ids of the catalogue.
struct OwnRun {
    QString model, accelerator;
    double gpus = 8, stepS = 0;
};

/// Covers its parent, keeps the keyboard, and deletes itself once the run was entered or Escape pressed.
class OwnRunCard final : public QWidget
{
    Q_OBJECT

public:
    OwnRunCard(const Catalog& catalog, const OwnRun& first, QWidget* parent);

    [[nodiscard]] CatalogPicker* model() const { return m_model; }
    [[nodiscard]] CatalogPicker* accelerator() const { return m_accelerator; }
    [[nodiscard]] QLineEdit* gpus() const { return m_gpus; }
    [[nodiscard]] QLineEdit* step() const { return m_step; }
    [[nodiscard]] QPushButton* button() const { return m_show; }

signals:
    void entered(const headroom::ui::OwnRun& run);

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    bool focusNextPrevChild(bool next) override;

private:
    void accept();

    const Catalog& m_catalog;
    OwnRun m_run;
    CatalogPicker *m_model, *m_accelerator;
    QLineEdit *m_gpus, *m_step;
    QLabel* m_refusal;
    QPushButton* m_show;
};

} // namespace headroom::ui
