// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/present/views_dialog.hpp"

#include "ui/base/text.hpp"
#include "ui/document/document_controller.hpp"
#include "ui/present/presenter.hpp"
#include "ui/present/view_form.hpp"
#include "ui/present/view_library.hpp"
#include "ui/widgets/plain_button.hpp"
#include "ui/widgets/thin_scroll_bar.hpp"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QStackedWidget>

namespace headroom::ui
{
namespace
{

QString titleOf(const StageView& view, const Catalog& catalog)
{
    if (!view.name.empty())
        return toQString(view.name);
    const auto model = catalog.model(view.scenario.model.id);
    return model ? toQString(model->name) : toQString(view.scenario.model.id);
}

} // namespace

ViewsDialog::ViewsDialog(ViewLibrary& library, Presenter& presenter, QWidget* parent)
    : QDialog(parent), m_library(library), m_presenter(presenter), m_list(new QListWidget), m_right(new QStackedWidget),
      m_form(new ViewForm(presenter.catalog())), m_problem(new QLabel)
{
    setWindowTitle(tr("Views"));
    setObjectName(QStringLiteral("viewsDialog"));
    build();
    connect(&m_library, &ViewLibrary::changed, this, &ViewsDialog::refresh);
    connect(m_list, &QListWidget::currentRowChanged, this, &ViewsDialog::showCurrent);
    connect(m_form, &ViewForm::changed, this, [this](const QString& text, const ViewForm::Change& change, bool typing) {
        const int at = current();
        if (at < 0)
            return;
        // What is typed into one field of one view is one step.
        if (!typing || text != m_typed || at != m_typedAt)
            m_gesture = m_library.newGesture();
        m_typed = typing ? text : QString();
        m_typedAt = at;
        m_library.change(
            text, [&](ViewLibrary::Views& views) { change(views[static_cast<std::size_t>(at)]); },
            typing ? m_gesture : 0);
    });
    connect(m_form, &ViewForm::takeRequested, this, [this] {
        const StageView now = m_presenter.present();
        const auto at = static_cast<std::size_t>(current());
        m_library.change(tr("Scenario of the view"), [&](ViewLibrary::Views& views) {
            const bool sameTask = views[at].scenario.task == now.scenario.task;
            StageView taken = now;
            taken.name = views[at].name;
            taken.note = views[at].note;
            if (sameTask) { // else they would have no meaning
                taken.charts = views[at].charts;
                taken.sliders = views[at].sliders;
            }
            views[at] = std::move(taken);
        });
    });
    connect(m_form, &ViewForm::useRequested, this,
            [this] { m_presenter.use(m_library.views()[static_cast<std::size_t>(current())]); });
    refresh();
}

void ViewsDialog::build()
{
    m_list->setObjectName(QStringLiteral("viewList"));
    m_list->setAccessibleName(tr("Views"));
    m_list->setProperty("fromCore", true); // names that people gave
    m_list->installEventFilter(this);
    m_list->setVerticalScrollBar(new ThinScrollBar);
    m_list->setSpacing(3);
    m_add = makePlainButton(tr("&Add this scenario"), tr("The window's scenario, charts and pins as a new view"),
                            "viewAdd");
    m_up = makePlainButton(tr("&Up"), tr("Earlier in the talk (Alt+Up)"), "viewUp");
    m_down = makePlainButton(tr("&Down"), tr("Later in the talk (Alt+Down)"), "viewDown");
    m_delete = makePlainButton(tr("D&elete"), tr("Remove the view (Delete); Undo restores it"), "viewDelete");
    m_undo = makePlainButton(tr("Undo"), QString(), "viewUndo");
    auto* open = makePlainButton(tr("&Open…"), tr("Open views from a file in place of these"), "viewOpen");
    m_save = makePlainButton(tr("&Save as…"), tr("Save a copy; Headroom keeps these views by itself"), "viewSave");
    m_export = makePlainButton(tr("E&xport PDF…"), tr("One view a page, with its note"), "viewExport");
    m_present = makePlainButton(tr("&Present"), tr("Full screen, from the first view (F5)"), "viewPresent");
    m_present->setAutoDefault(true);

    auto* hint = new QLabel(tr("No views yet. Set up the window as you want to show it, then add it here."));
    hint->setWordWrap(true);
    hint->setAlignment(Qt::AlignCenter);
    hint->setForegroundRole(QPalette::PlaceholderText);
    m_right->addWidget(hint);
    m_right->addWidget(m_form);
    m_problem->setWordWrap(true);
    m_problem->setTextFormat(Qt::PlainText);

    auto* left = new QVBoxLayout;
    left->setSpacing(8);
    left->addWidget(m_list, 1);
    left->addWidget(m_add);
    auto* order = new QHBoxLayout;
    for (QPushButton* each : {m_up, m_down, m_delete, m_undo})
        order->addWidget(each);
    left->addLayout(order);
    auto* middle = new QHBoxLayout;
    middle->setSpacing(24);
    middle->addLayout(left, 2);
    middle->addWidget(m_right, 3);
    auto* foot = new QHBoxLayout;
    for (QPushButton* each : {open, m_save, m_export})
        foot->addWidget(each);
    foot->addStretch(1);
    foot->addWidget(m_present);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 16, 16, 16);
    column->setSpacing(16);
    column->addWidget(m_problem);
    column->addLayout(middle, 1);
    column->addLayout(foot);
    resize(860, 560);

    connect(m_add, &QPushButton::clicked, this, &ViewsDialog::add);
    connect(m_up, &QPushButton::clicked, this, [this] { move(-1); });
    connect(m_down, &QPushButton::clicked, this, [this] { move(1); });
    connect(m_delete, &QPushButton::clicked, this, &ViewsDialog::remove);
    connect(m_undo, &QPushButton::clicked, &m_library.undoStack(), &QUndoStack::undo);
    connect(open, &QPushButton::clicked, this, &ViewsDialog::openRequested);
    connect(m_save, &QPushButton::clicked, this, &ViewsDialog::saveRequested);
    connect(m_export, &QPushButton::clicked, this, &ViewsDialog::exportRequested);
    connect(m_present, &QPushButton::clicked, this, &ViewsDialog::presentRequested);
}

int ViewsDialog::current() const
{
    return m_list->currentRow() < static_cast<int>(m_library.views().size()) ? m_list->currentRow() : -1;
}

void ViewsDialog::add()
{
    const int at = current() + 1;
    m_wanted = at;
    m_library.change(tr("Add view"),
                     [&](ViewLibrary::Views& views) { views.insert(views.begin() + at, m_presenter.present()); });
}

void ViewsDialog::remove()
{
    const int at = current();
    if (at >= 0)
        m_library.change(tr("Delete view"), [at](ViewLibrary::Views& views) { views.erase(views.begin() + at); });
}

void ViewsDialog::move(int by)
{
    const int at = current(), to = at + by;
    if (at < 0 || to < 0 || to >= m_list->count())
        return;
    m_wanted = to;
    m_library.change(tr("Move view"), [at, to](ViewLibrary::Views& views) {
        std::swap(views[static_cast<std::size_t>(at)], views[static_cast<std::size_t>(to)]);
    });
}

void ViewsDialog::refresh()
{
    const ViewLibrary::Views& views = m_library.views();
    const int before = m_wanted >= 0 ? std::exchange(m_wanted, -1) : std::max(0, m_list->currentRow());
    {
        const QSignalBlocker quiet(m_list);
        while (m_list->count() > static_cast<int>(views.size()))
            delete m_list->takeItem(m_list->count() - 1);
        while (m_list->count() < static_cast<int>(views.size()))
            m_list->addItem(QString());
        const Catalog& catalog = m_presenter.catalog();
        for (std::size_t i = 0; i < views.size(); ++i)
            m_list->item(static_cast<int>(i))
                ->setText(tr("%1  %2", "number, name of a view").arg(i + 1).arg(titleOf(views[i], catalog)));
        m_list->setCurrentRow(std::min(before, m_list->count() - 1));
    }
    QUndoStack& stack = m_library.undoStack();
    m_undo->setEnabled(stack.canUndo());
    m_undo->setToolTip(stack.canUndo() ? tr("Undo “%1” (Ctrl+Z)").arg(stack.undoText()) : tr("Nothing to undo"));
    const QString problem =
        m_library.refusal().empty()
            ? QString()
            : tr("The saved views cannot be read. Headroom keeps their file beside the new one.\n%1")
                  .arg(diagnosticsText(m_library.refusal()));
    m_problem->setText(problem);
    m_problem->setVisible(!problem.isEmpty());
    showCurrent();
}

void ViewsDialog::showCurrent()
{
    const int at = current(), count = m_list->count();
    m_right->setCurrentIndex(at >= 0 ? 1 : 0);
    if (at >= 0)
        m_form->show(m_library.views()[static_cast<std::size_t>(at)]);
    m_up->setEnabled(at > 0);
    m_down->setEnabled(at >= 0 && at + 1 < count);
    for (QPushButton* each : {m_delete, m_save, m_export, m_present})
        each->setEnabled(at >= 0);
}

void ViewsDialog::changeEvent(QEvent* event)
{
    QDialog::changeEvent(event);
    if (event->type() == QEvent::ActivationChange && isActiveWindow())
        m_library.read(); // another window may have changed them meanwhile
}

bool ViewsDialog::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() != QEvent::KeyPress)
        return QDialog::eventFilter(watched, event);
    const auto* key = static_cast<QKeyEvent*>(event);
    if (key->matches(QKeySequence::Delete))
        remove();
    else if (key->matches(QKeySequence::Undo))
        m_library.undoStack().undo();
    else if (key->matches(QKeySequence::Redo))
        m_library.undoStack().redo();
    else if (key->modifiers() == Qt::AltModifier && (key->key() == Qt::Key_Up || key->key() == Qt::Key_Down))
        move(key->key() == Qt::Key_Up ? -1 : 1);
    else
        return QDialog::eventFilter(watched, event);
    return true;
}

} // namespace headroom::ui
