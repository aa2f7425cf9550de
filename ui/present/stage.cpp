// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/present/stage.hpp"

#include "ui/base/text.hpp"
#include "ui/charts/chart_view.hpp"
#include "ui/parameters/parameter_row_widget.hpp"
#include "ui/present/elided_text.hpp"
#include "ui/present/laser_dot.hpp"
#include "ui/present/load_view.hpp"
#include "ui/present/stage_chart.hpp"
#include "ui/present/stage_header.hpp"
#include "ui/present/stage_sliders.hpp"
#include "ui/present/stage_tiles.hpp"
#include "ui/theme/fonts.hpp"
#include "ui/widgets/accessible_role.hpp"
#include "ui/widgets/veil.hpp"

#include <QCloseEvent>
#include <QGridLayout>
#include <QPainter>
#include <QShortcut>
#include <algorithm>

namespace headroom::ui
{
namespace
{

constexpr int margin = 24, gap = 16;
constexpr double headlineScale = 1.25; ///< of tiles, over the stage's own type
constexpr int low = 860;               ///< px; below it margins and headlines give way to charts
constexpr int roomy = 300;             ///< px a chart is high from which its type has the stage's full size
constexpr int noteLines = 2;
constexpr int leastLines = 9; ///< of the desktop's type that a chart is high, or fewer charts stand together
constexpr std::size_t inOneRow = 2;

QFont scaled(QFont font, double factor)
{
    if (font.pointSizeF() > 0)
        font.setPointSizeF(font.pointSizeF() * factor);
    else
        font.setPixelSize(qRound(font.pixelSize() * factor));
    return font;
}

} // namespace

Stage::Stage(Content content, QWidget* parent)
    : QWidget(parent, Qt::Window), m_views(std::move(content.views)), m_desktop(content.font),
      m_recalculator(m_store, std::move(content.catalog), Calibration::builtIn()), m_header(new StageHeader),
      m_tiles(new StageTiles), m_grid(new QGridLayout), m_note(new ElidedText(TextStyle::Body, noteLines)),
      m_sliders(new StageSliders(m_store)), m_hint(new QLabel(this)), m_black(new QWidget(this)),
      m_laser(new LaserDot(this))
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
    for (StageChart*& chart : m_charts) {
        chart = new StageChart(this);
        chart->view()->installEventFilter(this);
    }
    column->addLayout(m_grid, 1);
    m_note->setObjectName(QStringLiteral("stageNote"));
    column->addWidget(m_note);
    column->addWidget(m_sliders);
    m_veil = new Veil(this);

    m_hint->setText(tr("← → views   Tab sliders   B black   L dot   R as saved   K keep in the window   Esc leave"));
    m_hint->setFont(styled(font(), TextStyle::Caption));
    m_hint->setForegroundRole(QPalette::PlaceholderText);
    m_hint->adjustSize();
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

void Stage::arrange(std::size_t together)
{
    const std::vector<std::string>& ids = view().charts;
    m_together = std::min(together, ids.size());
    std::vector<StageChart*> shown;
    for (std::size_t i = 0; i < m_charts.size(); ++i) {
        const std::size_t at = m_firstChart + i;
        const bool used = i < m_together && at < ids.size();
        m_grid->removeWidget(m_charts[i]);
        m_charts[i]->setRow(used ? chartRow(ids[at]) : nullptr);
        m_charts[i]->setVisible(used);
        if (used)
            shown.push_back(m_charts[i]);
    }
    const bool three = shown.size() == 3;
    for (int line = 0; line < 2; ++line) {
        m_grid->setRowStretch(line, line == 0 || shown.size() > 2 ? 1 : 0);
        m_grid->setColumnStretch(line, shown.size() < 2 && line == 1 ? 0 : three && line == 0 ? 3 : 2);
    }
    // Of three, the first is the large one.
    for (std::size_t i = 0; i < shown.size(); ++i) {
        const int at = static_cast<int>(i);
        if (three)
            m_grid->addWidget(shown[i], at == 2 ? 1 : 0, at == 0 ? 0 : 1, at == 0 ? 2 : 1, 1);
        else
            m_grid->addWidget(shown[i], at / 2, at % 2);
    }
    m_header->setCharts(m_firstChart + 1, m_firstChart + shown.size(), ids.size());
}

void Stage::showOtherCharts()
{
    if (m_together >= view().charts.size())
        return;
    m_firstChart = m_firstChart + m_together < view().charts.size() ? m_firstChart + m_together : 0;
    arrange(m_together);
    fitType();
    orderTabs();
    showResult();
    announce(m_header->verdict());
}

double Stage::ownScale() const
{
    constexpr double lines = 30; // of the desktop's type that a view needs
    return std::clamp(height() / (lines * QFontMetricsF(m_desktop).height()), 1.0, typeScale);
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
    m_firstChart = 0;
    arrange(StageView::mostCharts);
    fitType();
    if (m_together > inOneRow && lowestChart() < leastLines * QFontMetrics(m_desktop).height()) {
        arrange(inOneRow);
        fitType();
    }
    return rows() != before;
}

bool Stage::isTight() const
{
    constexpr double lines = 27; // below it the second lines of header and sentences are charts'
    return height() < lines * QFontMetricsF(m_desktop).height();
}

int Stage::lowestChart() const
{
    int lowest = height();
    for (const StageChart* chart : charts())
        lowest = std::min(lowest, chart->chartHeight());
    return lowest;
}

void Stage::fitType()
{
    const double own = ownScale();
    if (font() != scaled(m_desktop, own)) {
        setFont(scaled(m_desktop, own));
        m_hint->setFont(styled(font(), TextStyle::Caption));
    }
    const int room = width() - 2 * gap;
    m_hint->setWordWrap(false);
    m_hint->adjustSize();
    if (m_hint->width() > room) {
        m_hint->setWordWrap(true);
        m_hint->resize(room, m_hint->heightForWidth(room));
    }
    m_hint->move(width() - gap - m_hint->width(), height() - m_hint->height() - 6);
    const bool isLow = height() < low;
    const int between = isLow ? gap / 2 : gap, side = isLow ? gap : margin;
    layout()->setContentsMargins(side, between, side, m_hint->height() + 8);
    layout()->setSpacing(between);
    m_grid->setSpacing(between);
    using Room = StageHeader::Room;
    m_header->setRoom(isTight() ? Room::OneLine : isLow ? Room::Low : Room::Ample);
    m_tiles->setFont(scaled(m_desktop, isLow ? own : own * headlineScale));
    m_note->setLines(isLow && charts().size() > 2 ? 1 : noteLines);
    m_readingLines = 1;
    for (StageChart* chart : m_charts)
        chart->setReadingLines(1);
    layout()->invalidate();
    layout()->activate();
    // Four charts on a small screen: their marks need the room more than their letters do.
    constexpr double step = 0.1;
    double scale = own;
    for (const StageChart* chart : charts())
        scale = std::min(scale, std::max(1.0, std::floor(own * chart->chartHeight() / roomy / step) * step));
    for (StageChart* chart : m_charts)
        if (chart->view()->font() != scaled(m_desktop, scale))
            chart->view()->setFont(scaled(m_desktop, scale));
    reserveReadings();
}

void Stage::reserveReadings()
{
    int needed = m_readingLines;
    for (const StageChart* chart : charts())
        needed = std::max(needed, chart->readingLinesNeeded());
    if (needed == m_readingLines || (height() < low && charts().size() > 2) || isTight())
        return;
    m_readingLines = needed;
    for (StageChart* chart : m_charts)
        chart->setReadingLines(needed);
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
    for (StageChart* chart : charts())
        chart->show(chart->row()->swept ? *m_recalculator.sweptContext() : *context, m_store.isHeld());
    reserveReadings();
}

std::vector<StageChart*> Stage::charts() const
{
    std::vector<StageChart*> shown;
    for (StageChart* chart : m_charts)
        if (chart->row())
            shown.push_back(chart);
    return shown;
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

void Stage::toggleDark()
{
    setTheme(themeOf(palette()).isDark() ? ThemeKind::HighContrast : ThemeKind::HighContrastDark);
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
