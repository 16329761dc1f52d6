// SPDX-License-Identifier: GPL-3.0-or-later
// The runs of a study as a table that follows it live. GUI thread.
#pragma once

#include "compute/base/statistics.h"
#include "ui/models/study_session.h"

#include <QAbstractTableModel>
#include <QIcon>

#include <memory>
#include <optional>
#include <vector>

namespace heteroscope::ui {

class RunsModel : public QAbstractTableModel {
    Q_OBJECT
  public:
    enum Column { Target, Point, Samples, Median, Interval, Speedup, Outcome, kColumns };
    enum Role {
        TimesRole = Qt::UserRole, ///< QVector<double>: the samples that count, in ms
        WarmupsRole,              ///< QVector<double>
        ColorRole,                ///< QColor of the target
        SortRole
    };

    explicit RunsModel(QObject* parent = nullptr);
    void setSession(std::shared_ptr<StudySession> session);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  private:
    struct Row {
        std::size_t samplesSeen = 0;
        QVector<double> times, warmups;
        Summary summary;
        int reference = -1; ///< row of the reference target at the same point
    };
    void follow();
    void update(int run);
    void findReferences();
    QString text(int row, int column) const;
    bool isOver() const;
    QIcon statusIcon(const profiling::StudyRun& run) const;
    const profiling::StudyActivity* activityOf(const profiling::StudyRun& run) const;
    QString activityText(const profiling::StudyRun& run) const;
    QString outcomeText(const profiling::StudyRun& run) const;
    QString outcomeToolTip(const profiling::StudyRun& run) const;
    static QString samplesToolTip(const Row& row, const profiling::StudyRun& run);
    static QString disturbedText(const profiling::StudyRun& run);
    QString speedupText(int row) const;
    std::optional<double> speedup(int row) const; ///< over the reference
    QVariant sortValue(int row, int column) const;

    std::shared_ptr<StudySession> m_session;
    std::vector<Row> m_rows;
};

} // namespace heteroscope::ui
