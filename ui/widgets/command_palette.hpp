// SPDX-License-Identifier: GPL-3.0-or-later
// CommandPalette: one field that finds anything by its words and does it: commands, models, parameters, metrics.
#pragma once

#include "ui/widgets/popup_card.hpp"

#include <functional>
#include <vector>

class QLineEdit;
class QListView;
class QStandardItemModel;

namespace headroom::ui
{

class NothingFound;

struct PaletteEntry {
    QString text;   ///< "Micro-batch"
    QString kind;   ///< "parameter": shown at the right, searched as well
    QString detail; ///< further words to find it by, shown beside the text; may be empty
    std::function<void()> run;
};

/// Entries that have every word of the query, those that begin with it first; all of them for an empty query.
[[nodiscard]] std::vector<const PaletteEntry*> paletteMatches(const std::vector<PaletteEntry>& entries,
                                                              const QString& query);

class CommandPalette final : public PopupCard
{
    Q_OBJECT

public:
    explicit CommandPalette(QWidget* window);

    /// Shows itself at the top of the window over `entries`.
    void open(std::vector<PaletteEntry> entries);
    [[nodiscard]] QLineEdit* field() const { return m_field; }
    [[nodiscard]] int rows() const;
    /// Text of a row as it is shown.
    [[nodiscard]] QString rowText(int row) const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fill();
    void run(int row);

    QLineEdit* m_field;
    QListView* m_list;
    QStandardItemModel* m_model;
    NothingFound* m_nothing;
    std::vector<PaletteEntry> m_entries;
    std::vector<const PaletteEntry*> m_shown;
};

} // namespace headroom::ui
