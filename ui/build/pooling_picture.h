// SPDX-License-Identifier: GPL-3.0-or-later
// What the pooling does and costs: sentence, matrices with the moving window, player, size formula, memory.
// GUI thread.
#pragma once

#include "compute/experiment/spec/estimate.h"
#include "ui/build/document.h"
#include "ui/build/form_item.h"
#include "ui/build/pooling_preview.h"

#include <QLabel>
#include <QWidget>

namespace heteroscope::ui {

class FactsPanel;
class ImagePair;
class Placeholder;
class PlaybackBar;
class PooledImageJob;
class PoolingCanvas;

class PoolingPicture : public QWidget, public FormItem {
    Q_OBJECT
  public:
    explicit PoolingPicture(Document& document, QWidget* parent = nullptr);
    void refresh();

    /// The typed matrix is edited in the picture; its findings show above it.
    QString pointer() const override { return QStringLiteral("/pooling/input/values"); }
    void showFindings(const Findings& findings) override;
    void focusOn(const QString& pointer) override;

  private:
    void buildTools();
    void buildCanvas();
    void showPlace(const compute::InputSpec& input);
    void showProblem(const Error& error);
    void showContent(bool shown);
    void hidePasteProblem();
    void showStep();
    void showFacts(const compute::ExperimentSpec& spec, const compute::PointEstimate& estimate);
    void showImages();
    void choosePlace(const QPointF& pixel);
    void editCell(std::int64_t row, std::int64_t column, const QString& text);
    void paste(std::int64_t row, std::int64_t column);
    void resizeMatrix(int rows, int columns);
    const Json* values() const;
    Result<PreviewInput> loadInput(const compute::InputSpec& input);

    Document& m_document;
    Json m_shown;    ///< what the present picture was made from
    QString m_place; ///< the input whose place was chosen
    QLabel* m_sentence;
    QLabel* m_problem;
    bool m_pasteFailed = false; ///< m_problem tells of the clipboard
    Placeholder* m_nothing;
    QWidget* m_tools;
    QLabel* m_matrixSize;
    ImagePair* m_images;
    PooledImageJob* m_pooling;
    QString m_imageKey;        ///< file, its time and reading of m_imageInput
    PreviewInput m_imageInput; ///< kept: an image is decoded once, whatever the parameters
    PoolingCanvas* m_canvas;
    QLabel* m_window;
    PlaybackBar* m_playback;
    FactsPanel* m_formula;
    FactsPanel* m_memory;
    QWidget* m_cards;
};

} // namespace heteroscope::ui
