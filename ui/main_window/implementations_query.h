// SPDX-License-Identifier: GPL-3.0-or-later
// Asks `heteroscope-cli check --implementations` what computes the operations of an experiment, without
// blocking. GUI thread.
#pragma once

#include "ui/run/json_query.h"

#include <QObject>
#include <QString>

#include <optional>

namespace heteroscope::ui {

class ImplementationsQuery : public QObject {
    Q_OBJECT
  public:
    explicit ImplementationsQuery(QObject* parent = nullptr);
    void setProgram(const QString& path);
    /// `directory`: where relative paths of the experiment begin; may be empty. A question that is not
    /// answered yet gives way to this one.
    void ask(const Json& experiment, const QString& directory);

  signals:
    void arrived(const heteroscope::Json& report); ///< what check --json prints
    void failed(const QString& sentence);          ///< also: what is wrong with the experiment

  private:
    struct Question {
        Json experiment;
        QString directory;
    };
    void start(const Question& question);
    /// Whether what came answers an older question; the next one is asked then.
    bool goesOn();

    JsonQuery m_query;
    std::optional<Question> m_next; ///< asked while the child answers another
};

} // namespace heteroscope::ui
