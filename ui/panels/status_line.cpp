// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/status_line.hpp"

#include "core/metrics/words.hpp"
#include "core/predict/evaluate.hpp"
#include "core/support/language.hpp"
#include "core/units/format.hpp"
#include "ui/base/plain_tip.hpp"
#include "ui/base/text.hpp"
#include "ui/panels/notes_popup.hpp"
#include "ui/theme/theme.hpp"

#include <QEvent>
#include <QLabel>
#include <QPainter>
#include <QStyleOption>
#include <QToolButton>
#include <algorithm>

namespace headroom::ui
{

StatusLine::StatusLine(QWidget* parent)
    : QStatusBar(parent), m_fits(new QLabel), m_bound(new QLabel), m_calibration(new QLabel),
      m_notesButton(new QToolButton), m_update(new QLabel), m_saved(new QLabel)
{
    setSizeGripEnabled(false);
    // Flush with the cards above.
    constexpr int side = 12, between = 12, ownMargin = 2;
    setContentsMargins(side - ownMargin, 0, side, 0);
    m_calibration->setObjectName(QStringLiteral("ownCalibration"));
    m_calibration->setTextFormat(Qt::RichText);
    m_calibration->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    m_calibration->setToolTip(tr("The expectation carries efficiencies of your own; undo takes them back too"));
    m_calibration->setAccessibleName(tr("Own calibration in force: back to the built-in one"));
    connect(m_calibration, &QLabel::linkActivated, this, &StatusLine::builtInRequested);
    for (QLabel* label : {m_fits, m_bound, m_calibration}) {
        label->setContentsMargins(0, 0, between, 0);
        addWidget(label);
    }
    m_notesButton->setObjectName(QStringLiteral("notes"));
    m_notesButton->setAutoRaise(true);
    m_notesButton->setFocusPolicy(Qt::StrongFocus);
    m_notesButton->setToolTip(tr("What the result assumes or leaves out"));
    m_notesButton->hide();
    addWidget(m_notesButton);
    connect(m_notesButton, &QToolButton::clicked, this, [this] {
        if (!m_notesPopup) {
            m_notesPopup = new NotesPopup(window());
            connect(m_notesPopup, &NotesPopup::parameterRequested, this, &StatusLine::parameterRequested);
        }
        m_notesPopup->setNotes(m_notes);
        m_notesPopup->openAbove({m_notesButton->mapToGlobal(QPoint()), m_notesButton->size()});
    });
    for (QLabel* label : {m_update, m_saved}) {
        label->setContentsMargins(between, 0, 0, 0);
        addPermanentWidget(label);
    }
    m_update->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_update->setToolTip(tr("From the change to the last repaint it caused"));
    for (QLabel* label : {m_bound, m_update, m_saved})
        label->setForegroundRole(QPalette::PlaceholderText);
    connect(this, &QStatusBar::messageChanged, this, [this](const QString& words) {
        setToolTip(plainTip(words));
        arrange(); // after one, all come back
    });
}

QSize StatusLine::minimumSizeHint() const
{
    return {0, QStatusBar::minimumSizeHint().height()};
}

void StatusLine::resizeEvent(QResizeEvent* event)
{
    QStatusBar::resizeEvent(event);
    arrange();
}

void StatusLine::changeEvent(QEvent* event)
{
    QStatusBar::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        arrange();
}

QRect StatusLine::messagePlace() const
{
    constexpr int margin = 6; // QStatusBar's own
    QRect place = rect().adjusted(margin, 0, -margin, 0);
    for (const QWidget* widget : {m_saved, m_update}) // they stay beside a message
        if (widget->isVisible())
            place.setRight(std::min(place.right(), widget->x() - margin));
    return place;
}

QString StatusLine::shownMessage() const
{
    return fontMetrics().elidedText(currentMessage(), Qt::ElideRight, messagePlace().width());
}

/// QStatusBar cuts a long message in the middle of a letter.
void StatusLine::paintEvent(QPaintEvent* event)
{
    if (currentMessage().isEmpty())
        return QStatusBar::paintEvent(event);
    QPainter painter(this);
    QStyleOption option;
    option.initFrom(this);
    style()->drawPrimitive(QStyle::PE_PanelStatusBar, &option, &painter, this);
    painter.setPen(palette().color(QPalette::WindowText));
    painter.drawText(messagePlace(), Qt::AlignLeading | Qt::AlignVCenter | Qt::TextSingleLine, shownMessage());
}

/// What finds no room goes, the least needed first: how long an update took, what bounds (the roofline says it),
/// whether it is saved (the title says it).
void StatusLine::arrange()
{
    if (m_arranging || !currentMessage().isEmpty())
        return;
    m_arranging = true;
    // Wide enough for most times, so that nothing beside it moves with a slider.
    m_update->setMinimumWidth(m_update->contentsMargins().left() +
                              fontMetrics().horizontalAdvance(tr("%1 per update").arg(QStringLiteral("88.8 µs"))));
    constexpr int spacing = 6; // between any two, QStatusBar's own
    const QMargins around = contentsMargins();
    int room = width() - around.left() - around.right() - spacing;
    const auto wants = [](const QWidget* widget) {
        const auto* label = qobject_cast<const QLabel*>(widget);
        return label ? !label->text().isEmpty() : widget->property("wanted").toBool();
    };
    for (QWidget* widget :
         std::initializer_list<QWidget*>{m_fits, m_notesButton, m_calibration, m_saved, m_bound, m_update}) {
        const bool wanted = wants(widget);
        if (wanted)
            room -= std::max(widget->sizeHint().width(), widget->minimumWidth()) + spacing;
        widget->setVisible(wanted && (room >= 0 || widget == m_fits || widget == m_notesButton));
    }
    m_arranging = false;
}

void StatusLine::showEvaluation(const Evaluation& evaluation, const std::vector<ResultNote>& notes)
{
    // The window's: when it hears of another palette, ours is still the old one.
    const Theme& colours = themeOf(window()->palette());
    const MemoryNeed need = decisiveMemory(evaluation);
    const QString share =
        need.capacityBytes > 0 ? toQString(percentText(need.usedBytes / need.capacityBytes)) : QString();
    m_fits->setTextFormat(Qt::RichText);
    m_fits->setText(
        !stepFits(evaluation)
            ? tr("<span style='color:%1'>▲</span> does not fit: %2 of memory").arg(colours.danger.name(), share)
        : !allFits(evaluation) ? tr("<span style='color:%1'>▲</span> a phase does not fit").arg(colours.danger.name())
        : evaluation.warnings.has(WarningCode::MemoryMayNotFit)
            ? tr("<span style='color:%1'>●</span> may not fit: %2 of memory").arg(colours.warning.name(), share)
            : tr("<span style='color:%1'>●</span> fits: %2 of memory").arg(colours.good.name(), share));
    m_bound->setText(tr("bound by %1").arg(toQString(say(resource(evaluation.boundBy)))));
    const bool own = evaluation.warnings.has(WarningCode::EfficiencyOverridden);
    m_calibration->setFocusPolicy(own ? Qt::StrongFocus : Qt::NoFocus); // hiding it would fight with messages
    m_calibration->setText(own ? tr("<span style='color:%1'>◆</span> own calibration · "
                                    "<a href='builtin' style='color:%2'>back to built-in</a>")
                                     .arg(colours.warning.name(), colours.accent.name())
                               : QString());
    showNotes(notes);
    arrange();
}

void StatusLine::showNotes(const std::vector<ResultNote>& notes)
{
    m_notes = notes;
    const auto count = m_notes.size();
    const QString words = count == 1 ? tr("1 note") : tr("%1 notes").arg(count);
    m_notesButton->setText(QStringLiteral("⚠ ") + words);
    m_notesButton->setAccessibleName(tr("%1 on this result").arg(words));
    m_notesButton->setProperty("wanted", count > 0);
}

void StatusLine::showRefused(bool olderFigures)
{
    const QString words = olderFigures
                              ? tr("<span style='color:%1'>▲</span> cannot be evaluated: the figures are older")
                              : tr("<span style='color:%1'>▲</span> cannot be evaluated");
    m_fits->setTextFormat(Qt::RichText);
    m_fits->setText(words.arg(themeOf(window()->palette()).danger.name()));
    m_bound->clear();
    showNotes({});
    arrange();
}

void StatusLine::showUpdate(double milliseconds)
{
    m_update->setText(tr("%1 per update").arg(toQString(secondsText(milliseconds / 1e3))));
    arrange();
}

void StatusLine::showSaved(bool modified, bool hasFile)
{
    m_saved->setText(modified ? tr("unsaved changes") : hasFile ? tr("saved") : tr("not saved to a file"));
    arrange();
}

} // namespace headroom::ui
