// SPDX-License-Identifier: GPL-3.0-or-later
// RunLibrary: the measured runs that a window lays beside its scenario; the published ones are read in the background.
#pragma once

#include "core/runs/measured_run.hpp"

#include <QObject>

class QThread;

namespace headroom::ui
{

class RunLibrary final : public QObject
{
    Q_OBJECT

public:
    explicit RunLibrary(QObject* parent = nullptr);
    ~RunLibrary() override;

    /// Never null; its parts are while nothing is there.
    [[nodiscard]] const std::shared_ptr<const RunShelf>& shelf() const { return m_shelf; }

    /// Reads the published runs beside the window's own work, once however often it is called. For after the first
    /// picture: nobody waits for points.
    void readPublished();

signals:
    /// shelf() is new.
    void changed();

private:
    void setPublished(std::shared_ptr<const MeasuredRuns> runs);

    std::shared_ptr<const RunShelf> m_shelf = std::make_shared<RunShelf>();
    QThread* m_reader = nullptr;
};

} // namespace headroom::ui
