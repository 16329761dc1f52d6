// SPDX-License-Identifier: GPL-3.0-or-later
// Channels, height and width side by side, or one number of features.
#include "ui/build/shape_editor.h"

#include "ui/build/soft_spin_box.h"
#include "ui/common/quiet_combo_box.h"

#include <QGridLayout>

#include <algorithm>
#include <cmath>

namespace heteroscope::ui {

ShapeEditor::ShapeEditor(const compute::Parameter& parameter, QWidget* parent)
    : ValueEditor(parent), m_kind(new QuietComboBox) {
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(4);
    grid->setVerticalSpacing(4);
    m_kind->addItem(tr("Image"), 3);
    m_kind->addItem(tr("Row of numbers"), 1);
    m_kind->setFocusPolicy(Qt::StrongFocus);
    m_kind->setObjectName(QStringLiteral("shape-kind"));
    grid->addWidget(m_kind, 0, 0, 1, 3);
    for (std::size_t i = 0; i < m_spins.size(); ++i) {
        m_spins[i] = new SoftSpinBox(true, parameter.min, parameter.max, {}, this);
        m_captions[i] = new QLabel(this);
        m_captions[i]->setEnabled(false);
        const int column = static_cast<int>(i);
        grid->addWidget(m_spins[i], 1, column);
        grid->addWidget(m_captions[i], 2, column);
        grid->setColumnStretch(column, 1);
        connect(m_spins[i], &QDoubleSpinBox::valueChanged, this, [this] { emit edited(value()); });
    }
    showSizes(3);
    connect(m_kind, &QComboBox::activated, this, &ShapeEditor::changeKind);
}

void ShapeEditor::showSizes(std::size_t count) {
    m_count = count;
    const std::array<QString, 3> image = {tr("channels"), tr("height"), tr("width")};
    for (std::size_t i = 0; i < m_spins.size(); ++i) {
        m_spins[i]->setVisible(i < count);
        m_captions[i]->setVisible(i < count);
        m_captions[i]->setText(count == 1 ? tr("features") : image[i]);
    }
}

void ShapeEditor::changeKind() {
    const auto wanted = static_cast<std::size_t>(m_kind->currentData().toInt());
    if (wanted == m_count)
        return;
    const auto size = [this](std::size_t i) { return std::llround(m_spins[i]->value()); };
    // as many numbers as before, as far as that can be
    const Json after =
        wanted == 1 ? Json::array({size(0) * size(1) * size(2)}) : Json::array({1, 1, size(0)});
    setValue(after);
    emit edited(after);
}

Json ShapeEditor::value() const {
    Json list = Json::array();
    for (std::size_t i = 0; i < m_count; ++i)
        list.push_back(static_cast<std::int64_t>(std::llround(m_spins[i]->value())));
    return list;
}

void ShapeEditor::setValue(const Json& value) {
    const bool isShape =
        value.is_array() && (value.size() == 1 || value.size() == 3) &&
        std::all_of(value.begin(), value.end(), [](const Json& item) { return item.is_number(); });
    if (!isShape)
        return; // not ours to show; the finding below says why
    m_kind->setCurrentIndex(m_kind->findData(static_cast<int>(value.size())));
    if (value.size() != m_count)
        showSizes(value.size());
    for (std::size_t i = 0; i < value.size(); ++i) {
        const QSignalBlocker blocker(m_spins[i]);
        m_spins[i]->setValue(value[i].get<double>());
    }
}

QWidget* ShapeEditor::focusTarget() const {
    return m_spins[0];
}

void ShapeEditor::setNames(const QString& accessibleName, const QString& toolTip) {
    for (std::size_t i = 0; i < m_spins.size(); ++i) {
        m_spins[i]->setAccessibleName(QStringLiteral("%1: %2").arg(accessibleName, m_captions[i]->text()));
        m_spins[i]->setToolTip(toolTip);
    }
    m_kind->setAccessibleName(tr("%1: image or row of numbers").arg(accessibleName));
}

} // namespace heteroscope::ui

#include "moc_shape_editor.cpp"
