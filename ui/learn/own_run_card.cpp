// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/learn/own_run_card.hpp"

#include "core/catalog/catalog.hpp"
#include "ui/base/text.hpp"
#include "ui/learn/lesson_labels.hpp"
#include "ui/parameters/catalog_entries.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/accessible_role.hpp"
#include "ui/widgets/card.hpp"
#include "ui/widgets/local_number.hpp"

#include <QEvent>
#include <QFormLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>
#include <cmath>

namespace headroom::ui
{

OwnRunCard::OwnRunCard(const Catalog& catalog, const OwnRun& first, QWidget* parent)
    : QWidget(parent), m_catalog(catalog), m_run(first),
      m_model(new CatalogPicker(tr("Model"), tr("Search models"), modelSearch(catalog))),
      m_accelerator(new CatalogPicker(tr("Accelerator"), tr("Search accelerators"), acceleratorSearch(catalog))),
      m_gpus(new QLineEdit), m_step(new QLineEdit), m_refusal(lessonLabel()), m_show(new QPushButton(tr("Show my run")))
{
    constexpr int widest = 460, margin = 24;
    setAccessibleRole(*this, QAccessible::Dialog);
    setAccessibleName(tr("My own run"));
    auto* card = new Card;
    auto* outer = new QVBoxLayout(this);
    auto* row = new QHBoxLayout;
    outer->addStretch(1);
    row->addStretch(1);
    row->addWidget(card, 100);
    row->addStretch(1);
    outer->addLayout(row);
    outer->addStretch(1);
    card->setMaximumWidth(std::max(widest, 28 * fontMetrics().height()));
    auto* column = new QVBoxLayout(card);
    column->setContentsMargins(margin, margin, margin, margin);
    column->setSpacing(12);
    auto* title = lessonLabel(TextStyle::ChartTitle);
    title->setText(tr("My own run"));
    column->addWidget(title);
    auto* words = lessonLabel();
    words->setText(
        tr("What you train, on which GPUs, and how long a step takes. Batch, sequence and layout follow in the "
           "panel at the left."));
    column->addWidget(words);
    auto* form = new QFormLayout;
    form->setRowWrapPolicy(QFormLayout::WrapLongRows);
    form->setSpacing(10);
    form->addRow(tr("Model"), m_model);
    form->addRow(tr("Accelerator"), m_accelerator);
    form->addRow(tr("GPUs"), m_gpus);
    form->addRow(tr("Step time, seconds"), m_step);
    column->addLayout(form);
    column->addWidget(m_refusal);
    column->addWidget(m_show, 0, Qt::AlignRight);
    m_refusal->hide();
    m_gpus->setText(fullNumber(m_run.gpus));
    m_gpus->setAccessibleName(tr("GPUs"));
    m_step->setAccessibleName(tr("Step time, seconds"));
    m_step->setPlaceholderText(tr("from your log"));
    const auto showNames = [this] {
        if (const auto entry = m_catalog.model(toUtf8(m_run.model)))
            m_model->show(entryOf(*entry));
        if (const auto entry = m_catalog.accelerator(toUtf8(m_run.accelerator)))
            m_accelerator->show(entryOf(*entry));
    };
    showNames();
    connect(m_model, &CatalogPicker::picked, this, [this, showNames](const QString& id) {
        m_run.model = id;
        showNames();
    });
    connect(m_accelerator, &CatalogPicker::picked, this, [this, showNames](const QString& id) {
        m_run.accelerator = id;
        showNames();
    });
    connect(m_show, &QPushButton::clicked, this, &OwnRunCard::accept);
    parent->installEventFilter(this);
    setGeometry(parent->rect());
    raise();
    show();
    m_model->setFocus(Qt::TabFocusReason);
}

void OwnRunCard::accept()
{
    const auto gpus = typedNumber(m_gpus->text().trimmed(), ValueFormat::Integer, true, false);
    const auto step = typedNumber(m_step->text().trimmed(), ValueFormat::Seconds, false, false);
    QLineEdit* wrong = !gpus || *gpus < 1 || *gpus > 1e6 ? m_gpus : !step || *step <= 0 ? m_step : nullptr;
    if (wrong) {
        m_refusal->setText(wrong == m_gpus ? tr("A whole number of GPUs, 1 or more.")
                                           : tr("The seconds of one optimizer step, more than 0: 4.3, or 250 ms."));
        m_refusal->setAccessibleName(m_refusal->text());
        m_refusal->show();
        wrong->setAccessibleDescription(m_refusal->text());
        wrong->setFocus(Qt::OtherFocusReason);
        wrong->selectAll();
        return;
    }
    m_run.gpus = std::round(*gpus);
    m_run.stepS = *step;
    emit entered(m_run);
    hide();
    deleteLater();
}

void OwnRunCard::paintEvent(QPaintEvent*)
{
    constexpr float opacity = 0.45F; // as of the card that leads here
    QColor veil = themeOf(palette()).isDark() ? Qt::black : themeOf(palette()).text;
    veil.setAlphaF(opacity);
    QPainter(this).fillRect(rect(), veil);
}

void OwnRunCard::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape) {
        hide();
        deleteLater();
    } else if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        // In a field on to the next; in the last one, and on the button, it is done.
        if (focusWidget() == m_step || focusWidget() == m_show)
            accept();
        else
            focusNextPrevChild(true);
    } else {
        event->accept(); // what is behind waits
    }
}

void OwnRunCard::mousePressEvent(QMouseEvent*)
{
    // What is behind waits.
}

bool OwnRunCard::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == parentWidget() && event->type() == QEvent::Resize)
        setGeometry(parentWidget()->rect());
    return QWidget::eventFilter(watched, event);
}

bool OwnRunCard::focusNextPrevChild(bool next)
{
    const QList<QWidget*> order{m_model, m_accelerator, m_gpus, m_step, m_show};
    const auto here = order.indexOf(focusWidget());
    QWidget* to = order.at((here + (next ? 1 : order.size() - 1)) % order.size());
    to->setFocus(Qt::TabFocusReason);
    if (auto* field = qobject_cast<QLineEdit*>(to))
        field->selectAll();
    return true;
}

} // namespace headroom::ui
