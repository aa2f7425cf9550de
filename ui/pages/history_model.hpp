// SPDX-License-Identifier: GPL-3.0-or-later
// HistoryModel: the user's runs as rows: when, model, accelerator, GPUs, what they reached, note.
#pragma once

#include "ui/document/run_library.hpp"

#include <QAbstractTableModel>

namespace headroom::ui
{

class HistoryModel final : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { When, Name, Model, Device, Gpus, Mfu, Mbu, Time, Note, ColumnCount };
    /// What a column is sorted by: a number, or the words.
    static constexpr int sortRole = Qt::UserRole + 1;

    explicit HistoryModel(RunLibrary& library, QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    /// A note is kept in the file at once.
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

private:
    [[nodiscard]] const MeasuredRun* run(int row) const;
    [[nodiscard]] std::optional<double> figure(int row, int column) const;
    [[nodiscard]] QString text(int row, int column) const;

    RunLibrary& m_library;
};

} // namespace headroom::ui
