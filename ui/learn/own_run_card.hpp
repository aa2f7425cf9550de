// SPDX-License-Identifier: GPL-3.0-or-later
// OwnRunCard: the first start's way to one's own run: model, GPUs, what a step takes in and how long it takes, over the
// filled window.
#pragma once

#include "ui/widgets/catalog_picker.hpp"

#include <QWidget>
#include <cstdint>
#include <optional>
#include <utility>

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
    double sequence = 4096;      ///< tokens
    std::optional<double> batch; ///< sequences per optimizer step; empty = one per GPU
    std::int64_t tensor = 1;     ///< ranks that share a layer, where the GPUs alone cannot share the batch
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
    [[nodiscard]] QLineEdit* sequence() const { return m_sequence; }
    [[nodiscard]] QLineEdit* batch() const { return m_batch; }
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
    void build();
    void connectParts();
    void showNames();
    /// Takes what was typed into the run; the first field that is wrong and what would be right, else null.
    [[nodiscard]] std::pair<QLineEdit*, QString> read();
    /// Which layout the figures are taken to be of, before anything is calibrated to them.
    void tellLayout();
    void accept();

    const Catalog& m_catalog;
    OwnRun m_run;
    CatalogPicker *m_model, *m_accelerator;
    QLineEdit *m_gpus, *m_sequence, *m_batch, *m_step;
    QLabel *m_layout, *m_refusal;
    QPushButton* m_show;
};

} // namespace headroom::ui
