// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/page_registry.hpp"

#include "ui/pages/catalog_page.hpp"
#include "ui/pages/compare_page.hpp"
#include "ui/pages/dashboard.hpp"
#include "ui/pages/glossary_page.hpp"
#include "ui/pages/help_view.hpp"
#include "ui/pages/learn_page.hpp"
#include "ui/pages/plan_page.hpp"

#include <QCoreApplication>

namespace headroom::ui
{
namespace
{

#define TEXT(words) QT_TRANSLATE_NOOP("headroom::ui::Pages", words)

QWidget* createDashboard(const PageServices& services)
{
    return new DashboardPage(services.recalculator, services.settings, services.dialogs);
}

QWidget* createPlan(const PageServices& services)
{
    return new PlanPage(services);
}

QWidget* createCompare(const PageServices& services)
{
    return new ComparePage(services);
}

QWidget* createLearn(const PageServices& services)
{
    return new LearnPage(services);
}

QWidget* createGlossary(const PageServices&)
{
    return new GlossaryPage;
}

QWidget* createHelp(const PageServices& services)
{
    return new HelpView(services.show);
}

QWidget* createCatalog(const PageServices& services)
{
    return new CatalogPage(services.recalculator, services.store, services.library, services.catalogEditor);
}

} // namespace

const std::vector<PageRow>& pageRegistry()
{
    static const std::vector<PageRow> table = {
        {"dashboard", TEXT("Dashboard"), TEXT("Charts of the scenario in hand"), true, true, true, createDashboard},
        {"compare", TEXT("Compare"), TEXT("The scenario in hand beside the pinned ones"), false, true, false,
         createCompare},
        {"plan", TEXT("Plan"), TEXT("The smallest deployment that meets the targets"), false, true, false, createPlan},
        {"catalog", TEXT("Catalogue"), TEXT("Accelerators and models, side by side and as charts"), false, false, false,
         createCatalog},
        {"learn", TEXT("Learn"), TEXT("Short lessons on the live window, from what MFU is to where the network binds"),
         false, false, false, createLearn},
        {"glossary", TEXT("Glossary"), TEXT("Every term, metric and parameter in one or two sentences"), false, true,
         false, createGlossary},
        {"help", TEXT("Help"), TEXT("How the window works, page by page"), false, false, false, createHelp},
    };
    return table;
}

#undef TEXT

const PageRow* pageRow(const QString& id)
{
    for (const PageRow& row : pageRegistry())
        if (id == QLatin1String(row.id))
            return &row;
    return nullptr;
}

} // namespace headroom::ui
