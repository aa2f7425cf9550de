// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plan/plan_field.hpp"

#include "core/units/format.hpp"
#include "ui/base/text.hpp"
#include "ui/theme/text_style.hpp"
#include "ui/widgets/local_number.hpp"
#include "ui/widgets/value_box.hpp"

#include <QLabel>
#include <QVBoxLayout>
#include <cmath>

namespace headroom::ui
{

PlanField::PlanField(PlanFieldRow row, QWidget* parent)
    : QWidget(parent), m_row(std::move(row)), m_label(new QLabel(m_row.label)), m_box(new ValueBox), m_empty(tr("any"))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(3);
    setTextStyle(m_label, TextStyle::Caption);
    m_label->setBuddy(m_box);
    m_box->setAlignment(Qt::AlignLeft);
    m_box->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    const QString unit = m_row.unit.isEmpty() ? QString() : tr(", in %1").arg(m_row.unit);
    m_box->setAccessibleName(m_row.label + unit);
    m_box->setAccessibleDescription(m_row.tip);
    setToolTip(m_row.tip);
    column->addWidget(m_label);
    column->addWidget(m_box);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(m_box, &ValueBox::committed, this, &PlanField::commit);
}

QString PlanField::words(double value) const
{
    const QString text = toQString(formatText(value, m_row.format));
    return m_row.unit.isEmpty() || m_row.format == ValueFormat::Seconds ? text
                                                                        : QString(text + QChar(0x202F) + m_row.unit);
}

void PlanField::show(const std::optional<double>& value)
{
    m_value = value;
    m_box->setAutomatic(!value);
    m_box->setTexts(value ? words(*value) : m_empty, value ? fullNumber(*value) : QString());
}

void PlanField::setEmptyText(const QString& text)
{
    m_empty = text;
}

void PlanField::refuse(const QString& reason)
{
    m_box->setRefused(!reason.isEmpty());
    m_refusal = reason.isEmpty() ? QString() : tr("%1: %2").arg(m_row.label, reason);
    emit refusalChanged();
}

void PlanField::commit(const QString& text)
{
    if (text.trimmed().isEmpty() && m_row.optional) {
        refuse({});
        emit chosen(std::nullopt);
        show(m_value);
        return;
    }
    auto value = typedNumber(text.trimmed(), m_row.format, m_row.whole, m_row.binaryK);
    if (value && m_row.whole)
        value = std::round(*value);
    if (!value)
        return refuse(tr("“%1” is not a number.").arg(text));
    if (*value < m_row.minimum || *value > m_row.maximum)
        return refuse(tr("from %1 to %2.").arg(words(m_row.minimum), words(m_row.maximum)));
    refuse({});
    emit chosen(value);
    show(m_value);
}

} // namespace headroom::ui
