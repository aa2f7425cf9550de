// SPDX-License-Identifier: GPL-3.0-or-later
// Dialogs: every question that stops the program, behind one seam so that tests answer them.
#pragma once

#include <QCoreApplication>
#include <QString>
#include <QStringList>

class QWidget;

namespace headroom::ui
{

enum class SaveAnswer { Save, Discard, Cancel };
enum class RestoreAnswer { Restore, Discard, Later };

class Dialogs
{
public:
    virtual ~Dialogs() = default;
    /// Empty = cancelled.
    [[nodiscard]] virtual QString openFile(QWidget* parent, const QString& folder) = 0;
    [[nodiscard]] virtual QString saveFile(QWidget* parent, const QString& suggested) = 0;
    /// A place for what leaves the program, such as a picture; `filters` as QFileDialog takes them.
    [[nodiscard]] virtual QString exportFile(QWidget* /*parent*/, const QString& /*suggested*/,
                                             const QString& /*title*/, const QString& /*filters*/)
    {
        return {};
    }
    /// Files to import; empty = cancelled. Not pure: who asks nobody imports nothing.
    [[nodiscard]] virtual QStringList importFiles(QWidget* /*parent*/, const QString& /*folder*/) { return {}; }
    /// A log or table of measurements. Not pure: where there is no other dialog, the one for scenarios answers.
    [[nodiscard]] virtual QString openLog(QWidget* parent, const QString& folder) { return openFile(parent, folder); }
    /// Profiles, a file a rank; empty = cancelled. Not pure: who asks nobody imports nothing.
    [[nodiscard]] virtual QStringList openProfiles(QWidget* /*parent*/, const QString& /*folder*/) { return {}; }
    /// Results of lessons, a file a learner; as openProfiles().
    [[nodiscard]] virtual QStringList openResults(QWidget* parent, const QString& folder)
    {
        return openProfiles(parent, folder);
    }
    /// The views of a talk; as openLog().
    [[nodiscard]] virtual QString openViews(QWidget* parent, const QString& folder) { return openFile(parent, folder); }
    [[nodiscard]] virtual SaveAnswer askSave(QWidget* parent, const QString& title) = 0;
    /// Whether to take up an unsaved scenario that a process left behind; `when` is words.
    [[nodiscard]] virtual RestoreAnswer askRestore(QWidget* /*parent*/, const QString& /*title*/,
                                                   const QString& /*when*/)
    {
        return RestoreAnswer::Later;
    }
    /// Whether to go on with what cannot be undone; `action` is what the button says that does it. Nobody there to ask:
    /// no.
    [[nodiscard]] virtual bool confirm(QWidget* /*parent*/, const QString& /*question*/, const QString& /*consequence*/,
                                       const QString& /*action*/)
    {
        return false;
    }
    /// Something could not be done; `details` names the place and what would be right.
    virtual void showError(QWidget* parent, const QString& message, const QString& details) = 0;
    virtual void showAbout(QWidget* parent, const QString& title, const QString& html) = 0;
};

/// The desktop's own dialogs.
class NativeDialogs final : public Dialogs
{
    Q_DECLARE_TR_FUNCTIONS(headroom::ui::NativeDialogs)

public:
    [[nodiscard]] QString openFile(QWidget* parent, const QString& folder) override;
    [[nodiscard]] QString saveFile(QWidget* parent, const QString& suggested) override;
    [[nodiscard]] QString exportFile(QWidget* parent, const QString& suggested, const QString& title,
                                     const QString& filters) override;
    [[nodiscard]] QString openLog(QWidget* parent, const QString& folder) override;
    [[nodiscard]] QStringList openProfiles(QWidget* parent, const QString& folder) override;
    [[nodiscard]] QStringList openResults(QWidget* parent, const QString& folder) override;
    [[nodiscard]] QString openViews(QWidget* parent, const QString& folder) override;
    [[nodiscard]] SaveAnswer askSave(QWidget* parent, const QString& title) override;
    [[nodiscard]] RestoreAnswer askRestore(QWidget* parent, const QString& title, const QString& when) override;
    [[nodiscard]] QStringList importFiles(QWidget* parent, const QString& folder) override;
    [[nodiscard]] bool confirm(QWidget* parent, const QString& question, const QString& consequence,
                               const QString& action) override;
    void showError(QWidget* parent, const QString& message, const QString& details) override;
    void showAbout(QWidget* parent, const QString& title, const QString& html) override;
};

} // namespace headroom::ui
