// SPDX-License-Identifier: GPL-3.0-or-later
// PlanAnswer: the answer in a sentence, why the next cheaper options fail, and how far the search is.
#pragma once

#include "core/plan/planner.hpp"
#include "ui/widgets/card.hpp"

#include <QList>

class QLabel;
class QProgressBar;
class QPushButton;

namespace headroom::ui
{

class PlanAnswer final : public Card
{
    Q_OBJECT

public:
    explicit PlanAnswer(QWidget* parent = nullptr);

    void showSearching();
    void showProgress(const PlanRequest& request, const PlanProgress& progress);
    /// `remark`, where there is one, stands above the reasons.
    void showResult(const PlanRequest& request, const PlanResult& result, const QString& remark = {});
    /// Why there is no search: a refused input, a scenario that cannot be evaluated.
    void showRefusal(const QString& reason);
    void showFinished(bool cancelled);
    /// Says that what is pale, here or elsewhere on the page, answers the question before.
    void showPale(bool pale);

    [[nodiscard]] QString verdict() const;
    [[nodiscard]] QString reasons() const;
    [[nodiscard]] QString counts() const;
    /// What answers the question.
    [[nodiscard]] QList<QWidget*> figures() const;
    [[nodiscard]] QPushButton* cancelButton() const { return m_cancel; }

private:
    void showBest(const QString& verdict, const PlanOption* best);
    void showCounts();

    QLabel *m_verdict, *m_layout, *m_reasons, *m_counts;
    QProgressBar* m_progress;
    QPushButton* m_cancel;
    QString m_counted; ///< what the search has come to
    bool m_isPale = false;
};

/// "12 × H100 SXM5 80GB, $36.00 an hour, 71 % of its capacity used; tightest: TPOT 96 %"
[[nodiscard]] QString verdictText(const PlanRequest& request, const PlanOption& best);

} // namespace headroom::ui
