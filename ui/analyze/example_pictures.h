// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of the examples of a training, read from its data when they are asked for and kept. GUI thread;
// files are read on another one.
#pragma once

#include "compute/base/training_events.h"
#include "compute/experiment/spec/spec.h"

#include <QImage>
#include <QObject>

#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace heteroscope::ui {

class ExamplePictures : public QObject {
    Q_OBJECT
  public:
    using QObject::QObject;

    /// The experiment of one run and the folder that its paths are relative to; empty: it is not known. The
    /// same ones again change nothing. Whether they are others.
    bool setSource(const Json& experiment, const std::string& directory);
    /// Whether the examples are pictures at all: rows of tables are none.
    bool arePictures() const { return m_pictures; }
    /// Why there are no pictures, a sentence; empty while nothing is wrong.
    QString problem() const { return m_problem; }
    /// Null while it is not there.
    const QImage* find(const std::string& part, std::int64_t example) const;
    /// Reads those that are not there yet; `changed` follows. One reading at a time: what is asked for during
    /// one has to be asked for again afterwards.
    void request(const std::string& part, const std::vector<PredictionSample>& samples);

    /// A side of a picture that is kept, in pixels; larger ones are averaged down.
    static constexpr int kMostPixels = 128;

  signals:
    void changed(); ///< pictures came, or there is a problem

  private:
    struct Answer;
    QString missingFolder() const;
    static Answer read(const compute::NetworkExperiment& experiment, const std::string& directory,
                       const std::string& part, const std::vector<PredictionSample>& samples);
    void take(const std::string& part, const std::vector<PredictionSample>& samples, Answer answer);

    Json m_experiment;
    std::string m_directory;
    std::shared_ptr<const compute::NetworkExperiment> m_network; ///< null: nothing can be read
    std::map<std::pair<std::string, std::int64_t>, QImage> m_images;
    QString m_problem;
    bool m_pictures = false, m_busy = false;
    int m_source = 0; ///< counts sources: answers of earlier ones are thrown away
};

} // namespace heteroscope::ui
