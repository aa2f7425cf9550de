// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/catalog/import_dialog.hpp"

#include "core/facts/catalog_facts.hpp"
#include "core/units/format.hpp"
#include "ui/base/button_order.hpp"
#include "ui/base/text.hpp"
#include "ui/catalog/fact_html.hpp"
#include "ui/document/catalog_library.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/card.hpp"
#include "ui/widgets/thin_scroll_bar.hpp"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QTextDocumentFragment>

namespace headroom::ui
{
namespace
{

QString factsOf(const HfImport& imported, const Theme& theme)
{
    const auto entry = modelEntry(std::make_shared<const ModelArchitecture>(imported.architecture));
    const auto muted = [&theme](const QString& html) {
        return QStringLiteral("<span style='color:%1'>%2</span>").arg(theme.muted.name(), html);
    };
    QString html = ImportDialog::tr("<b>%1 parameters</b>").arg(toQString(wholeText(entry.counts.total)));
    if (entry.counts.active != entry.counts.total)
        html += ImportDialog::tr(", <b>%1 active</b> per token").arg(toQString(wholeText(entry.counts.active)));
    html += QStringLiteral("<br>") + muted(toQString(imported.activeDefinition).toHtmlEscaped());
    if (!imported.exact)
        html += QStringLiteral("<p style='color:%1'><b>%2</b></p>")
                    .arg(theme.warning.name(),
                         ImportDialog::tr("⚠ The family “%1” is not known: counted as Llama-like, which may be off.")
                             .arg(toQString(imported.architecture.modelType).toHtmlEscaped()));
    QString assumed;
    for (const Diagnostic& warning : imported.warnings)
        assumed += QStringLiteral("<li>%1</li>").arg(toQString(warning.message).toHtmlEscaped());
    html += assumed.isEmpty() ? QStringLiteral("<p>%1</p>").arg(muted(ImportDialog::tr("Nothing was assumed.")))
                              : QStringLiteral("<p><b>%1</b></p><ul style='margin-left:-20px'>%2</ul>")
                                    .arg(ImportDialog::tr("Assumed"), assumed);
    return html + factHtml(std::vector<ModelEntry>{entry}, theme);
}

} // namespace

ImportDialog::ImportDialog(HfImport imported, const QString& name, QWidget* parent)
    : QDialog(parent), m_imported(std::move(imported)), m_name(new QLineEdit(name)), m_facts(new QLabel),
      m_use(new QPushButton(tr("Use in the scenario"))), m_keep(new QPushButton(tr("Keep in my catalogue and use")))
{
    setWindowTitle(tr("Import a model"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 16, 16, 16);
    column->setSpacing(12);
    auto* top = new QFormLayout;
    m_name->setAccessibleName(tr("Name"));
    top->addRow(tr("&Name"), m_name);
    column->addLayout(top);
    auto* card = new Card;
    auto* inside = new QVBoxLayout(card);
    inside->setContentsMargins(2, 2, 2, 2);
    auto* scroll = new QScrollArea;
    scroll->setVerticalScrollBar(new ThinScrollBar);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    m_facts->setMargin(14);
    m_facts->setWordWrap(true);
    m_facts->setAlignment(Qt::AlignTop);
    m_facts->setTextInteractionFlags(Qt::TextBrowserInteraction);
    m_facts->setText(factsOf(m_imported, themeOf(palette())));
    scroll->setWidget(m_facts);
    scroll->viewport()->setAutoFillBackground(false);
    m_facts->setAutoFillBackground(false);
    inside->addWidget(scroll);
    column->addWidget(card, 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    buttons->addButton(m_keep, QDialogButtonBox::ActionRole);
    buttons->addButton(m_use, QDialogButtonBox::ActionRole);
    m_use->setDefault(true);
    column->addWidget(buttons);
    orderButtons(*buttons, m_facts);
    connect(m_name, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_use->setEnabled(!text.trimmed().isEmpty());
        m_keep->setEnabled(!text.trimmed().isEmpty());
    });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_use, &QPushButton::clicked, this, [this] {
        emit useChosen();
        accept();
    });
    connect(m_keep, &QPushButton::clicked, this, [this] {
        emit keepChosen();
        accept();
    });
    resize(560, 640);
}

ModelArchitecture ImportDialog::model() const
{
    ModelArchitecture model = m_imported.architecture;
    model.name = toUtf8(m_name->text().trimmed());
    model.id = idFromName(m_name->text());
    return model;
}

QString ImportDialog::text() const
{
    return QTextDocumentFragment::fromHtml(m_facts->text()).toPlainText();
}

} // namespace headroom::ui
