// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/preferences.hpp"

#include "ui/base/button_order.hpp"
#include "ui/settings/appearance.hpp"
#include "ui/settings/language.hpp"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <algorithm>
#include <cmath>

namespace headroom::ui
{
namespace
{

#define TEXT(words) QT_TRANSLATE_NOOP("headroom::ui::PreferencesDialog", words)

void applyTheme(Appearance& appearance, const QVariant& value)
{
    if (const auto theme = themeNamed(value.toString()))
        appearance.setTheme(*theme);
    else
        appearance.followDesktop();
}

void applyTypeScale(Appearance& appearance, const QVariant& value)
{
    appearance.setTypeScale(value.toDouble());
}

void applyMemoryUnit(Appearance& appearance, const QVariant& value)
{
    appearance.setUnit(value.toString() == QLatin1String("GiB") ? MemoryUnit::Gibibyte : MemoryUnit::Gigabyte);
}

std::vector<PreferenceChoice> languageChoices()
{
    std::vector<PreferenceChoice> choices;
    for (const LanguageRow& row : languages())
        choices.push_back({QString(QLatin1String(row.code)), nullptr});
    return choices;
}

/// A file gives back text where a number or a truth value was stored.
bool same(const QVariant& a, const QVariant& b)
{
    if (a.typeId() == QMetaType::Double || b.typeId() == QMetaType::Double)
        return std::abs(a.toDouble() - b.toDouble()) < 0.005;
    return a.toString() == b.toString();
}

} // namespace

QString choiceWords(const PreferenceChoice& choice)
{
    if (choice.words)
        return PreferencesDialog::tr(choice.words);
    for (const LanguageRow& row : languages())
        if (choice.value.toString() == QLatin1String(row.code))
            return row.name;
    return PreferencesDialog::tr("%1 %").arg(std::lround(100 * choice.value.toDouble()));
}

const std::vector<PreferenceRow>& preferenceRegistry()
{
    static const std::vector<PreferenceRow> rows{
        {SettingKey::Language, TEXT("&Language"), TEXT("From the next start on."), languageChoices()},
        {SettingKey::Theme,
         TEXT("&Theme"),
         TEXT("Ctrl+D changes between light and dark."),
         {{QStringLiteral("system"), TEXT("As the desktop")},
          {QStringLiteral("light"), TEXT("Light")},
          {QStringLiteral("dark"), TEXT("Dark")},
          {QStringLiteral("high-contrast"), TEXT("High contrast")},
          {QStringLiteral("high-contrast-dark"), TEXT("High contrast, dark")}},
         applyTheme},
        {SettingKey::TypeScale,
         TEXT("Text &size"),
         TEXT("In per cent of the desktop's. Ctrl++ and Ctrl+- change it too."),
         {{0.8, nullptr},
          {0.9, nullptr},
          {1.0, nullptr},
          {1.1, nullptr},
          {1.25, nullptr},
          {1.5, nullptr},
          {1.75, nullptr},
          {2.0, nullptr}},
         applyTypeScale},
        {SettingKey::MemoryUnit,
         TEXT("&Memory in"),
         TEXT("Amounts of memory on the screen. Bandwidths, files and tables stay decimal."),
         {{QStringLiteral("GB"), TEXT("GB (10⁹ bytes)")}, {QStringLiteral("GiB"), TEXT("GiB (2³⁰ bytes)")}},
         applyMemoryUnit},
        {SettingKey::WelcomeSeen,
         TEXT("Next st&art"),
         TEXT("Without a file to open."),
         {{true, TEXT("Straight to the dashboard")}, {false, TEXT("Offer four ways to begin")}}},
        {SettingKey::KernelNames,
         TEXT("&Kernel names"),
         TEXT("Kept with an imported profile. They may reveal your work."),
         {{QStringLiteral("none"), TEXT("Keep none")},
          {QStringLiteral("unrecognised"), TEXT("Those that are not recognised")},
          {QStringLiteral("all"), TEXT("All")}}},
    };
    return rows;
}

#undef TEXT

PreferencesDialog::PreferencesDialog(Appearance& appearance, Settings& settings, QWidget* parent)
    : QDialog(parent), m_appearance(appearance), m_settings(settings)
{
    setWindowTitle(tr("Preferences"));
    constexpr int side = 20, between = 12;
    auto* content = new QWidget;
    m_rows = new QGridLayout(content); // a form gives wrapped words no height of their own
    m_rows->setContentsMargins(side, side, side, 0);
    m_rows->setHorizontalSpacing(between);
    m_rows->setVerticalSpacing(2);
    m_rows->setColumnStretch(1, 1);
    for (const PreferenceRow& row : preferenceRegistry())
        addRow(row);
    auto* buttons =
        new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel | QDialogButtonBox::RestoreDefaults);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons->button(QDialogButtonBox::RestoreDefaults), &QPushButton::clicked, this,
            &PreferencesDialog::setDefaults);
    auto* scroll = new QScrollArea; // large type on a small screen
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(content);
    content->setAutoFillBackground(false);
    scroll->viewport()->setAutoFillBackground(false);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, side);
    column->setSpacing(between);
    column->addWidget(scroll, 1);
    auto* foot = new QHBoxLayout;
    foot->setContentsMargins(side, 0, side, 0);
    foot->addWidget(buttons);
    column->addLayout(foot);
    orderButtons(*buttons, m_fields.back().box);
}

void PreferencesDialog::addRow(const PreferenceRow& row)
{
    auto* box = new QComboBox;
    const QVariant now = m_settings.value(row.key);
    for (const PreferenceChoice& each : row.choices)
        box->addItem(choiceWords(each), each.value);
    int here = -1;
    for (int i = 0; i < box->count() && here < 0; ++i)
        if (same(box->itemData(i), now))
            here = i;
    if (here < 0) { // a size that the keys gave
        here = 0;
        box->insertItem(0, choiceWords({now, nullptr}), now);
    }
    box->setCurrentIndex(here);
    box->setAccessibleName(tr(row.label).remove(u'&'));
    box->setAccessibleDescription(tr(row.hint));
    auto* hint = new QLabel(tr(row.hint));
    hint->setWordWrap(true);
    hint->setForegroundRole(QPalette::PlaceholderText);
    constexpr int apart = 10;
    hint->setContentsMargins(0, 0, 0, apart);
    auto* label = new QLabel(tr(row.label));
    label->setBuddy(box);
    const int at = m_rows->rowCount();
    m_rows->addWidget(label, at, 0);
    m_rows->addWidget(box, at, 1);
    m_rows->addWidget(hint, at + 1, 1);
    m_fields.push_back({&row, box, now});
    connect(box, &QComboBox::currentIndexChanged, this, [this, &row, box] { apply(row, box->currentData()); });
}

QSize PreferencesDialog::sizeHint() const
{
    constexpr int lines = 26; // of type across
    const int wide = std::max(lines * fontMetrics().height(), m_rows->minimumSize().width());
    constexpr int bar = 20; // px that a scroll bar would take from the words
    const int tall = m_rows->totalHeightForWidth(wide - bar) + layout()->sizeHint().height() -
                     findChild<QScrollArea*>()->sizeHint().height();
    return {wide, tall};
}

void PreferencesDialog::showEvent(QShowEvent* event)
{
    constexpr double most = 0.92; // of the screen
    const QSize room = screen()->availableSize() * most;
    resize(sizeHint().boundedTo(room));
    QDialog::showEvent(event);
}

void PreferencesDialog::apply(const PreferenceRow& row, const QVariant& value)
{
    if (same(m_settings.value(row.key), value))
        return;
    if (row.apply)
        row.apply(m_appearance, value);
    else
        m_settings.setValue(row.key, value);
}

void PreferencesDialog::setDefaults()
{
    for (const Field& field : m_fields)
        for (int i = 0; i < field.box->count(); ++i)
            if (same(field.box->itemData(i), Settings::table().at(static_cast<qsizetype>(field.row->key)).fallback))
                field.box->setCurrentIndex(i);
}

QComboBox* PreferencesDialog::choice(SettingKey key) const
{
    for (const Field& field : m_fields)
        if (field.row->key == key)
            return field.box;
    return nullptr;
}

void PreferencesDialog::reject()
{
    for (const Field& field : m_fields)
        apply(*field.row, field.before);
    QDialog::reject();
}

} // namespace headroom::ui
