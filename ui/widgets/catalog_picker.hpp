// SPDX-License-Identifier: GPL-3.0-or-later
// CatalogPicker: a button with the chosen model or accelerator and its facts; opens a list to search.
#pragma once

#include "ui/widgets/popup_card.hpp"

#include <QAbstractButton>
#include <functional>
#include <vector>

class QLineEdit;
class QListView;
class QStandardItemModel;

namespace headroom::ui
{

struct PickerEntry {
    QString id, name, facts;
    bool own = false; ///< from the user's catalogue; marked so
    bool operator==(const PickerEntry&) const = default;
};

class NothingFound;

/// Best match first; everything for an empty query.
using PickerSearch = std::function<std::vector<PickerEntry>(const QString& query)>;

/// The list that drops down: a search field over two-line entries.
class PickerPopup final : public PopupCard
{
    Q_OBJECT

public:
    PickerPopup(PickerSearch search, const QString& prompt, QWidget* parent);
    void open(const QRect& below, const QString& currentId);
    [[nodiscard]] QLineEdit* field() const { return m_field; }
    [[nodiscard]] int rows() const;

signals:
    void picked(const QString& id);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fill(const QString& query, const QString& currentId = {});
    void accept();

    PickerSearch m_search;
    QLineEdit* m_field;
    QListView* m_list;
    QStandardItemModel* m_model;
    NothingFound* m_nothing;
};

class CatalogPicker final : public QAbstractButton
{
    Q_OBJECT

public:
    CatalogPicker(const QString& name, const QString& prompt, PickerSearch search, QWidget* parent = nullptr);
    /// `prefix` stands before the name: "8 × ".
    void show(const PickerEntry& entry, const QString& prefix = {});
    using QWidget::show;
    void openPopup();
    [[nodiscard]] PickerPopup* popup() const { return m_popup; }
    /// A name or facts too long for one line take two.
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return {120, sizeHint().height()}; }
    /// What is not shown in full at the width it has; empty where all is.
    [[nodiscard]] QString cutText() const;

signals:
    void picked(const QString& id);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    /// The room of the words: beside the arrow, and beside the mark of an own entry.
    [[nodiscard]] QRect words() const;

    PickerEntry m_entry;
    bool m_ring = false;
    QString m_prefix, m_name;
    PickerPopup* m_popup;
};

} // namespace headroom::ui
