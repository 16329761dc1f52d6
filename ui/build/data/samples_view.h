// SPDX-License-Identifier: GPL-3.0-or-later
// Samples of the document's dataset: read on another thread, then of one class or all, in their order or
// shuffled. GUI thread.
#pragma once

#include "ui/build/data/sample_grid.h"
#include "ui/build/data/sample_job.h"
#include "ui/build/document.h"

#include <QCheckBox>
#include <QComboBox>
#include <QStackedWidget>

class QLabel;

namespace heteroscope::ui {

class Placeholder;

class SamplesView : public QWidget {
    Q_OBJECT
  public:
    explicit SamplesView(Document& document, QWidget* parent = nullptr);

    void reload(); ///< reads the data as the document says now
    bool isBusy() const { return m_job.isBusy(); }
    SampleGrid* grid() const { return m_grid; }
    QString problem() const { return m_problem; } ///< why nothing is shown; empty while samples are

    /// Samples shown at once.
    static constexpr std::size_t kShown = 24;

  private:
    QWidget* makeBar();
    void take(const SharedDataset& dataset);
    void fail(const QString& reason);
    void showSamples();

    Document& m_document;
    SampleJob m_job;
    SharedDataset m_dataset;
    QComboBox* m_class;
    QCheckBox* m_shuffled;
    QLabel* m_counts;
    SampleGrid* m_grid;
    Placeholder* m_placeholder;
    QStackedWidget* m_pages;
    QString m_problem;
};

} // namespace heteroscope::ui
