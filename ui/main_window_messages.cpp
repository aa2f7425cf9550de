// SPDX-License-Identifier: GPL-3.0-or-later
// The window's part in messages: what is wrong with the scenario in hand, and what would mend it.
#include "ui/main_window.hpp"

#include "core/comparison/other_measurement.hpp"
#include "core/explain/tile_text.hpp"
#include "core/predict/impossible.hpp"
#include "ui/base/text.hpp"
#include "ui/pages/page_stack.hpp"
#include "ui/panels/message_bar.hpp"

namespace headroom::ui
{

void MainWindow::showMessage()
{
    if (!m_pages->current().tiles) {
        m_messages->clear(); // it speaks of the scenario's figures, which this page does not show
        return;
    }
    if (m_store.isHeld()) { // the charts would jump under the hand
        m_messageTimer.start();
        return;
    }
    const auto buttons = [this](const std::vector<Advice>& found) {
        std::vector<Remedy> remedies;
        for (const Advice& advice : found)
            remedies.push_back({toQString(advice.change), [this, advice] { m_store.follow(advice); }});
        return remedies;
    };
    if (m_recalculator.isRefused()) {
        const Diagnostic& first = m_recalculator.refusal().front();
        m_messages->show(MessageKind::Error,
                         tr("Cannot be evaluated: %1").arg(toQString(first.message)) +
                             (first.hint.empty() ? QString() : QString(QStringLiteral("; ") + toQString(first.hint))),
                         buttons(legalFixes(m_store.scenario(), m_store.locks())));
        return;
    }
    const ChartContext* context = m_recalculator.context();
    if (!context) {
        m_messages->clear();
        return;
    }
    const bool fits = context->evaluation.fits;
    QStringList sentences;
    if (!fits)
        sentences
            << tr("Does not fit: %1. Times are as if it did.").arg(toQString(memoryNeedText(context->evaluation)));
    // A lesson asks on purpose what a measured time would mean under other settings.
    const bool judged = !m_store.isAside();
    std::vector<Remedy> remedies =
        fits ? std::vector<Remedy>() : buttons(whatNext(context->scenario, context->evaluation, m_store.locks()));
    const auto other =
        judged ? otherMeasurement(m_store.scenario(), m_recalculator.catalog(), Calibration::builtIn()) : std::nullopt;
    const std::string impossible =
        judged && !other ? impossibleText(context->scenario, context->evaluation) : std::string();
    if (other) {
        sentences << toQString(other->sentence());
        remedies.push_back({tr("Back to those settings"), [this] { m_store.returnToMeasurement(); }});
    } else if (!impossible.empty()) {
        sentences << toQString(impossible);
    }
    if (other || !impossible.empty())
        remedies.push_back({tr("Leave the measurement out"), [this] { m_store.dropMeasurement(); }});
    if (sentences.isEmpty())
        m_messages->clear();
    else
        m_messages->show(fits ? MessageKind::Warning : MessageKind::Error, sentences.join(QChar(u' ')),
                         std::move(remedies));
}

} // namespace headroom::ui
