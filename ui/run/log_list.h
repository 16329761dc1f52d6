// SPDX-License-Identifier: GPL-3.0-or-later
// The log of a study as coloured lines; keeps the newest. GUI thread.
#pragma once

#include <QPlainTextEdit>
#include <QString>

namespace heteroscope::ui {

class LogList : public QPlainTextEdit {
    Q_OBJECT
  public:
    explicit LogList(QWidget* parent = nullptr);
    /// `level`: "info", "warning" or "error".
    void add(const QString& level, const QString& text);

    static constexpr int kMaxLines = 5000;
};

} // namespace heteroscope::ui
