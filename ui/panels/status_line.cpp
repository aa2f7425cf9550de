// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/status_line.hpp"

#include "core/metrics/words.hpp"
#include "core/support/language.hpp"
#include "core/units/format.hpp"
#include "ui/base/text.hpp"
#include "ui/theme/theme.hpp"

#include <QLabel>

namespace headroom::ui
{

StatusLine::StatusLine(QWidget* parent)
    : QStatusBar(parent), m_fits(new QLabel), m_bound(new QLabel), m_calibration(new QLabel), m_update(new QLabel),
      m_saved(new QLabel)
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
    for (QLabel* label : {m_update, m_saved}) {
        label->setContentsMargins(between, 0, 0, 0);
        addPermanentWidget(label);
    }
    // Wide enough for most times, so that nothing beside it moves with a slider.
    m_update->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_update->setMinimumWidth(between +
                              fontMetrics().horizontalAdvance(tr("%1 per update").arg(QStringLiteral("88.8 µs"))));
    m_update->setToolTip(tr("From the change to the last repaint it caused"));
    for (QLabel* label : {m_bound, m_update, m_saved})
        label->setForegroundRole(QPalette::PlaceholderText);
}

void StatusLine::showEvaluation(const Evaluation& evaluation)
{
    // The window's: when it hears of another palette, ours is still the old one.
    const Theme& colours = themeOf(window()->palette());
    const QString share =
        evaluation.capacityBytes > 0
            ? toQString(formatText(evaluation.usedBytes / evaluation.capacityBytes, ValueFormat::Percent))
            : QString();
    m_fits->setTextFormat(Qt::RichText);
    m_fits->setText(
        evaluation.fits
            ? tr("<span style='color:%1'>●</span> fits: %2 of memory").arg(colours.good.name(), share)
            : tr("<span style='color:%1'>▲</span> does not fit: %2 of memory").arg(colours.danger.name(), share));
    m_bound->setText(tr("bound by %1").arg(toQString(say(resource(evaluation.boundBy)))));
    const bool own = evaluation.warnings.has(WarningCode::EfficiencyOverridden);
    m_calibration->setFocusPolicy(own ? Qt::StrongFocus : Qt::NoFocus); // hiding it would fight with messages
    m_calibration->setText(own ? tr("<span style='color:%1'>◆</span> own calibration · "
                                    "<a href='builtin' style='color:%2'>back to built-in</a>")
                                     .arg(colours.warning.name(), colours.accent.name())
                               : QString());
}

void StatusLine::showRefused()
{
    m_fits->setText(tr("<span style='color:%1'>▲</span> cannot be evaluated: the figures are older")
                        .arg(themeOf(window()->palette()).danger.name()));
    m_bound->clear();
}

void StatusLine::showUpdate(double milliseconds)
{
    m_update->setText(tr("%1 per update").arg(toQString(formatText(milliseconds / 1e3, ValueFormat::Seconds))));
}

void StatusLine::showSaved(bool modified, bool hasFile)
{
    m_saved->setText(modified ? tr("unsaved changes") : hasFile ? tr("saved") : tr("not saved to a file"));
}

} // namespace headroom::ui
