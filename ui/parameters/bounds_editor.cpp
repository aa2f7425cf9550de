// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/parameters/bounds_editor.hpp"

#include "core/metrics/words.hpp"
#include "core/support/language.hpp"
#include "core/units/format.hpp"
#include "ui/base/text.hpp"
#include "ui/parameters/parameter_text.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/card.hpp"
#include "ui/widgets/plain_button.hpp"

#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

namespace headroom::ui
{

BoundsEditor::BoundsEditor(const ParameterRow& row, const SliderScale& scale, QPoint at, QWidget* parent)
    : QFrame(parent, Qt::Popup), m_row(row), m_from(new QLineEdit), m_to(new QLineEdit), m_refusal(new QLabel)
{
    setObjectName(QStringLiteral("boundsEditor"));
    setAttribute(Qt::WA_DeleteOnClose);
    auto* form = new QFormLayout(this);
    form->setContentsMargins(12, 10, 12, 10);
    form->addRow(new QLabel(tr("Slider of %1").arg(toQString(inSentence(row.label)))));
    form->addRow(tr("from"), m_from);
    form->addRow(tr("to"), m_to);
    m_from->setAccessibleName(tr("Lower end of the slider of %1").arg(toQString(say(row.label))));
    m_to->setAccessibleName(tr("Upper end of the slider of %1").arg(toQString(say(row.label))));
    m_from->setText(typedText(row, scale.minimum()));
    m_to->setText(typedText(row, scale.maximum()));
    m_refusal->setWordWrap(true);
    m_refusal->hide();
    form->addRow(m_refusal);
    auto* buttons = new QHBoxLayout;
    auto* own = makePlainButton(tr("Usual ends"));
    auto* use = new QPushButton(tr("Use"));
    buttons->addWidget(own);
    buttons->addStretch(1);
    buttons->addWidget(use);
    form->addRow(buttons);
    connect(own, &QPushButton::clicked, this, [this] {
        emit chosen(std::nullopt);
        close();
    });
    connect(use, &QPushButton::clicked, this, &BoundsEditor::accept);
    connect(m_from, &QLineEdit::returnPressed, this, &BoundsEditor::accept);
    connect(m_to, &QLineEdit::returnPressed, this, &BoundsEditor::accept);
    move(at);
    show();
    m_from->setFocus();
    m_from->selectAll();
}

QString BoundsEditor::refusal() const
{
    return m_refusal->isHidden() ? QString() : m_refusal->text();
}

void BoundsEditor::accept()
{
    const auto low = typedValue(m_row, m_from->text()), high = typedValue(m_row, m_to->text());
    const auto inside = [this](double value) { return value >= m_row.minimum && value <= m_row.maximum; };
    if (low && high && *low < *high && inside(*low) && inside(*high)) {
        emit chosen(SliderBounds{*low, *high});
        close();
        return;
    }
    const auto shown = [this](double value) { return toQString(parameterText(m_row, value)); };
    m_refusal->setText(!low || !high   ? tr("“%1” is not a number.").arg(low ? m_to->text() : m_from->text())
                       : *low >= *high ? tr("The lower end must lie below the upper one.")
                                       : tr("Possible from %1 to %2.").arg(shown(m_row.minimum), shown(m_row.maximum)));
    m_refusal->show();
    adjustSize();
}

void BoundsEditor::paintEvent(QPaintEvent*)
{
    paintCard(*this, themeOf(palette()).border);
}

} // namespace headroom::ui
