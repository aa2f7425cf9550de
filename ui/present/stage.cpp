// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/present/stage.hpp"

#include "core/predict/evaluate.hpp"
#include "ui/base/text.hpp"
#include "ui/charts/chart_view.hpp"
#include "ui/parameters/parameter_row_widget.hpp"
#include "ui/present/elided_text.hpp"
#include "ui/present/laser_dot.hpp"
#include "ui/present/load_view.hpp"
#include "ui/present/stage_chart.hpp"
#include "ui/present/stage_grid.hpp"
#include "ui/present/stage_header.hpp"
#include "ui/present/stage_hint.hpp"
#include "ui/present/stage_sliders.hpp"
#include "ui/present/stage_tiles.hpp"
#include "ui/theme/fonts.hpp"
#include "ui/widgets/accessible_role.hpp"
#include "ui/widgets/value_box.hpp"
#include "ui/widgets/veil.hpp"

#include <QCloseEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QShortcut>
#include <algorithm>

namespace headroom::ui
{
namespace
{

constexpr int margin = 24, gap = 16;
constexpr double headlineScale = 1.25; ///< of tiles, over the stage's own type
constexpr int noteLines = 2;
/// Of the desktop's type that a chart is high, or fewer charts stand together: the eleven bars of where the peak goes
/// keep their names.
constexpr int leastLines = 13;
constexpr std::size_t inOneRow = 2;

} // namespace

Stage::Stage(Content content, QWidget* parent)
    : QWidget(parent, Qt::Window), m_views(std::move(content.views)), m_desktop(content.font),
      m_recalculator(m_store, std::move(content.catalog), Calibration::builtIn()), m_header(new StageHeader),
      m_tiles(new StageTiles), m_note(new ElidedText(TextStyle::Body, noteLines)), m_sliders(new StageSliders(m_store)),
      m_hint(new StageHint(this)), m_black(new QWidget(this)), m_laser(new LaserDot(this))
{
    setObjectName(QStringLiteral("stage"));
    setWindowTitle(tr("Presentation"));
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleRole(*this, QAccessible::Window);
    setFont(scaled(m_desktop, typeScale));
    m_recalculator.setRuns(std::move(content.runs));
    build();
    setTheme(content.theme);
    connect(&m_recalculator, &Recalculator::evaluated, this, &Stage::showResult);
    connect(&m_store, &ScenarioStore::heldChanged, this, [this](bool held) {
        if (!held)
            showResult(); // axes that were held fit the figures again
    });
    connect(m_header, &StageHeader::previousRequested, this, [this] { showView(m_index - 1); });
    connect(m_header, &StageHeader::nextRequested, this, [this] { showView(m_index + 1); });
    connect(m_header, &StageHeader::leaveRequested, this, &Stage::leaveRequested);
    for (const auto key : {QKeySequence::Undo, QKeySequence::Redo})
        for (const QKeySequence& keys : QKeySequence::keyBindings(key))
            connect(new QShortcut(keys, this), &QShortcut::activated, &m_store.undoStack(),
                    key == QKeySequence::Undo ? &QUndoStack::undo : &QUndoStack::redo);
    connect(new QShortcut(QKeySequence::Save, this), &QShortcut::activated, this, &Stage::storeRequested);
    showView(0);
}

Stage::~Stage()
{
    // Views outlive the members they listen to: children are deleted after them. Gone from the screen while the store
    // is there, since the row that has the keyboard reads it when it loses it.
    hide();
    m_store.disconnect();
    m_recalculator.disconnect();
}

void Stage::build()
{
    auto* column = new QVBoxLayout(this);
    column->setSizeConstraint(QLayout::SetNoConstraint); // the screen says how large it is
    column->addWidget(m_header);
    column->addWidget(m_tiles);
    m_grid = new StageGrid(this);
    for (const StageChart* chart : m_grid->all())
        chart->view()->installEventFilter(this);
    column->addLayout(m_grid, 1);
    m_note->setObjectName(QStringLiteral("stageNote"));
    column->addWidget(m_note);
    column->addWidget(m_sliders);
    m_veil = new Veil(this);

    m_black->setAutoFillBackground(true);
    m_black->setAccessibleName(tr("Black screen"));
    m_black->setCursor(Qt::BlankCursor);
    QPalette black;
    black.setColor(QPalette::Window, Qt::black);
    m_black->setPalette(black);
    m_black->hide();
}

void Stage::showView(int index)
{
    if (index < 0 || index >= count())
        return;
    m_index = index;
    const StageView& view = this->view();
    m_header->setView(toQString(view.name), index, count());
    m_note->setText(toQString(view.note));
    m_note->setVisible(!view.note.empty());
    m_sliders->setParameters(view.sliders);
    for (ParameterRowWidget* row : m_sliders->rows())
        for (QWidget* control : {row->control(), static_cast<QWidget*>(row->box())})
            if (control)
                control->installEventFilter(this); // before the row's own: PgUp and L mean something else here
    static_cast<void>(fit());                      // what is shown is drawn once the view is loaded
    orderTabs();
    loadView(view, m_store, m_recalculator); // undo goes back to here and no further
    setBlack(false);
    setFocus(Qt::OtherFocusReason);
    setAccessibleName(tr("Presentation, view %1 of %2: %3").arg(index + 1).arg(count()).arg(m_header->title()));
    announce(toQString(view.note).isEmpty() ? accessibleName()
                                            : accessibleName() + QStringLiteral(". ") + toQString(view.note));
    emit viewShown(index);
}

void Stage::arrange(std::size_t first, std::size_t together)
{
    m_grid->arrange(view().charts, first, together);
    m_header->setCharts(first + 1, first + charts().size(), view().charts.size());
    fitType();
}

void Stage::showOtherCharts()
{
    const std::size_t next = m_grid->first() + m_grid->together(), count = view().charts.size();
    if (m_grid->together() >= count)
        return;
    arrange(next < count ? next : 0, m_grid->together());
    orderTabs();
    showResult();
    announce(m_header->verdict());
}

bool Stage::fit()
{
    const auto rows = [this] {
        std::vector<const ChartRow*> shown;
        for (const StageChart* chart : charts())
            shown.push_back(chart->row());
        return shown;
    };
    const auto before = rows();
    arrange(0, StageView::mostCharts);
    if (m_grid->together() > inOneRow && m_grid->lowest(height()) < leastLines * QFontMetrics(m_desktop).height())
        arrange(0, inOneRow);
    return rows() != before;
}

void Stage::fitType()
{
    const StageRoom room = this->room();
    const double own = room.typeScale();
    if (font() != scaled(m_desktop, own))
        setFont(scaled(m_desktop, own));
    m_hint->place(gap);
    const bool isLow = room.isLow();
    const int between = isLow ? gap / 2 : gap, side = isLow ? gap : margin;
    layout()->setContentsMargins(side, between, side, m_hint->height() + 8);
    layout()->setSpacing(between);
    m_grid->setSpacing(between);
    using Room = StageHeader::Room;
    m_header->setRoom(room.isTight() ? Room::OneLine : isLow ? Room::Low : Room::Ample);
    m_tiles->setFont(scaled(m_desktop, isLow ? own : own * headlineScale));
    m_note->setLines(isLow && charts().size() > 2 ? 1 : noteLines);
    m_grid->dropReadings();
    layout()->invalidate();
    layout()->activate();
    m_grid->setType(m_desktop, own);
    reserveReadings();
}

void Stage::reserveReadings()
{
    m_grid->reserveReadings(!room().isTight() && (!room().isLow() || charts().size() <= 2));
}

void Stage::orderTabs()
{
    QWidget* last = this;
    const auto next = [&last](QWidget* widget) {
        setTabOrder(last, widget);
        last = widget;
    };
    for (const ParameterRowWidget* row : m_sliders->rows())
        for (QWidget* control : {row->control(), static_cast<QWidget*>(row->box())})
            if (control && control != last)
                next(control);
    for (const StageChart* chart : charts())
        next(chart->view());
}

void Stage::showResult()
{
    m_header->show(m_recalculator);
    // The last good result stays in sight, pale: it no longer answers the scenario.
    m_veil->setVisible(m_recalculator.isRefused());
    m_veil->raise();
    const ChartContext* context = m_recalculator.context();
    if (!context || m_recalculator.isRefused())
        return;
    m_tiles->show(*context);
    m_sliders->showBatch(fullBatch(context->evaluation));
    m_grid->show(m_recalculator, m_store.isHeld());
    reserveReadings();
}

std::vector<StageChart*> Stage::charts() const
{
    return m_grid->shown();
}

QString Stage::note() const
{
    return m_note->isHidden() ? QString() : m_note->text();
}

void Stage::storeScenario()
{
    m_views[static_cast<std::size_t>(m_index)].scenario = m_store.scenario();
}

void Stage::setBlack(bool black)
{
    if (isBlack() == black)
        return;
    m_black->setVisible(black);
    m_black->raise();
    m_laser->raise();
    announce(black ? tr("Black screen") : accessibleName());
}

bool Stage::isBlack() const
{
    return !m_black->isHidden();
}

void Stage::setLaser(bool on)
{
    m_laser->setOn(on);
}

bool Stage::hasLaser() const
{
    return m_laser->isOn();
}

void Stage::setTheme(ThemeKind kind)
{
    setPalette(paletteOf(theme(kind)));
}

void Stage::say(const QString& words)
{
    m_header->say(words);
    announce(words);
}

void Stage::announce(const QString& words)
{
    setAccessibleDescription(words); // Qt 6.4 has no announcement event; screen readers speak a changed description
}

bool Stage::handleKey(const QKeyEvent& event, StagePlace place)
{
    if (event.key() != Qt::Key_F1)
        m_hint->hide();
    const auto command = stageCommand(event.key(), place);
    const Qt::KeyboardModifiers harmless =
        place == StagePlace::Stage ? Qt::KeypadModifier : Qt::KeypadModifier | Qt::ShiftModifier;
    if (!command || event.modifiers() & ~harmless)
        return false;
    switch (*command) {
    case StageCommand::Next:
        showView(m_index + 1);
        break;
    case StageCommand::Previous:
        showView(m_index - 1);
        break;
    case StageCommand::First:
        showView(0);
        break;
    case StageCommand::Last:
        showView(count() - 1);
        break;
    case StageCommand::Hint:
        m_hint->setVisible(m_hint->isHidden());
        if (m_hint->isVisible())
            announce(m_hint->text());
        break;
    case StageCommand::Black:
        setBlack(!isBlack());
        break;
    case StageCommand::Laser:
        setLaser(!hasLaser());
        break;
    case StageCommand::OtherCharts:
        showOtherCharts();
        break;
    case StageCommand::Keep:
        emit keepRequested();
        break;
    case StageCommand::Dark:
        setTheme(themeOf(palette()).isDark() ? ThemeKind::HighContrast : ThemeKind::HighContrastDark);
        break;
    case StageCommand::AsSaved:
        m_store.replace(tr("As saved"), view().scenario);
        break;
    case StageCommand::Leave:
        emit leaveRequested();
        break;
    }
    return true;
}

bool Stage::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::MouseButtonPress)
        m_hint->hide();
    if (event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    return handleKey(*static_cast<QKeyEvent*>(event),
                     qobject_cast<const ValueBox*>(watched) ? StagePlace::Text : StagePlace::Control);
}

void Stage::keyPressEvent(QKeyEvent* event)
{
    if (!handleKey(*event, StagePlace::Stage))
        QWidget::keyPressEvent(event);
}

void Stage::paintEvent(QPaintEvent* event)
{
    QPainter(this).fillRect(event->rect(), palette().window());
}

void Stage::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    m_black->setGeometry(rect());
    m_veil->setGeometry(rect());
    if (fit())
        showResult();
}

void Stage::closeEvent(QCloseEvent* event)
{
    event->ignore(); // whoever began it ends it
    emit leaveRequested();
}

} // namespace headroom::ui
