// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_accessible.hpp"

#include "ui/charts/chart_view.hpp"

#include <QAccessible>
#include <QAccessibleWidget>

namespace headroom::ui
{

namespace
{

class ChartAccessible final : public QAccessibleWidget
{
public:
    explicit ChartAccessible(ChartView* view) : QAccessibleWidget(view, QAccessible::Chart) {}

    [[nodiscard]] QString text(QAccessible::Text kind) const override
    {
        const auto* const view = qobject_cast<const ChartView*>(object());
        if (view == nullptr)
            return {};
        switch (kind) {
        case QAccessible::Value:
            return view->cursorText();
        case QAccessible::Description: {
            const QString summary = QString::fromStdString(view->spec().summary);
            const QString cursor = view->cursorText();
            return cursor.isEmpty() ? summary : QString(cursor + QStringLiteral(". ") + summary);
        }
        default:
            return QAccessibleWidget::text(kind);
        }
    }

    // The plot inside is a picture; its parts are told through the cursor.
    [[nodiscard]] int childCount() const override { return 0; }
    [[nodiscard]] QAccessibleInterface* child(int /*index*/) const override { return nullptr; }
};

QAccessibleInterface* makeInterface(const QString& className, QObject* object)
{
    if (className != QLatin1String(ChartView::staticMetaObject.className()))
        return nullptr;
    auto* const view = qobject_cast<ChartView*>(object);
    return view == nullptr ? nullptr : new ChartAccessible(view);
}

} // namespace

void installChartAccessibility()
{
    static const bool installed = (QAccessible::installFactory(makeInterface), true);
    (void)installed;
}

void announce(ChartView& view)
{
    // Qt 6.4 has no announcement event; screen readers speak a changed description of what has the focus.
    QAccessibleEvent description(&view, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&description);
}

} // namespace headroom::ui
