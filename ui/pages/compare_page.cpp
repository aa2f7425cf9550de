// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/compare_page.hpp"

#include "core/comparison/other_measurement.hpp"
#include "core/metrics/words.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"
#include "ui/base/tell.hpp"
#include "ui/base/text.hpp"
#include "ui/document/recalculator.hpp"
#include "ui/pages/compare_model.hpp"
#include "ui/platform/dialogs.hpp"
#include "ui/platform/files.hpp"
#include "ui/session/session.hpp"
#include "ui/settings/settings.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/card.hpp"
#include "ui/widgets/thin_scroll_bar.hpp"
#include "ui/widgets/wrap_layout.hpp"

#include <QClipboard>
#include <QDir>
#include <QFileInfo>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>
#include <QTextBrowser>
#include <algorithm>
#include <numeric>
#include <vector>

namespace headroom::ui
{
namespace
{

constexpr int nameLetters = 28, leastLetters = 16, enoughLetters = 34, mostLetters = 42; ///< of type

/// Its columns share the room, but none grows so wide that its figures stand far from what they are of, and none is
/// narrower than what it says.
class FigureTable final : public QTableView
{
public:
    FigureTable()
    {
        horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
        connect(horizontalHeader(), &QHeaderView::sectionCountChanged, this, &FigureTable::shareRoom);
    }

protected:
    void resizeEvent(QResizeEvent* event) override
    {
        QTableView::resizeEvent(event);
        shareRoom();
    }

private:
    void shareRoom()
    {
        const int letter = fontMetrics().averageCharWidth();
        const int columns = horizontalHeader()->count(), room = viewport()->width(),
                  share = room / std::max(1, columns);
        std::vector<int> needed;
        for (int i = 0; i < columns; ++i)
            needed.push_back(std::clamp(std::max(sizeHintForColumn(i), horizontalHeader()->sectionSizeHint(i)),
                                        leastLetters * letter, enoughLetters * letter)); // figures grow in use
        // Alike where each has enough of its share; else those that say more have more of the room.
        const bool alike = std::ranges::all_of(needed, [share](int width) { return width <= share; });
        const int left = std::max(0, room - std::accumulate(needed.begin(), needed.end(), 0)) / std::max(1, columns);
        for (int i = 0; i < columns; ++i)
            horizontalHeader()->resizeSection(
                i, std::min(alike ? share : needed[static_cast<std::size_t>(i)] + left, mostLetters * letter));
    }
};

/// The parts that were measured, before and after.
QString profilesHtml(const profile::ProfilesAcross& across, const Theme& theme)
{
    const auto cell = [](const QString& text) {
        return QStringLiteral("<td align='right' style='padding:2px 0 0 8px'><nobr>%1</nobr></td>").arg(text);
    };
    QString html = QStringLiteral("<table width='100%' cellspacing='0' cellpadding='0'><tr><td></td>");
    for (const std::string& letter : across.letters)
        html += cell(QStringLiteral("<b>%1</b>").arg(letter.empty() ? ComparePage::tr("Now") : toQString(letter)));
    for (const profile::PartAcross& part : across.parts) {
        html += QStringLiteral("</tr><tr><td style='padding:2px 0 0 0;color:%1'>%2</td>")
                    .arg(theme.muted.name(), toRichText(capitalized(said(part.label))));
        for (const auto& seconds : part.measuredS)
            html += cell(seconds ? toRichText(secondsText(*seconds)) : QStringLiteral("–"));
    }
    return html + QStringLiteral("</tr></table>");
}

} // namespace

ComparePage::ComparePage(Session& session, QWidget* parent)
    : ScrolledPage(parent), m_session(session), m_model(new CompareModel(this)), m_table(new FigureTable),
      m_changes(new QTextBrowser)
{
    column()->setSpacing(12);
    auto* tools = new WrapLayout(6); // three pins and long words go on in a second line
    buildTools(*tools);
    column()->addLayout(tools);
    column()->addLayout(nameRow());

    auto* figures = new Card;
    auto* figuresLayout = new QVBoxLayout(figures);
    figuresLayout->setContentsMargins(8, 8, 4, 8);
    figuresLayout->addWidget(m_table);
    m_table->setModel(m_model);
    m_table->setAccessibleName(tr("Metrics of the scenario in hand and of the pins"));
    makeQuiet(*m_table);
    m_table->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->horizontalHeader()->setDefaultAlignment(Qt::AlignRight | Qt::AlignBottom); // model beside model
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_table->verticalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignTop); // at the figures
    m_table->setStyleSheet(
        QStringLiteral("QTableView { background: palette(base); }"
                       "QTableView::item { border: 0; border-bottom: 1px solid palette(midlight); padding: 4px 8px 0; }"
                       "QTableView::item:selected { background: palette(highlight); color: palette(highlighted-text); }"
                       "QHeaderView::section { background: palette(base); border: 0; padding: 4px 8px;"
                       " border-bottom: 1px solid palette(midlight); }"
                       "QHeaderView { background: palette(base); border: 0; }"
                       "QTableCornerButton::section { background: palette(base); border: 0;"
                       " border-bottom: 1px solid palette(midlight); }"));

    auto* changed = new Card;
    auto* changedLayout = new QVBoxLayout(changed);
    changedLayout->setContentsMargins(8, 4, 2, 4);
    changedLayout->addWidget(m_changes);
    makeQuiet(*m_changes);
    m_changes->setAccessibleName(tr("What changed"));

    m_body = new QBoxLayout(QBoxLayout::LeftToRight);
    m_body->setSpacing(12);
    m_body->addWidget(figures, 3);
    m_body->addWidget(changed, 1);
    column()->addLayout(m_body, 1);
    connect(&session.recalculator, &Recalculator::evaluated, this, &ComparePage::refresh);
    connect(&session.store, &ScenarioStore::pinsChanged, this, &ComparePage::updateTools);
    updateTools();
}

void ComparePage::resizeEvent(QResizeEvent* event)
{
    ScrolledPage::resizeEvent(event);
    arrange();
}

void ComparePage::arrange()
{
    constexpr int enough = 46, lines = 6; // of type, across and down: either would be a narrow strip
    const int line = fontMetrics().height();
    m_body->setDirection(width() < enough * line ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    m_table->setMinimumHeight(heightOfRows(*m_table, lines));
    m_changes->setMinimumHeight(lines * line);
}

void ComparePage::buildTools(WrapLayout& tools)
{
    const auto button = [&](const QString& text, const QString& tip, auto act, bool needsPins) {
        auto* made = new QPushButton(text);
        made->setToolTip(tip);
        made->setAccessibleName(QString(text).remove(u'&'));
        connect(made, &QPushButton::clicked, this, act);
        tools.addWidget(made);
        if (needsPins)
            m_needPins.push_back(made);
        return made;
    };
    ScenarioStore& store = m_session.store;
    m_pin = button(
        tr("Pin what is in hand"), tr("Pin this scenario for comparison"), [&store] { store.pinCurrent(); }, false);
    for (int i = 0; i < static_cast<int>(Pins::most); ++i) {
        const char letter = static_cast<char>('A' + i);
        auto* swap = button(
            tr("Swap with %1").arg(QLatin1Char(letter)),
            tr("Take the pinned scenario in hand and pin this one instead"),
            [&store, letter] { store.swapWithPin(letter); }, false);
        m_swaps.push_back(swap);
    }
    button(
        tr("Forget the pins"), tr("Forget the pinned scenarios"), [&store] { store.clearPins(); }, true);
    button(
        tr("Copy as Markdown"), tr("The table and what changed, as text for a wiki or an issue"),
        [this] { copyMarkdown(); }, true);
    button(
        tr("Export CSV…"), tr("The figures in full precision"), [this] { exportCsv(); }, true);
}

QLayout* ComparePage::nameRow()
{
    auto* row = new WrapLayout(12);
    for (int i = 0; i < static_cast<int>(Pins::most); ++i) {
        const char letter = static_cast<char>('A' + i);
        auto* field = new QLineEdit;
        field->setPlaceholderText(tr("Name of %1").arg(QLatin1Char(letter)));
        field->setAccessibleName(tr("Name of pin %1").arg(QLatin1Char(letter)));
        field->setToolTip(tr("What this pin is called on charts, in the table and in reports; saved with the file"));
        field->setMaxLength(static_cast<int>(longestPinName));
        field->setMinimumWidth(nameLetters * field->fontMetrics().averageCharWidth());
        connect(field, &QLineEdit::editingFinished, this,
                [this, field, letter] { m_session.store.setPinName(letter, field->text()); });
        auto* named = new QWidget; // the letter stays beside the name
        auto* line = new QHBoxLayout(named);
        line->setContentsMargins(0, 0, 0, 0);
        auto* label = new QLabel(QString(QLatin1Char(letter)));
        label->setBuddy(field);
        line->addWidget(label);
        line->addWidget(field);
        row->addWidget(named);
        m_names.push_back(field);
    }
    return row;
}

QString ComparePage::changes() const
{
    return m_changes->toPlainText();
}

void ComparePage::showEvent(QShowEvent* event)
{
    ScrolledPage::showEvent(event);
    refresh();
}

void ComparePage::changeEvent(QEvent* event)
{
    ScrolledPage::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        showChanges();
    else if (event->type() == QEvent::FontChange)
        arrange();
}

std::vector<ComparedScenario> ComparePage::compared() const
{
    const auto reason = [](const Diagnostics& refusal) {
        const Diagnostic& first = refusal.front();
        return withLabels(first.hint.empty() ? first.message : first.message + "; " + first.hint);
    };
    const Recalculator& results = m_session.recalculator;
    const ScenarioStore& store = m_session.store;
    const auto elsewhere = [&](const Scenario& scenario) {
        const auto other = otherMeasurement(scenario, results.catalog(), Calibration::builtIn());
        return other ? other->sentence() : std::string();
    };
    std::vector<ComparedScenario> all(1);
    all.front().scenario = &store.scenario();
    all.front().otherMeasurement = elsewhere(store.scenario());
    if (results.isRefused()) {
        all.front().name = shortName(store.scenario(), results.catalog());
        all.front().refusal = reason(results.refusal());
    } else {
        all.front().prepared = &results.context()->scenario;
        all.front().evaluation = &results.context()->evaluation;
    }
    for (const Pin& pin : store.pins()) {
        ComparedScenario& one = all.emplace_back();
        one.letter = std::string(1, pin.letter);
        one.given = pin.name;
        one.scenario = &pin.scenario;
        one.otherMeasurement = elsewhere(pin.scenario);
        for (const PinnedScenario& result : results.pins())
            if (result.letter == pin.letter) {
                one.prepared = &result.prepared;
                one.evaluation = &result.evaluation;
            }
        if (const Diagnostics& refusal = results.pinRefusal(pin.letter); !refusal.empty()) {
            one.name = shortName(pin.scenario, results.catalog());
            one.refusal = reason(refusal);
        }
    }
    return all;
}

void ComparePage::updateTools()
{
    const auto& pins = m_session.store.pins();
    for (int i = 0; i < static_cast<int>(m_swaps.size()); ++i)
        m_swaps[static_cast<std::size_t>(i)]->setVisible(
            std::any_of(pins.begin(), pins.end(), [i](const Pin& pin) { return pin.letter == 'A' + i; }));
    for (std::size_t i = 0; i < m_names.size(); ++i) {
        m_names[i]->parentWidget()->setVisible(i < pins.size());
        if (i < pins.size() && !m_names[i]->hasFocus()) {
            m_names[i]->setText(toQString(pins[i].name));
            m_names[i]->setCursorPosition(0); // a name is read from its beginning
        }
    }
    for (QAbstractButton* button : m_needPins)
        button->setEnabled(!pins.empty());
    m_pin->setEnabled(pins.size() < Pins::most);
}

void ComparePage::refresh()
{
    const Recalculator& results = m_session.recalculator;
    if (!isVisible() || (!results.context() && !results.isRefused()))
        return;
    const bool wasEmpty = m_model->rowCount() == 0;
    const auto all = compared();
    m_model->setComparison(compare(all));
    m_profiles = profile::profilesAcross(all);
    if (wasEmpty)
        m_table->scrollToTop();
    showChanges();
}

void ComparePage::showChanges()
{
    const Theme& colours = themeOf(palette());
    QString html;
    const auto paragraph = [&](const QString& text, const QString& style) {
        html += QStringLiteral("<p style='margin-top:2px;margin-bottom:6px;%1'>%2</p>").arg(style, text);
    };
    const QString muted = QStringLiteral("color:") + colours.muted.name();
    const Comparison& comparison = m_model->comparison();
    if (comparison.columns.size() < 2) {
        paragraph(QStringLiteral("<b>%1</b>").arg(tr("Nothing is pinned yet")), QString());
        paragraph(tr("Pin the scenario in hand, then move a slider: both stand here side by side, up to three pins "
                     "at once."),
                  muted);
    }
    for (const ComparisonColumn& column : comparison.columns) {
        if (!column.refusal.empty()) {
            const QString what =
                column.letter.empty() ? tr("The scenario in hand") : tr("Pin %1").arg(toQString(column.letter));
            paragraph(QStringLiteral("<b>%1</b>").arg(tr("%1 cannot be evaluated").arg(what)),
                      QStringLiteral("color:") + colours.danger.name());
            paragraph(toRichText(column.refusal), QString());
        }
        if (!column.otherMeasurement.empty())
            paragraph(QStringLiteral("<b>%1</b> %2")
                          .arg(toQString(column.letter.empty() ? said("Now") : column.letter) + QLatin1Char(':'),
                               toRichText(column.otherMeasurement)),
                      QString());
        if (column.letter.empty())
            continue;
        paragraph(QStringLiteral("<b>%1</b>").arg(tr("What changed from %1").arg(toQString(column.letter))), QString());
        if (column.changes.empty())
            paragraph(tr("Nothing."), muted);
        for (const ScenarioDifference& change : column.changes)
            paragraph(QStringLiteral("%1<br><span style='color:%2'>%3 → %4</span>")
                          .arg(toRichText(change.label), colours.muted.name(), toRichText(change.before),
                               toRichText(change.after)),
                      QString());
    }
    if (!m_profiles.parts.empty()) {
        paragraph(QStringLiteral("<b>%1</b>").arg(tr("Profiles, part by part")), QString());
        html += profilesHtml(m_profiles, colours);
    }
    m_changes->setHtml(html);
}

void ComparePage::copyMarkdown() const
{
    QGuiApplication::clipboard()->setText(toQString(comparisonMarkdown(m_model->comparison()) +
                                                    (m_profiles.parts.empty() ? "" : "\n") +
                                                    profile::profilesMarkdown(m_profiles)));
    tell(*this, tr("The comparison is in the clipboard."));
}

void ComparePage::exportCsv()
{
    const QString folder = m_session.settings.value(SettingKey::LastFolder).toString();
    const QString path = m_session.dialogs.exportFile(this, QDir(folder).filePath(QStringLiteral("comparison.csv")),
                                                      tr("Export comparison"), tr("Numbers (*.csv);;All files (*)"));
    if (path.isEmpty())
        return;
    if (const QString error = writeFile(path, comparisonCsv(m_model->comparison()) +
                                                  profile::profilesCsv(m_profiles, m_model->comparison()));
        !error.isEmpty()) {
        m_session.dialogs.showError(this, tr("“%1” cannot be written.").arg(path), error);
        return;
    }
    m_session.settings.setValue(SettingKey::LastFolder, QFileInfo(path).absolutePath());
    tell(*this, tr("The comparison is in %1.").arg(QFileInfo(path).fileName()));
}

} // namespace headroom::ui
