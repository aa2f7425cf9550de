// SPDX-License-Identifier: GPL-3.0-or-later
// NoDialogs: for a window that nobody sits at.
#pragma once

#include "ui/platform/dialogs.hpp"

namespace headroom::bench
{

class NoDialogs final : public ui::Dialogs
{
public:
    QString openFile(QWidget*, const QString&) override { return {}; }
    QString saveFile(QWidget*, const QString&) override { return {}; }
    ui::SaveAnswer askSave(QWidget*, const QString&) override { return ui::SaveAnswer::Discard; }
    void showError(QWidget*, const QString&, const QString&) override {}
    void showAbout(QWidget*, const QString&, const QString&) override {}
};

} // namespace headroom::bench
