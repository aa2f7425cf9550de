// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/measure_guide.hpp"

#include "ui/base/text.hpp"
#include "ui/document/run_words.hpp"
#include "ui/platform/files.hpp"
#include "ui/settings/settings.hpp"
#include "ui/theme/fonts.hpp"
#include "ui/widgets/plain_button.hpp"

#include <QClipboard>
#include <QDialogButtonBox>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace headroom::ui
{
namespace
{

constexpr auto scripts = ":/measure/"; // resources/measure, compiled in
constexpr auto mainScript = "headroom_measure.py";

QLabel* words(const QString& text)
{
    auto* label = new QLabel(text);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    return label;
}

QLabel* heading(const QString& text)
{
    QLabel* label = words(text);
    QFont font = label->font();
    font.setBold(true);
    label->setFont(font);
    return label;
}

/// What a step has done; in the muted colour, and there only once it has something to say.
QLabel* outcome(const char* name)
{
    QLabel* label = words({});
    label->setObjectName(QLatin1String(name));
    label->setForegroundRole(QPalette::PlaceholderText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->hide();
    return label;
}

void showWords(QLabel* label, const QString& text)
{
    label->setText(text);
    label->setVisible(!text.isEmpty());
}

QPushButton* button(const QString& text, const char* name)
{
    QPushButton* made = makePlainButton(text, {}, name);
    made->setAccessibleName(QString(text).remove(u'&'));
    return made;
}

QHBoxLayout* leftOf(QWidget* widget, QWidget* second = nullptr)
{
    auto* row = new QHBoxLayout;
    row->addWidget(widget, second ? 1 : 0);
    if (second)
        row->addWidget(second);
    else
        row->addStretch(1);
    return row;
}

/// What failed; empty = written, whole.
QString copyFile(const QString& from, const QString& to)
{
    QFile source(from);
    if (!source.open(QIODevice::ReadOnly))
        return source.errorString();
    return writeFile(to, source.readAll());
}

} // namespace

QString MeasureGuide::command()
{
    return QStringLiteral("python3 %1 --out mine.jsonl").arg(QLatin1String(mainScript));
}

MeasureGuide::MeasureGuide(RunController& runs, RunLibrary& library, ScenarioStore& store, Dialogs& dialogs,
                           Settings& settings, QWidget* parent)
    : QDialog(parent), m_runs(runs), m_library(library), m_dialogs(dialogs), m_settings(settings),
      m_saved(outcome("saved")), m_opened(outcome("opened")), m_fitted(outcome("fitted")),
      m_calibrate(button({}, "calibrate"))
{
    setWindowTitle(tr("Calibrate to my GPU"));
    auto* column = new QVBoxLayout(this);
    constexpr int side = 20, between = 8, apart = 12;
    column->setContentsMargins(side, side, side, side);
    column->setSpacing(between);
    column->addWidget(words(
        tr("Headroom expects what published runs reached. A script measures what your GPU, driver and PyTorch reach: "
           "copies, matrix products, attention and all-reduce by themselves, then decode and training steps of Llama "
           "models with random weights, in sizes that fit. It needs Python 3.9 and PyTorch and nothing of Headroom, "
           "downloads nothing, and takes about seven minutes in which the GPU should have nothing else to do.")));

    column->addSpacing(apart);
    column->addWidget(heading(tr("1. Save the script where the GPU is")));
    QPushButton* save = button(tr("&Save the script…"), "save");
    column->addLayout(leftOf(save));
    column->addWidget(m_saved);

    column->addSpacing(apart);
    column->addWidget(heading(tr("2. Run it there")));
    auto* line = new QLineEdit(command());
    line->setReadOnly(true);
    line->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    line->setAccessibleName(tr("Command that runs the script"));
    QPushButton* copy = button(tr("&Copy"), "copy");
    column->addLayout(leftOf(line, copy));

    column->addSpacing(apart);
    column->addWidget(heading(tr("3. Open what it wrote")));
    QPushButton* open = button(tr("&Open mine.jsonl…"), "open");
    column->addLayout(leftOf(open));
    column->addWidget(m_opened);

    column->addSpacing(apart);
    column->addWidget(heading(tr("4. Move the expectation")));
    column->addWidget(words(
        tr("A few multipliers bring the predictions onto your runs. Tiles, charts and the status line say that they "
           "are in force; undo or the same button takes them back.")));
    column->addLayout(leftOf(m_calibrate));
    column->addWidget(m_fitted);
    column->addStretch(1);

    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    buttons->button(QDialogButtonBox::Close)->setAccessibleName(tr("Close"));
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(save, &QPushButton::clicked, this, &MeasureGuide::saveScript);
    connect(copy, &QPushButton::clicked, this, [] { QGuiApplication::clipboard()->setText(command()); });
    connect(open, &QPushButton::clicked, this, &MeasureGuide::openOutput);
    connect(m_calibrate, &QPushButton::clicked, this, &MeasureGuide::toggleCalibration);
    connect(&store, &ScenarioStore::scenarioChanged, this, &MeasureGuide::refresh);
    connect(&library, &RunLibrary::changed, this, &MeasureGuide::refresh);
    refresh();
    setFixedWidth(QFontMetrics(font()).averageCharWidth() * 80); // lines that can be read
    grow();
}

void MeasureGuide::grow()
{
    layout()->activate();
    setFixedHeight(layout()->totalHeightForWidth(width()));
}

void MeasureGuide::saveScript()
{
    const QDir folder(m_settings.value(SettingKey::LastFolder).toString());
    const QString path = m_dialogs.exportFile(this, folder.filePath(QLatin1String(mainScript)),
                                              tr("Save the measuring script"), tr("Python (*.py);;All files (*)"));
    if (path.isEmpty())
        return;
    // The script imports the others by their names, so that these stay.
    const QDir target = QFileInfo(path).dir();
    QStringList written;
    for (const QString& name : QDir(QLatin1String(scripts)).entryList(QDir::Files, QDir::Name)) {
        const QString to = name == QLatin1String(mainScript) ? path : target.filePath(name);
        if (const QString error = copyFile(QLatin1String(scripts) + name, to); !error.isEmpty()) {
            m_dialogs.showError(this, tr("The script was not saved."), tr("“%1”: %2").arg(to, error));
            return;
        }
        written << QFileInfo(to).fileName();
    }
    showWords(m_saved, tr("Saved in %1: %2. They belong together.").arg(target.absolutePath(), written.join(tr(", "))));
    grow();
}

void MeasureGuide::openOutput()
{
    const QString path = m_dialogs.openLog(this, m_settings.value(SettingKey::LastFolder).toString());
    if (path.isEmpty())
        return;
    const std::size_t before = m_library.own().size();
    if (!m_runs.import(path))
        return;
    m_settings.setValue(SettingKey::LastFolder, QFileInfo(path).absolutePath());
    showWords(m_opened, tr("%1 from “%2”. They lie on the charts beside the prediction.")
                            .arg(runCount(m_library.own().size() - before), QFileInfo(path).fileName()));
    grow();
}

void MeasureGuide::toggleCalibration()
{
    if (m_runs.isCalibrated())
        m_runs.uncalibrate();
    else if (m_runs.calibrate())
        showWords(m_fitted, m_runs.fitText());
    grow();
}

void MeasureGuide::refresh()
{
    const bool on = m_runs.isCalibrated();
    const std::size_t matching = m_runs.matching();
    m_calibrate->setText(on             ? tr("&Back to the built-in calibration")
                         : matching > 0 ? tr("C&alibrate to %1").arg(runCount(matching))
                                        : tr("C&alibrate"));
    m_calibrate->setAccessibleName(m_calibrate->text().remove(u'&'));
    m_calibrate->setEnabled(on || matching > 0);
    if (!on)
        showWords(m_fitted, matching > 0 ? QString() : m_runs.whyNot());
    grow();
}

} // namespace headroom::ui
