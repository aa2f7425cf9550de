// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/learn/own_run_card.hpp"

#include "core/catalog/catalog.hpp"
#include "core/support/whole_parts.hpp"
#include "ui/base/text.hpp"
#include "ui/learn/lesson_labels.hpp"
#include "ui/parameters/catalog_entries.hpp"
#include "ui/parameters/parameter_text.hpp"
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

namespace
{

/// How the GPUs share the batch evenly: the fewest ranks to a layer, within a node; empty where they cannot.
std::optional<std::int64_t> tensorFor(double gpus, double batch)
{
    constexpr std::int64_t node = 8;
    for (std::int64_t ranks = 1; ranks <= node; ranks *= 2)
        if (dividesInto(gpus, double(ranks)) && dividesInto(batch, gpus / double(ranks)))
            return ranks;
    return std::nullopt;
}

std::optional<double> typedIn(const QLineEdit& field, const ParameterRow& row)
{
    const auto value = typedValue(row, field.text().trimmed());
    const bool possible = value && *value >= row.minimum && *value <= row.maximum && *value == std::round(*value);
    return possible ? value : std::nullopt;
}

} // namespace

OwnRunCard::OwnRunCard(const Catalog& catalog, const OwnRun& first, QWidget* parent)
    : QWidget(parent), m_catalog(catalog), m_run(first),
      m_model(new CatalogPicker(tr("Model"), tr("Search models"), modelSearch(catalog))),
      m_accelerator(new CatalogPicker(tr("Accelerator"), tr("Search accelerators"), acceleratorSearch(catalog))),
      m_gpus(new QLineEdit), m_sequence(new QLineEdit), m_batch(new QLineEdit), m_step(new QLineEdit),
      m_layout(lessonLabel(TextStyle::Caption)), m_refusal(lessonLabel()), m_show(new QPushButton(tr("Show my run")))
{
    setAccessibleRole(*this, QAccessible::Dialog);
    setAccessibleName(tr("My own run"));
    build();
    m_gpus->setText(fullNumber(m_run.gpus));
    m_sequence->setText(fullNumber(m_run.sequence));
    m_step->setPlaceholderText(tr("from your log"));
    showNames();
    tellLayout();
    connectParts();
    parent->installEventFilter(this);
    setGeometry(parent->rect());
    raise();
    show();
    m_model->setFocus(Qt::TabFocusReason);
}

void OwnRunCard::build()
{
    constexpr int widest = 460, margin = 24;
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
        tr("What you train, on which GPUs, what a step takes in, and how long it takes. Expectations are calibrated to "
           "that."));
    column->addWidget(words);
    auto* form = new QFormLayout;
    form->setRowWrapPolicy(QFormLayout::WrapLongRows);
    form->setSpacing(10);
    form->addRow(tr("Model"), m_model);
    form->addRow(tr("Accelerator"), m_accelerator);
    for (const auto& [field, name] :
         {std::pair(m_gpus, tr("GPUs")), std::pair(m_sequence, tr("Sequence length, tokens")),
          std::pair(m_batch, tr("Global batch, sequences")), std::pair(m_step, tr("Step time, seconds"))}) {
        field->setAccessibleName(name);
        form->addRow(name, field);
    }
    column->addLayout(form);
    column->addWidget(m_layout);
    column->addWidget(m_refusal);
    column->addWidget(m_show, 0, Qt::AlignRight);
    m_refusal->hide();
}

void OwnRunCard::connectParts()
{
    connect(m_model, &CatalogPicker::picked, this, [this](const QString& id) {
        m_run.model = id;
        showNames();
        m_accelerator->setFocus(Qt::TabFocusReason); // Enter leads on, here as in the fields
    });
    connect(m_accelerator, &CatalogPicker::picked, this, [this](const QString& id) {
        m_run.accelerator = id;
        showNames();
        m_gpus->setFocus(Qt::TabFocusReason);
        m_gpus->selectAll();
    });
    for (QLineEdit* field : {m_gpus, m_sequence, m_batch, m_step})
        connect(field, &QLineEdit::textChanged, this, [this] {
            m_refusal->hide();
            tellLayout();
        });
    connect(m_show, &QPushButton::clicked, this, &OwnRunCard::accept);
}

void OwnRunCard::showNames()
{
    if (const auto entry = m_catalog.model(toUtf8(m_run.model)))
        m_model->show(entryOf(*entry));
    if (const auto entry = m_catalog.accelerator(toUtf8(m_run.accelerator)))
        m_accelerator->show(entryOf(*entry));
}

std::pair<QLineEdit*, QString> OwnRunCard::read()
{
    const auto gpus = typedNumber(m_gpus->text().trimmed(), ValueFormat::Integer, true, false);
    if (!gpus || *gpus < 1 || *gpus > 1e6)
        return {m_gpus, tr("A whole number of GPUs, 1 or more.")};
    m_run.gpus = std::round(*gpus);
    const auto sequence = typedIn(*m_sequence, *parameterRow("sequence_length"));
    if (!sequence)
        return {m_sequence, tr("The tokens of one sequence, a whole number: 4096, or 8k.")};
    m_run.sequence = *sequence;
    m_run.batch.reset();
    m_run.tensor = 1;
    if (!m_batch->text().trimmed().isEmpty()) {
        m_run.batch = typedIn(*m_batch, *parameterRow("global_batch"));
        if (!m_run.batch)
            return {m_batch, tr("The sequences of one optimizer step, a whole number.")};
        const auto tensor = tensorFor(m_run.gpus, *m_run.batch);
        if (!tensor)
            return {
                m_batch,
                tr("%1 GPUs cannot share %2 sequences evenly.").arg(fullNumber(m_run.gpus), fullNumber(*m_run.batch))};
        m_run.tensor = *tensor;
    }
    const auto step = typedNumber(m_step->text().trimmed(), ValueFormat::Seconds, false, false);
    if (!step || *step <= 0)
        return {m_step, tr("The seconds of one optimizer step, more than 0: 4.3, or 250 ms.")};
    m_run.stepS = *step;
    return {};
}

void OwnRunCard::tellLayout()
{
    const QLineEdit* wrong = read().first;
    m_batch->setPlaceholderText(wrong == m_gpus ? QString() : tr("%1: one per GPU").arg(fullNumber(m_run.gpus)));
    m_layout->setVisible(!wrong || wrong == m_step);
    const double ranks = m_run.gpus / double(m_run.tensor);
    const QString sharing = m_run.tensor > 1
                                ? tr("tensor parallel %1, data parallel %2").arg(m_run.tensor).arg(fullNumber(ranks))
                                : tr("data parallel %1").arg(fullNumber(ranks));
    m_layout->setText(
        tr("Taken to have run with %1, micro-batch 1, micro-batches per step %2. Where that is not so, set "
           "it in the panel at the left, then press “I ran these settings”.")
            .arg(sharing, fullNumber(m_run.batch.value_or(ranks) / ranks)));
    m_layout->setAccessibleName(m_layout->text());
}

void OwnRunCard::accept()
{
    if (const auto [wrong, words] = read(); wrong) {
        m_refusal->setText(words);
        m_refusal->setAccessibleName(words);
        m_refusal->show();
        m_layout->hide(); // of what was right before
        wrong->setAccessibleDescription(words);
        wrong->setFocus(Qt::OtherFocusReason);
        wrong->selectAll();
        return;
    }
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
    const QList<QWidget*> order{m_model, m_accelerator, m_gpus, m_sequence, m_batch, m_step, m_show};
    const auto here = order.indexOf(focusWidget());
    QWidget* to = order.at((here + (next ? 1 : order.size() - 1)) % order.size());
    to->setFocus(Qt::TabFocusReason);
    if (auto* field = qobject_cast<QLineEdit*>(to))
        field->selectAll();
    return true;
}

} // namespace headroom::ui
