// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/parameters/parameter_row_widget.hpp"

#include "core/support/language.hpp"

#include "ui/base/glossary_hint.hpp"
#include "ui/base/text.hpp"
#include "ui/parameters/parameter_text.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/elided_label.hpp"
#include "ui/widgets/icon.hpp"
#include "ui/widgets/segmented_control.hpp"
#include "ui/widgets/wheel_guard.hpp"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QToolButton>

namespace headroom::ui
{
namespace
{

constexpr int longestTicks = 40;    ///< letters of all tick labels that fit under a slider of the panel's width
constexpr int longestSegments = 20; ///< the same for segments beside the label
constexpr std::size_t mostTicks = 7, mostSegments = 3;

QToolButton* rowButton(QWidget* parent, const QString& name)
{
    auto* button = new QToolButton(parent);
    button->setAutoRaise(true);
    button->setFixedSize(24, 24);
    button->setIconSize({14, 14});
    button->setFocusPolicy(Qt::NoFocus); // Delete and L do the same from the keyboard
    button->setAccessibleName(name);
    button->setToolTip(name);
    return button;
}

int lettersOf(std::span<const ParameterChoice> choices)
{
    qsizetype letters = 0;
    for (const ParameterChoice& choice : choices)
        letters += toQString(shortLabel(choice)).size();
    return static_cast<int>(letters);
}

} // namespace

ParameterRowWidget::ParameterRowWidget(const ParameterRow& row, ScenarioStore& store, WheelGuard& guard,
                                       QWidget* parent)
    : QWidget(parent), m_row(row), m_store(store)
{
    setObjectName(toQString(row.id));
    build(guard);
    updateIcons();
    refresh();
}

void ParameterRowWidget::build(WheelGuard& guard)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(4, 2, 4, 2);
    layout->setSpacing(0);
    auto* head = new QHBoxLayout;
    m_head = head;
    head->setSpacing(2);
    m_label = new ElidedLabel(toQString(say(m_row.label)));
    m_label->setAccessibleDescription(toQString(say(m_row.description)));
    m_label->setToolTip(QStringLiteral("<p>%1</p>").arg(toRichText(say(m_row.description))) + glossaryHint());
    head->addWidget(m_label, 1);
    m_reset = rowButton(this, m_row.optional ? tr("Back to automatic: %1").arg(toQString(say(m_row.label)))
                                             : tr("Back to default: %1").arg(toQString(say(m_row.label))));
    m_lock = rowButton(this, tr("Lock %1").arg(toQString(say(m_row.label))));
    m_lock->setCheckable(true);
    // The lock comes with the pointer: outermost, it moves nothing that the pointer may be on.
    head->addWidget(m_lock);
    head->addWidget(m_reset);
    head->addSpacing(2);
    layout->addLayout(head);
    buildControl(head, guard);
    if (m_slider)
        layout->addWidget(m_slider);

    m_warning = new QLabel;
    m_warning->setWordWrap(true);
    m_warning->setTextFormat(Qt::RichText);
    m_warning->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    m_warning->setFocusPolicy(Qt::NoFocus);
    m_warning->setContentsMargins(0, 0, 0, 2);
    m_warning->hide();
    layout->addWidget(m_warning);

    connect(m_reset, &QToolButton::clicked, this, &ParameterRowWidget::reset);
    connect(m_lock, &QToolButton::clicked, this, [this](bool on) { m_store.setLocked(m_row.id, on); });
    connect(m_warning, &QLabel::linkActivated, this, [this] {
        if (m_fix)
            m_store.follow(Advice(*m_fix)); // a copy: the edit brings another warning
    });
    QWidget* takesKeys = control();
    takesKeys->installEventFilter(this);
    m_lock->installEventFilter(this);
    m_label->setBuddy(takesKeys);
}

void ParameterRowWidget::buildControl(QLayout* head, WheelGuard& guard)
{
    const QString name = m_row.unit.empty() || m_row.unit == m_row.label
                             ? toQString(say(m_row.label))
                             : tr("%1 in %2").arg(toQString(say(m_row.label)), toQString(say(m_row.unit)));
    if (m_row.kind == ParameterKind::Toggle) {
        m_check = new QCheckBox;
        m_check->setAccessibleName(name);
        connect(m_check, &QCheckBox::clicked, this, [this] { change(m_check->checkState() != Qt::Unchecked ? 1 : 0); });
        head->addWidget(m_check);
        return;
    }
    if (m_row.kind == ParameterKind::Choice) {
        QStringList labels;
        for (const ParameterChoice& choice : m_row.choices)
            labels << toQString(shortLabel(choice));
        const int letters = lettersOf(m_row.choices);
        if (m_row.choices.size() <= mostSegments && letters <= longestSegments) {
            m_segments = new SegmentedControl(labels);
            m_segments->setCompact(true);
            m_segments->setName(name);
            connect(m_segments, &SegmentedControl::chosen, this, [this](int index) { change(index); });
            head->addWidget(m_segments);
        } else if (m_row.choices.size() <= mostTicks && letters <= longestTicks) {
            m_choice = new ElidedLabel(QString());
            QFont bold = m_choice->font();
            bold.setWeight(QFont::DemiBold);
            m_choice->setFont(bold);
            head->addWidget(m_choice);
            addSlider(guard);
            m_slider->setAccessibleName(name);
        } else {
            m_combo = new QComboBox;
            for (const ParameterChoice& choice : m_row.choices)
                m_combo->addItem(toQString(say(choice.label)));
            m_combo->setAccessibleName(name);
            m_combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
            m_combo->setMinimumContentsLength(13);
            guard.guard(m_combo);
            connect(m_combo, &QComboBox::activated, this, [this](int index) { change(index); });
            head->addWidget(m_combo);
        }
        return;
    }
    m_box = new ValueBox;
    m_box->setAccessibleName(name);
    m_box->installEventFilter(this);
    connect(m_box, &ValueBox::committed, this, &ParameterRowWidget::commitText);
    head->addWidget(m_box);
    if (m_row.group != ParameterGroup::Measured) {
        addSlider(guard);
        m_slider->setAccessibleName(name); // a reader says the role besides
    }
}

void ParameterRowWidget::addSlider(WheelGuard& guard)
{
    m_slider = new LogSlider(m_row, this);
    guard.guard(m_slider);
    connect(m_slider, &LogSlider::gestureStarted, this, [this] {
        m_gesture = m_store.newGesture();
        m_store.setHeld(true);
    });
    connect(m_slider, &LogSlider::valueMoved, this, &ParameterRowWidget::change);
    connect(m_slider, &LogSlider::gestureFinished, this, [this] {
        m_gesture = 0;
        m_store.setHeld(false);
    });
}

QWidget* ParameterRowWidget::control() const
{
    if (m_slider)
        return m_slider;
    if (m_box)
        return m_box;
    if (m_combo)
        return m_combo;
    return m_check ? static_cast<QWidget*>(m_check) : m_segments;
}

bool ParameterRowWidget::isAutomatic() const
{
    return m_row.optional && !m_row.isSet(m_store.scenario());
}

QString ParameterRowWidget::editableText(double value) const
{
    if (isAutomatic() && value <= 0)
        return {};
    return typedText(m_row, value);
}

void ParameterRowWidget::setUnsetText(const QString& text)
{
    if (m_unsetText == text)
        return;
    m_unsetText = text;
    refresh();
}

void ParameterRowWidget::refresh()
{
    const double value = current();
    const bool automatic = isAutomatic();
    const bool locked = m_store.isLocked(m_row.id);
    // What is locked takes no keys: its lock does, so that the keyboard stays on the row and can let it go again.
    const bool handsOver = locked && !m_lock->isChecked() && isAncestorOf(QApplication::focusWidget());
    const bool takesBack = !locked && m_lock->hasFocus();
    m_lock->setFocusPolicy(locked ? Qt::StrongFocus : Qt::NoFocus);
    if (handsOver) {
        m_lock->setVisible(true);
        m_lock->setFocus(Qt::OtherFocusReason);
    }
    if (m_box) {
        const QString unset = m_unsetText.isEmpty() ? tr("not set") : m_unsetText;
        const QString text = automatic && value <= 0 ? unset : toQString(parameterText(m_row, value));
        m_box->setTexts(text, editableText(value));
        m_box->setAutomatic(automatic);
        m_box->setEnabled(!locked);
    }
    if (m_slider) {
        m_slider->showValue(value);
        m_slider->setAutomatic(automatic);
        m_slider->setEnabled(!locked);
        m_slider->setAccessibleDescription(toQString(parameterText(m_row, value)));
    }
    const bool open = automatic && m_row.decidedElsewhere; // no value may stand there that is not in force
    if (m_choice)
        m_choice->setText(open ? tr("automatic") : toQString(parameterText(m_row, value)));
    if (m_combo) {
        m_combo->setPlaceholderText(tr("automatic"));
        m_combo->setCurrentIndex(open ? -1 : static_cast<int>(value));
        m_combo->setEnabled(!locked);
    }
    if (m_check) {
        m_check->setCheckState(open ? Qt::PartiallyChecked : value > 0.5 ? Qt::Checked : Qt::Unchecked);
        m_check->setEnabled(!locked);
    }
    if (m_segments) {
        m_segments->setCurrent(static_cast<int>(value));
        m_segments->setEnabled(!locked);
    }
    if (takesBack)
        control()->setFocus(Qt::OtherFocusReason);
    if (m_box && !m_box->isRefused())
        setWarning(m_storeWarning, m_fix);
    updateButtons();
}

void ParameterRowWidget::setWarning(const QString& text, const std::optional<Advice>& fix)
{
    m_storeWarning = text;
    if (m_box && m_box->isRefused())
        return;
    m_fix = fix;
    if (text.isEmpty()) {
        if (!m_warning->sizePolicy().retainSizeWhenHidden())
            m_warning->clear();
        m_warning->hide();
        return;
    }
    QString html =
        QStringLiteral("<span style='color:%1'>⚠ %2</span>").arg(themeOf(palette()).warning.name(), toRichText(text));
    if (fix)
        html += QStringLiteral(" <a href='fix'>%1</a>").arg(toRichText(fix->change));
    if (m_warning->text() != html)
        m_warning->setText(html);
    m_warning->show();
}

void ParameterRowWidget::setNoticeHeld(bool held)
{
    QSizePolicy place = m_warning->sizePolicy();
    if (place.retainSizeWhenHidden() == held)
        return;
    place.setRetainSizeWhenHidden(held && !m_warning->text().isEmpty());
    m_warning->setSizePolicy(place);
}

QString ParameterRowWidget::warningText() const
{
    return m_warning->isHidden() ? QString() : m_warning->text();
}

void ParameterRowWidget::setHighlighted(bool highlighted)
{
    if (m_highlighted == highlighted)
        return;
    m_highlighted = highlighted;
    update();
}

void ParameterRowWidget::updateIcons()
{
    const Theme& colours = themeOf(palette());
    m_reset->setIcon(lineIcon(QStringLiteral("reset"), colours.muted, colours.border));
    m_lock->setIcon(lineIcon(QStringLiteral("lock"), colours.muted, colours.border));
}

void ParameterRowWidget::paintEvent(QPaintEvent*)
{
    if (!m_highlighted)
        return;
    const Theme& colours = themeOf(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(mixed(colours.surface, colours.accent, 0.14));
    painter.drawRoundedRect(rect(), 6, 6);
}

void ParameterRowWidget::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_reset)
        updateIcons();
    if (event->type() == QEvent::FontChange && m_label) {
        m_arrangedFor = -1;
        arrangeHead();
    }
}

bool ParameterRowWidget::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut)
        updateButtons();
    const bool takesKeys = watched == m_lock || (watched == control() && watched != m_box);
    if (event->type() == QEvent::KeyPress && takesKeys)
        return handleKey(static_cast<QKeyEvent*>(event));
    return QWidget::eventFilter(watched, event);
}

} // namespace headroom::ui
