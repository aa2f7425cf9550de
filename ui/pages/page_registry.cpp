// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/page_registry.hpp"

#include "ui/pages/catalog_page.hpp"
#include "ui/pages/compare_page.hpp"
#include "ui/pages/dashboard.hpp"
#include "ui/pages/glossary_page.hpp"
#include "ui/pages/help_view.hpp"
#include "ui/pages/history_page.hpp"
#include "ui/pages/learn_page.hpp"
#include "ui/pages/plan_page.hpp"
#include "ui/session/session.hpp"

#include <QCoreApplication>
#include <type_traits>

namespace headroom::ui
{
namespace
{

#define TEXT(words) QT_TRANSLATE_NOOP("headroom::ui::Pages", words)

/// What a page's constructor takes of what there is.
template <typename Page>
QWidget* make(Session& session, const ShowPage& show)
{
    if constexpr (std::is_constructible_v<Page, Session&, const ShowPage&>)
        return new Page(session, show);
    else if constexpr (std::is_constructible_v<Page, Session&>)
        return new Page(session);
    else if constexpr (std::is_constructible_v<Page, const ShowPage&>)
        return new Page(show);
    else
        return new Page;
}

template <typename Page>
PageRow row(const char* title, const char* tip, bool tiles, bool parameters, bool explanation)
{
    return {Page::pageId, title, tip, tiles, parameters, explanation, make<Page>};
}

} // namespace

const std::vector<PageRow>& pageRegistry()
{
    static const std::vector<PageRow> table = {
        row<DashboardPage>(TEXT("Dashboard"), TEXT("Charts of the scenario in hand"), true, true, true),
        row<ComparePage>(TEXT("Compare"), TEXT("The scenario in hand beside the pinned ones"), false, true, false),
        row<PlanPage>(TEXT("Plan"), TEXT("The smallest deployment that meets the targets"), false, true, false),
        row<CatalogPage>(TEXT("Catalogue"), TEXT("Accelerators and models, side by side and as charts"), false, false,
                         false),
        row<HistoryPage>(TEXT("Runs"), TEXT("Your runs over time: filter, open, compare"), false, false, false),
        row<LearnPage>(TEXT("Learn"),
                       TEXT("Short lessons on the live window, from what MFU is to where a step of RL goes"), false,
                       false, false),
        row<GlossaryPage>(TEXT("Glossary"), TEXT("Every term, metric and parameter in one or two sentences"), false,
                          true, false),
        row<HelpView>(TEXT("Help"), TEXT("How the window works, page by page"), false, false, false),
    };
    return table;
}

#undef TEXT

QString pageWords(const char* text)
{
    return QCoreApplication::translate("headroom::ui::Pages", text);
}

const PageRow* pageRow(const QString& id)
{
    for (const PageRow& row : pageRegistry())
        if (id == QLatin1String(row.id))
            return &row;
    return nullptr;
}

} // namespace headroom::ui
