// SPDX-License-Identifier: GPL-3.0-or-later
// Welcome: the first start: four doors over the filled window, and where each of them leads.
#pragma once

#include <QObject>

namespace headroom::ui
{

class Navigator;
class ParameterPanel;
class Workspace;
struct Session;

class Welcome final : public QObject
{
    Q_OBJECT

public:
    /// Belongs to the workspace, over which its cards lie.
    Welcome(Session& session, Navigator& pages, ParameterPanel& parameters, Workspace& workspace);

    /// Nothing while the doors are there.
    void show();

private:
    void askOwnRun();

    Session& m_session;
    Navigator& m_pages;
    ParameterPanel& m_parameters;
    Workspace& m_workspace;
};

} // namespace headroom::ui
