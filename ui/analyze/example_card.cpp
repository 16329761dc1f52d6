// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/analyze/example_card.h"

#include "ui/common/elided_label.h"
#include "ui/common/sample_image.h"
#include "ui/common/theme.h"
#include "ui/common/transfer_text.h"
#include "ui/common/widgets.h"

#include <QVBoxLayout>

#include <algorithm>

namespace heteroscope::ui {

namespace {

/// Long names are cut, and whole in the tooltip: the card is as high as the list beside it.
QLabel* addLine(QVBoxLayout* column, const char* role) {
    auto* label = new ElidedLabel(ExampleCard::kSide);
    setRole(label, role);
    column->addWidget(label);
    return label;
}

/// A whole number of screen pixels for each of the picture's, where it is small enough.
QPixmap enlarged(const QImage& image, int side, double ratio) {
    const int room = static_cast<int>(side * ratio), largest = std::max(image.width(), image.height());
    QPixmap pixmap = QPixmap::fromImage(fittedImage(image, largest > room ? room : room / largest * largest));
    pixmap.setDevicePixelRatio(ratio);
    return pixmap;
}

} // namespace

ExampleCard::ExampleCard(QWidget* parent) : QFrame(parent), m_picture(new QLabel) {
    setObjectName(QStringLiteral("exampleCard"));
    setRole(this, "card");
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(Theme::kSpacing, Theme::kSpacing, Theme::kSpacing, Theme::kSpacing);
    column->setSpacing(Theme::kSpacing / 4);
    m_picture->setObjectName(QStringLiteral("examplePicture"));
    m_picture->setFixedSize(kSide, kSide);
    m_picture->setAlignment(Qt::AlignCenter);
    column->addWidget(m_picture);
    column->addSpacing(Theme::kSpacing / 2);
    m_actual = addLine(column, "heading");
    m_predicted = addLine(column, "");
    m_probability = addLine(column, "");
    m_place = addLine(column, "muted");
    column->addStretch(1);
    setFixedWidth(kSide + 2 * Theme::kSpacing + 2 * frameWidth());
    clear();
}

void ExampleCard::setExample(const ExampleWords& words, const QImage& image) {
    m_picture->setPixmap(image.isNull() ? QPixmap() : enlarged(image, kSide, devicePixelRatioF()));
    m_picture->setAccessibleName(
        tr("Example %1 of %2, a picture of %3").arg(words.example).arg(words.part, words.actual));
    m_actual->setText(words.actual);
    m_predicted->setText(words.actual == words.predicted ? tr("recognised")
                                                         : tr("taken for %1").arg(words.predicted));
    m_probability->setText(shareText(words.probability));
    m_place->setText(tr("Example %1").arg(words.example));
    setAccessibleName(
        QStringLiteral("%1: %2, %3").arg(words.actual, m_predicted->text(), shareText(words.probability)));
}

void ExampleCard::clear() {
    m_picture->clear();
    m_picture->setAccessibleName(tr("No example is chosen"));
    for (QLabel* line : {m_actual, m_predicted, m_probability, m_place})
        line->clear();
    setAccessibleName(m_picture->accessibleName());
}

} // namespace heteroscope::ui

#include "moc_example_card.cpp"
