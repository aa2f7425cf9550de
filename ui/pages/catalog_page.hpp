// SPDX-License-Identifier: GPL-3.0-or-later
// CatalogPage: every accelerator and model as a table to sort and filter, side by side, and as charts.
#pragma once

#include "ui/catalog/catalog_table.hpp"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QSplitter;
class QTableView;
class QTextBrowser;

namespace headroom::ui
{

class CatalogCharts;
class CatalogList;
class ChartView;
class EntryButtons;
class FactPanel;
class NothingFound;
class SegmentedControl;
struct Session;

class CatalogPage final : public QWidget
{
    Q_OBJECT

public:
    static constexpr const char* pageId = "catalog";

    explicit CatalogPage(Session& session, QWidget* parent = nullptr);

    void showKind(CatalogKind kind);
    [[nodiscard]] CatalogKind kind() const;
    /// Selects entries by id, in the order given; at most four are shown side by side.
    void select(const QStringList& ids);
    [[nodiscard]] QStringList selected() const;

    [[nodiscard]] QTableView* table() const;
    [[nodiscard]] QLineEdit* searchField() const { return m_search; }
    [[nodiscard]] QTextBrowser* facts() const;
    [[nodiscard]] QLabel* notice() const { return m_notice; }
    [[nodiscard]] ChartView* peakChart() const;
    [[nodiscard]] ChartView* priceChart() const;

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void buildBar();
    void buildNotice();
    void buildBody();
    void connectAll();
    void reload();
    void fillFacets();
    void showSelection();
    void showCharts();
    void showNotice();
    [[nodiscard]] bool ofModels() const { return kind() == CatalogKind::Models; }

    Session& m_session;
    bool m_stale = true;
    int m_factsWidth = 0; ///< what the facts asked for when they last got it

    SegmentedControl* m_kindChoice = nullptr;
    QLineEdit* m_search = nullptr;
    NothingFound* m_nothing = nullptr;
    QComboBox* m_facet = nullptr;
    QCheckBox* m_own = nullptr;
    QLabel *m_count = nullptr, *m_notice = nullptr;
    CatalogList* m_list;
    FactPanel* m_facts;
    CatalogCharts* m_charts;
    EntryButtons* m_buttons;
    QSplitter* m_split = nullptr;
};

} // namespace headroom::ui
