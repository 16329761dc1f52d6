// SPDX-License-Identifier: GPL-3.0-or-later
// Asks heteroscope-cli for something that it answers as JSON, without blocking. GUI thread.
#pragma once

#include "compute/base/json.h"

#include <QByteArray>
#include <QObject>
#include <QString>
#include <QStringList>

#include <memory>

namespace heteroscope::ui {

class JsonQuery : public QObject {
    Q_OBJECT
  public:
    explicit JsonQuery(QObject* parent = nullptr);
    ~JsonQuery() override; ///< ends the child
    void setProgram(const QString& path);
    QString program() const;
    bool isRunning() const;
    /// `input`: what the child reads. Nothing happens while it is running.
    void ask(const QStringList& arguments, const QByteArray& input = {});

  signals:
    void answered(const heteroscope::Json& answer);
    void refused(const QString& line); ///< the last that the child said
    void notStarted(const QString& reason);

  private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace heteroscope::ui
