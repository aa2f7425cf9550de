// SPDX-License-Identifier: GPL-3.0-or-later
// NothingFound: what a list says in its own place where a search finds nothing, to the eye and to a screen reader.
#pragma once

#include <QLabel>

class QAbstractScrollArea;
class QLineEdit;

namespace headroom::ui
{

class NothingFound final : public QLabel
{
    Q_OBJECT

public:
    /// Lies over `list`, whose child it becomes, and names what `field` searches for.
    NothingFound(QAbstractScrollArea& list, QLineEdit& field);

    /// After each search: whether the list shows anything. An empty field searches for nothing and says nothing.
    void tell(bool found);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QAbstractScrollArea& m_list;
    QLineEdit& m_field;
};

} // namespace headroom::ui
