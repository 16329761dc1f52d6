// SPDX-License-Identifier: GPL-3.0-or-later
// One example of a part of the data, large, with what a network said of it. GUI thread.
#pragma once

#include "compute/base/training_events.h"

#include <QFrame>
#include <QImage>

class QLabel;

namespace heteroscope::ui {

/// What is known of one prediction, in words.
struct ExampleWords {
    QString actual, predicted, part;
    std::int64_t example = 0;
    double probability = 0; ///< of what was predicted
};

class ExampleCard : public QFrame {
    Q_OBJECT
  public:
    explicit ExampleCard(QWidget* parent = nullptr);
    /// The picture may be null: it is on its way.
    void setExample(const ExampleWords& words, const QImage& image);
    void clear();

    static constexpr int kSide = 112; ///< of the picture's square, device-independent pixels

  private:
    QLabel* m_picture;
    QLabel* m_actual;
    QLabel* m_predicted;
    QLabel* m_probability;
    QLabel* m_place;
};

} // namespace heteroscope::ui
