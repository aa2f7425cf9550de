// SPDX-License-Identifier: GPL-3.0-or-later
// CatalogPage: every accelerator and model as a table to sort and filter, side by side, and as charts.
#pragma once

#include "core/charts/catalog_charts.hpp"
#include "ui/catalog/catalog_table.hpp"
#include "ui/document/recalculator.hpp"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSplitter;
class QTableView;
class QTextBrowser;

namespace headroom::ui
{

class CatalogEditor;
class CatalogLibrary;
class ChartView;
class SegmentedControl;

struct Session;

class CatalogPage final : public QWidget
{
    Q_OBJECT

public:
    static constexpr const char* pageId = "catalog";
    static constexpr int mostSideBySide = 4;

    explicit CatalogPage(Session& session, QWidget* parent = nullptr);

    void showKind(CatalogKind kind);
    [[nodiscard]] CatalogKind kind() const { return m_kind; }
    /// Selects entries by id, in the order given; at most four are shown side by side.
    void select(const QStringList& ids);
    [[nodiscard]] QStringList selected() const;

    [[nodiscard]] QTableView* table() const { return m_view; }
    [[nodiscard]] QLineEdit* searchField() const { return m_search; }
    [[nodiscard]] QTextBrowser* facts() const { return m_facts; }
    [[nodiscard]] QLabel* notice() const { return m_notice; }
    [[nodiscard]] ChartView* peakChart() const { return m_peakChart; }
    [[nodiscard]] ChartView* priceChart() const { return m_priceChart; }

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Side {
        CatalogTableModel* table = nullptr;
        CatalogFilter* filter = nullptr;
        QStringList selected;
        QString search, facet;
        int sortColumn = -1;
        Qt::SortOrder order = Qt::AscendingOrder;
    };

    QWidget* buildBar();
    QWidget* buildTable();
    QWidget* buildFacts();
    QWidget* buildCharts();
    void connectAll();
    [[nodiscard]] Side& side() { return m_sides[m_kind == CatalogKind::Models ? 1 : 0]; }
    [[nodiscard]] const Side& side() const { return m_sides[m_kind == CatalogKind::Models ? 1 : 0]; }
    void reload();
    void fillFacets();
    void search(const QString& text);
    void applyFilter();
    void showFacts();
    void showButtons();
    void showCharts();
    void showNotice();
    void sortBy(int column);
    void use();
    void duplicate(bool inPlace);
    void remove();
    void chartClicked(ChartView* chart, const QString& seriesId, int index);
    [[nodiscard]] QString currentId() const;
    [[nodiscard]] CatalogChartInput chartInput(std::vector<std::shared_ptr<const Accelerator>>& shown) const;

    Recalculator& m_recalculator;
    ScenarioStore& m_store;
    CatalogLibrary& m_library;
    CatalogEditor& m_editor;
    CatalogKind m_kind = CatalogKind::Accelerators;
    Side m_sides[2];
    DataType m_precision = DataType::Bf16;
    bool m_stale = true, m_settling = false;

    SegmentedControl* m_kindChoice = nullptr;
    QLineEdit* m_search = nullptr;
    QComboBox* m_facet = nullptr;
    QCheckBox* m_own = nullptr;
    QLabel* m_count = nullptr;
    QLabel* m_notice = nullptr;
    QPushButton *m_use = nullptr, *m_duplicate = nullptr, *m_edit = nullptr, *m_remove = nullptr;
    QTableView* m_view = nullptr;
    QTextBrowser* m_facts = nullptr;
    QLabel *m_hint = nullptr, *m_precisionLabel = nullptr;
    QSplitter* m_split = nullptr;
    QWidget* m_charts = nullptr;
    ChartView *m_peakChart = nullptr, *m_priceChart = nullptr;
    SegmentedControl* m_precisionChoice = nullptr;
};

} // namespace headroom::ui
