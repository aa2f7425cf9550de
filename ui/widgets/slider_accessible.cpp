// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/slider_accessible.hpp"

#include "ui/widgets/log_slider.hpp"

#include <QAccessible>
#include <QAccessibleWidget>
#include <algorithm>

namespace headroom::ui
{
namespace
{

class SliderAccessible final : public QAccessibleWidget, public QAccessibleValueInterface
{
public:
    explicit SliderAccessible(LogSlider* slider) : QAccessibleWidget(slider, QAccessible::Slider) {}

    void* interface_cast(QAccessible::InterfaceType type) override
    {
        return type == QAccessible::ValueInterface ? static_cast<QAccessibleValueInterface*>(this)
                                                   : QAccessibleWidget::interface_cast(type);
    }

    [[nodiscard]] QString text(QAccessible::Text kind) const override
    {
        return kind == QAccessible::Value ? slider().accessibleDescription() : QAccessibleWidget::text(kind);
    }

    [[nodiscard]] QVariant currentValue() const override { return slider().shownValue(); }
    [[nodiscard]] QVariant minimumValue() const override { return slider().scale().minimum(); }
    [[nodiscard]] QVariant maximumValue() const override { return slider().scale().maximum(); }
    [[nodiscard]] QVariant minimumStepSize() const override { return 0; } // not the same everywhere
    void setCurrentValue(const QVariant& value) override
    {
        const SliderScale& scale = slider().scale();
        emit slider().valueMoved(std::clamp(value.toDouble(), scale.minimum(), scale.maximum()));
    }

private:
    [[nodiscard]] LogSlider& slider() const { return *static_cast<LogSlider*>(object()); }
};

QAccessibleInterface* sliderInterface(const QString& className, QObject* object)
{
    if (className != QLatin1String(LogSlider::staticMetaObject.className()))
        return nullptr;
    auto* const slider = qobject_cast<LogSlider*>(object);
    return slider ? new SliderAccessible(slider) : nullptr;
}

} // namespace

void installSliderAccessibility()
{
    static const bool installed = (QAccessible::installFactory(sliderInterface), true);
    (void)installed;
}

} // namespace headroom::ui
