// SPDX-License-Identifier: GPL-3.0-or-later
// Mode Library: stored runs with search, tags, notes, open, compare and delete with undo. GUI thread.
#pragma once

#include <QString>
#include <QStringList>
#include <QWidget>

#include <memory>

namespace heteroscope::ui {

class LibraryView : public QWidget {
    Q_OBJECT
  public:
    explicit LibraryView(QWidget* parent = nullptr);
    ~LibraryView() override;
    /// The folder of run files: $HETEROSCOPE_DATA/runs, else the user's data location.
    static QString runsDirectory();
    void refresh();      ///< looks at the folder again, asynchronously
    bool isBusy() const; ///< a look at the folder is under way

  signals:
    void startRequested(); ///< nothing is stored yet: where to begin
    void openRequested(const QString& path);
    void compareRequested(const QStringList& paths); ///< two, or whole pairs; oldest first
    void experimentRequested(const QString& path);   ///< edit the experiment stored in a run
    void busyChanged();

  private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace heteroscope::ui
