// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/catalog/entry_form.hpp"

#include "ui/base/button_order.hpp"
#include "ui/base/text.hpp"
#include "ui/theme/text_style.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/card.hpp"
#include "ui/widgets/local_number.hpp"
#include "ui/widgets/thin_scroll_bar.hpp"

#include <QDialogButtonBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QTextDocumentFragment>
#include <algorithm>
#include <cmath>

namespace headroom::ui
{
namespace
{

QLabel* caption(const QString& text)
{
    auto* label = new QLabel(text);
    setTextStyle(label, TextStyle::Strong);
    return label;
}

void colour(QWidget& widget, QPalette::ColorRole role, const QColor& colour)
{
    QPalette palette = widget.palette();
    palette.setColor(role, colour);
    widget.setPalette(palette);
}

/// "80" in the field's unit; "80 GB" or "3.35 TB/s" as it says.
std::optional<double> numberIn(const FormField& field, const QString& text)
{
    const auto read = typedNumber(text, field.format, field.whole, false);
    return read && !isBareNumber(text) ? std::optional(*read / field.factor) : read;
}

} // namespace

EntryForm::EntryForm(const QString& title, std::vector<FormField> fields, FormChecker check, QWidget* parent)
    : QDialog(parent), m_fields(std::move(fields)), m_check(std::move(check)), m_preview(new QLabel),
      m_problems(new QLabel)
{
    setWindowTitle(title);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(16, 16, 16, 16);
    outer->setSpacing(12);
    auto* sides = new QHBoxLayout;
    sides->setSpacing(12);
    sides->addWidget(buildFields(), 1);
    auto* card = new Card;
    auto* column = new QVBoxLayout(card);
    column->setContentsMargins(16, 14, 16, 14);
    column->addWidget(m_preview, 0, Qt::AlignTop);
    column->addStretch(1);
    card->setMinimumWidth(330);
    m_preview->setWordWrap(true);
    m_preview->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_preview->setAccessibleName(tr("What follows from the fields"));
    sides->addWidget(card);
    outer->addLayout(sides, 1);
    m_problems->setTextFormat(Qt::PlainText);
    m_problems->setWordWrap(true);
    colour(*m_problems, QPalette::WindowText, themeOf(palette()).danger);
    outer->addWidget(m_problems);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel);
    m_save = buttons->button(QDialogButtonBox::Save);
    outer->addWidget(buttons);
    orderButtons(*buttons, m_rows.back().edit);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    resize(880, 640);
    this->check();
}

QWidget* EntryForm::buildFields()
{
    auto* scroll = new QScrollArea;
    makeQuiet(*scroll);
    scroll->setWidgetResizable(true);
    auto* content = new QWidget;
    auto* grid = new QGridLayout(content);
    grid->setContentsMargins(0, 0, 12, 0);
    grid->setVerticalSpacing(6);
    grid->setColumnStretch(1, 1);
    int line = 0;
    QString group;
    for (const FormField& field : m_fields) {
        if (field.group != group) {
            group = field.group;
            if (line > 0)
                grid->setRowMinimumHeight(line++, 8);
            grid->addWidget(caption(group), line++, 0, 1, 3);
        }
        auto* label = new QLabel(field.label);
        Row row{new QLineEdit(field.value), new QLabel};
        label->setBuddy(row.edit);
        row.edit->setObjectName(QStringLiteral("field.") + field.label);
        row.edit->setAccessibleName(field.unit.isEmpty() ? field.label
                                                         : QStringLiteral("%1, %2").arg(field.label, field.unit));
        row.edit->setMinimumHeight(26);
        row.edit->setPlaceholderText(field.required ? QString() : tr("not known"));
        row.complaint->setTextFormat(Qt::PlainText);
        row.complaint->setWordWrap(true);
        setTextStyle(row.complaint, TextStyle::Caption);
        colour(*row.complaint, QPalette::WindowText, themeOf(palette()).danger);
        row.complaint->setVisible(false);
        grid->addWidget(label, line, 0);
        grid->addWidget(row.edit, line, 1);
        grid->addWidget(new QLabel(field.unit), line++, 2);
        grid->addWidget(row.complaint, line++, 1, 1, 2);
        connect(row.edit, &QLineEdit::textChanged, this, &EntryForm::check);
        m_rows.push_back(row);
    }
    grid->setRowStretch(line, 1);
    scroll->setWidget(content);
    return scroll;
}

std::vector<FormValue> EntryForm::values() const
{
    std::vector<FormValue> values;
    for (std::size_t i = 0; i < m_fields.size(); ++i) {
        const QString text = m_rows[i].edit->text().trimmed();
        FormValue value{text, {}, text != m_fields[i].value};
        if (!m_fields[i].text && !text.isEmpty())
            value.number = numberIn(m_fields[i], text);
        values.push_back(std::move(value));
    }
    return values;
}

QString EntryForm::complaintOf(std::size_t index) const
{
    const FormField& field = m_fields[index];
    const QString text = m_rows[index].edit->text().trimmed();
    if (text.isEmpty())
        return field.required ? tr("must be given") : QString();
    if (field.text)
        return {};
    const auto number = numberIn(field, text);
    if (!number)
        return field.unit.isEmpty() ? tr("is not a number") : tr("is not a number of %1").arg(field.unit);
    if (*number < 0)
        return tr("must not be negative");
    return field.whole && *number != std::floor(*number) ? tr("must be a whole number") : QString();
}

void EntryForm::check()
{
    if (m_rows.size() < m_fields.size())
        return;
    bool readable = true;
    std::vector<QString> complaints;
    for (std::size_t i = 0; i < m_fields.size(); ++i) {
        complaints.push_back(complaintOf(i));
        readable = readable && complaints.back().isEmpty();
    }
    QStringList others;
    bool good = readable;
    if (readable) {
        const FormCheck result = m_check(values());
        for (const Diagnostic& problem : result.problems) {
            if (problem.severity != Severity::Error)
                continue;
            good = false;
            std::size_t at = 0;
            while (at < m_fields.size() && (m_fields[at].path.empty() || m_fields[at].path != problem.path))
                ++at;
            const QString words =
                toQString(problem.hint.empty() ? problem.message : problem.message + "; " + problem.hint);
            if (at < m_fields.size())
                complaints[at] = words;
            else
                others << (problem.path.empty() ? words : toQString(problem.path) + QStringLiteral(": ") + words);
        }
        if (!result.preview.isEmpty())
            m_preview->setText(result.preview);
    }
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        m_rows[i].complaint->setText(complaints[i]);
        m_rows[i].complaint->setVisible(!complaints[i].isEmpty());
        m_rows[i].edit->setAccessibleDescription(complaints[i]);
    }
    m_preview->setEnabled(good); // what it shows is of the last values that could be read
    m_problems->setText(others.join(u'\n'));
    m_problems->setVisible(!others.isEmpty());
    m_save->setEnabled(good);
}

QLineEdit* EntryForm::field(const QString& label) const
{
    return findChild<QLineEdit*>(QStringLiteral("field.") + label);
}

QString EntryForm::previewText() const
{
    return QTextDocumentFragment::fromHtml(m_preview->text()).toPlainText();
}

QString EntryForm::problems() const
{
    QStringList all;
    for (const Row& row : m_rows)
        if (!row.complaint->text().isEmpty())
            all << row.complaint->text();
    if (!m_problems->text().isEmpty())
        all << m_problems->text();
    return all.join(u'\n');
}

} // namespace headroom::ui
