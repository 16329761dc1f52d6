// SPDX-License-Identifier: GPL-3.0-or-later
// Puts the pooling picture together and keeps it in step with the document.
#include "ui/build/pooling_picture.h"

#include "ui/build/axes_editor.h"
#include "ui/build/facts_panel.h"
#include "ui/build/image_pair.h"
#include "ui/build/input_form.h"
#include "ui/build/json_text.h"
#include "ui/build/playback_bar.h"
#include "ui/build/pooled_image_job.h"
#include "ui/build/pooling_canvas.h"
#include "ui/build/pooling_words.h"
#include "ui/build/preview_spec.h"
#include "ui/common/format.h"
#include "ui/common/placeholder.h"
#include "ui/common/theme.h"
#include "ui/common/widgets.h"

#include <QDateTime>
#include <QFileInfo>
#include <QPushButton>
#include <QVBoxLayout>

namespace heteroscope::ui {

PoolingPicture::PoolingPicture(Document& document, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_sentence(makeLabel({}, "heading")),
      m_problem(new QLabel),
      m_nothing(new Placeholder),
      m_tools(new QWidget),
      m_matrixSize(makeLabel({}, "muted")),
      m_images(new ImagePair),
      m_pooling(new PooledImageJob(this)),
      m_canvas(new PoolingCanvas),
      m_window(new QLabel),
      m_playback(new PlaybackBar),
      m_formula(new FactsPanel(tr("Output size"))),
      m_memory(new FactsPanel(tr("Work and memory"))),
      m_cards(new QWidget) {
    auto* column = new QVBoxLayout(this);
    m_formula->setObjectName(QStringLiteral("size-facts"));
    m_memory->setObjectName(QStringLiteral("memory-facts"));
    column->setContentsMargins(16, 12, 16, 12);
    column->setSpacing(Theme::kSpacing);
    m_sentence->setWordWrap(true);
    m_problem->setWordWrap(true);
    m_problem->setObjectName(QStringLiteral("picture-problem"));
    m_problem->hide();
    column->addWidget(m_sentence);
    column->addWidget(m_problem);
    m_nothing->setObjectName(QStringLiteral("no-picture"));
    m_nothing->hide();
    column->addWidget(m_nothing, 7);
    buildTools();
    m_tools->hide();
    m_images->hide();
    column->addWidget(m_tools);
    column->addWidget(m_images, 3);
    column->addWidget(m_canvas, 4);
    buildCanvas();
    m_window->setAlignment(Qt::AlignCenter);
    connect(&Theme::instance(), &Theme::changed, this, &PoolingPicture::showStep);
    m_window->setTextFormat(Qt::RichText);
    m_window->setObjectName(QStringLiteral("window-line"));
    column->addWidget(m_window);
    column->addWidget(m_playback);
    auto* cards = new QHBoxLayout(m_cards);
    cards->setContentsMargins(0, 0, 0, 0);
    cards->setSpacing(12);
    cards->addWidget(m_formula, 1);
    cards->addWidget(m_memory, 1);
    column->addWidget(m_cards);
    refresh();
}

void PoolingPicture::buildTools() {
    auto* row = new QHBoxLayout(m_tools);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6);
    row->addStretch(1);
    row->addWidget(m_matrixSize);
    const auto add = [&](const QString& text, const QString& name, int rows, int columns) {
        auto* button = new QPushButton(text);
        button->setObjectName(name);
        connect(button, &QPushButton::clicked, this, [this, rows, columns] { resizeMatrix(rows, columns); });
        row->addWidget(button);
    };
    add(tr("+ Row"), QStringLiteral("add-row"), 1, 0);
    add(tr("− Row"), QStringLiteral("remove-row"), -1, 0);
    add(tr("+ Column"), QStringLiteral("add-column"), 0, 1);
    add(tr("− Column"), QStringLiteral("remove-column"), 0, -1);
    auto* pasteButton = new QPushButton(tr("&Paste block"));
    pasteButton->setObjectName(QStringLiteral("paste-block"));
    pasteButton->setToolTip(
        tr("Rows by line, numbers separated by tabs, spaces or commas; starts at the chosen cell"));
    connect(pasteButton, &QPushButton::clicked, this,
            [this] { paste(m_canvas->cursor().first, m_canvas->cursor().second); });
    row->addWidget(pasteButton);
    row->addStretch(1);
}

void PoolingPicture::buildCanvas() {
    connect(m_canvas, &PoolingCanvas::stepChanged, this, &PoolingPicture::showStep);
    connect(m_canvas, &PoolingCanvas::stepCountChanged, this, &PoolingPicture::showStep);
    connect(m_canvas, &PoolingCanvas::playToggled, m_playback, &PlaybackBar::togglePlay);
    connect(m_canvas, &PoolingCanvas::cellEdited, this, &PoolingPicture::editCell);
    connect(m_canvas, &PoolingCanvas::pasteRequested, this, &PoolingPicture::paste);
    connect(m_playback, &PlaybackBar::stepChosen, m_canvas, &PoolingCanvas::setStep);
    connect(m_images, &ImagePair::placeChosen, this, &PoolingPicture::choosePlace);
    connect(m_pooling, &PooledImageJob::ready, m_images, &ImagePair::setPooled);
}

void PoolingPicture::refresh() {
    const Json* pooling = valueAt(m_document.json(), "/pooling");
    if (!pooling)
        return;
    hidePasteProblem();
    const Json shown = {{"pooling", *pooling}, {"path", m_document.path().toStdString()}};
    if (shown == m_shown)
        return;
    m_shown = shown;
    const auto spec = previewSpec(m_document.json());
    if (!spec) {
        showProblem(spec.error());
        return;
    }
    const compute::InputSpec& input = spec->pooling.input;
    const bool isManual = input.source == compute::InputSource::Manual;
    auto loaded = loadInput(input);
    if (!loaded) {
        showProblem(loaded.error());
        return;
    }
    const auto estimate = compute::estimatePoint(*spec, loaded->shape);
    if (!estimate) {
        showProblem(estimate.error());
        return;
    }
    m_problem->hide();
    showContent(true);
    m_canvas->setEnabled(true);
    m_tools->setVisible(isManual);
    m_matrixSize->setText(tr("%1 × %2").arg(countText(loaded->shape.h), countText(loaded->shape.w)));
    m_canvas->setEditable(isManual);
    m_canvas->setPreview(PoolingPreview(spec->pooling.params, std::move(*loaded), estimate->dst));
    m_sentence->setText(poolingSentence(m_canvas->preview()));
    showPlace(input);
    showFacts(*spec, *estimate);
    showImages();
    showStep();
}

/// An image is decoded when it or its reading changes, not with every parameter.
Result<PreviewInput> PoolingPicture::loadInput(const compute::InputSpec& input) {
    const QString file = resolvedPath(m_document, input.path == "none" ? "" : input.path);
    if (input.source != compute::InputSource::Image)
        return loadPreviewInput(input, file);
    const QFileInfo info(file);
    const QString key = QStringLiteral("%1|%2|%3|%4")
                            .arg(info.absoluteFilePath())
                            .arg(info.lastModified().toMSecsSinceEpoch())
                            .arg(info.size())
                            .arg(input.grey);
    if (key == m_imageKey && info.exists())
        return m_imageInput;
    auto loaded = loadPreviewInput(input, file);
    m_imageKey = loaded ? key : QString();
    m_imageInput = loaded ? *loaded : PreviewInput{};
    return loaded;
}

/// A new input is shown from its first cell, an image from its middle.
void PoolingPicture::showPlace(const compute::InputSpec& input) {
    const QString place =
        QStringLiteral("%1 %2").arg(static_cast<int>(input.source)).arg(QString::fromStdString(input.path));
    if (place == m_place)
        return;
    m_place = place;
    const QImage& image = m_canvas->preview().input().image;
    if (image.isNull())
        m_canvas->setOrigin(0, 0);
    else
        choosePlace(QPointF(image.width() / 2.0, image.height() / 2.0));
}

void PoolingPicture::showProblem(const Error& error) {
    const QString text = QStringLiteral("%1: %2.").arg(parameterLabel(m_document.json(), error.where),
                                                       QString::fromStdString(error.message));
    m_playback->pause();
    m_canvas->setEnabled(false);
    if (m_canvas->preview().isEmpty()) {
        m_problem->hide();
        m_nothing->setContent(QStringLiteral("photo"), tr("No picture yet"),
                              tr("%1 Correct it on the left and the picture appears.").arg(text));
        showContent(false);
        return;
    }
    setRole(m_problem, "error");
    restyle(m_problem);
    m_problem->setText(tr("%1 The picture shows the last experiment that could be drawn.").arg(text));
    m_problem->show();
}

/// Without anything to draw the page says only what is missing: no player, no figures of nothing.
void PoolingPicture::showContent(bool shown) {
    m_nothing->setVisible(!shown);
    for (QWidget* widget : std::initializer_list<QWidget*>{m_sentence, m_canvas, m_window, m_cards})
        widget->setVisible(shown);
    if (!shown)
        for (QWidget* widget : std::initializer_list<QWidget*>{m_playback, m_images, m_tools})
            widget->hide();
}

void PoolingPicture::showStep() {
    const auto [row, column] = m_canvas->outputOfStep(m_canvas->step());
    const auto window = m_canvas->preview().window(row, column);
    m_playback->setCount(m_canvas->stepCount());
    m_playback->setVisible(window && m_canvas->stepCount() > 1);
    m_playback->setStep(m_canvas->step());
    m_playback->setCaption(
        windowCaption(m_canvas->preview(), row, column, m_canvas->canvasLayout().isCropped()));
    m_window->setText(window ? windowLine(m_canvas->preview(), *window) : QString());
    showImages();
}

void PoolingPicture::showImages() {
    const PoolingPreview& preview = m_canvas->preview();
    const bool isImage = !preview.input().image.isNull();
    m_images->setVisible(isImage);
    if (!isImage)
        return;
    const ShownAxis &rows = m_canvas->canvasLayout().rows(), &columns = m_canvas->canvasLayout().columns();
    m_images->setMarked(
        QRectF(double(columns.firstIn), double(rows.firstIn), double(columns.inCount), double(rows.inCount)));
}

void PoolingPicture::choosePlace(const QPointF& pixel) {
    const auto& params = m_canvas->preview().params();
    const ShownAxis &rows = m_canvas->canvasLayout().rows(), &columns = m_canvas->canvasLayout().columns();
    const auto at = [](double pixels, std::int64_t stride, std::int64_t shown) {
        return std::max<std::int64_t>(static_cast<std::int64_t>(pixels) / stride - shown / 2, 0);
    };
    m_canvas->setOrigin(at(pixel.y(), params.stride.h, rows.outCount),
                        at(pixel.x(), params.stride.w, columns.outCount));
}

void PoolingPicture::showFacts(const compute::ExperimentSpec& spec, const compute::PointEstimate& estimate) {
    m_formula->setFacts(sizeFacts(spec.pooling.params, estimate));
    m_formula->setFootnote(tr("(size + padding before + after − kernel) / stride, rounded down, plus 1"));
    m_memory->setFacts(memoryFacts(spec, estimate));
    const PreviewInput& input = m_canvas->preview().input();
    m_pooling->cancel();
    if (input.image.isNull() || estimate.dst.h * estimate.dst.w <= 0)
        return;
    m_images->setInput(input.image, QSize(int(estimate.dst.w), int(estimate.dst.h)));
    m_pooling->start(input.image, spec.pooling.params, estimate.dst);
}

} // namespace heteroscope::ui

#include "moc_pooling_picture.cpp"
