// SPDX-License-Identifier: GPL-3.0-or-later
// One, two or four linked numbers.
#include "ui/build/extent_editors.h"

#include "ui/build/soft_spin_box.h"
#include "ui/common/quiet_combo_box.h"

#include <QGridLayout>

#include <algorithm>
#include <cmath>

namespace heteroscope::ui {

namespace {

QString captionOf(int count, int index) {
    if (count == 2)
        return index == 0 ? ExtentEditor::tr("height") : ExtentEditor::tr("width");
    const std::array<QString, 4> sides = {ExtentEditor::tr("top"), ExtentEditor::tr("bottom"),
                                          ExtentEditor::tr("left"), ExtentEditor::tr("right")};
    return count == 4 ? sides[static_cast<std::size_t>(index)] : QString();
}

} // namespace

ExtentEditor::ExtentEditor(const compute::Parameter& parameter, Shape shape, QWidget* parent)
    : ValueEditor(parent),
      m_link(new QuietComboBox),
      m_optional(parameter.defaultValue.is_null() && !parameter.required) {
    m_link->setMinimumContentsLength(7); // all links are as wide, so that the fields before them line up
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(6);
    grid->setVerticalSpacing(4);
    for (int i = 0; i < 4; ++i) {
        const auto at = static_cast<std::size_t>(i);
        m_spins[at] = new SoftSpinBox(true, parameter.min, parameter.max,
                                      m_optional && i == 0 ? tr("automatic") : QString(), this);
        m_captions[at] = new QLabel(this);
        m_captions[at]->setEnabled(false);
        connect(m_spins[at], &QDoubleSpinBox::valueChanged, this, [this] { emit edited(value()); });
    }
    m_link->addItem(tr("same"), 1);
    m_link->addItem(tr("h × w"), 2);
    if (shape == Shape::Padding)
        m_link->addItem(tr("4 sides"), 4);
    m_link->setFocusPolicy(Qt::StrongFocus);
    m_link->setToolTip(tr("One number for both axes, or one for each"));
    showCount(1);
    connect(m_link, &QComboBox::activated, this, [this] { changeCount(m_link->currentData().toInt()); });
}

void ExtentEditor::showCount(int count) {
    m_count = count;
    auto* grid = static_cast<QGridLayout*>(layout());
    while (QLayoutItem* item = grid->takeAt(0))
        delete item;
    for (int i = 0; i < 4; ++i) {
        const auto at = static_cast<std::size_t>(i);
        m_spins[at]->setVisible(i < count);
        m_captions[at]->setVisible(i < count && count > 1);
        m_captions[at]->setText(captionOf(count, i));
        if (i >= count)
            continue;
        const int row = i / 2 * 2, column = i % 2;
        grid->addWidget(m_spins[at], row, column);
        if (count > 1)
            grid->addWidget(m_captions[at], row + 1, column);
    }
    grid->addWidget(m_link, 0, 2);
    grid->setColumnStretch(0, 1);
    grid->setColumnStretch(1, count > 1 ? 1 : 0);
}

void ExtentEditor::changeCount(int count) {
    Json before = value();
    if (before.is_null())
        before = static_cast<std::int64_t>(std::max(1.0, m_spins[0]->minimum()));
    const std::int64_t first = before.is_array() ? before[0].get<std::int64_t>() : before.get<std::int64_t>();
    Json after = first;
    if (count == 2)
        after = Json::array({first, before.is_array() ? before[before.size() == 4 ? 2 : 1] : before});
    else if (count == 4 && before.is_array() && before.size() == 2)
        after = Json::array({before[0], before[0], before[1], before[1]});
    else if (count == 4)
        after = Json::array({first, first, first, first});
    setValue(after);
    emit edited(after);
}

Json ExtentEditor::value() const {
    if (m_spins[0]->isAutomatic())
        return nullptr;
    const auto number = [this](int i) {
        return static_cast<std::int64_t>(std::llround(m_spins[static_cast<std::size_t>(i)]->value()));
    };
    if (m_count == 1)
        return number(0);
    Json list = Json::array();
    for (int i = 0; i < m_count; ++i)
        list.push_back(number(i));
    return list;
}

void ExtentEditor::setValue(const Json& value) {
    if (value.is_null() && m_optional) {
        const QSignalBlocker blocker(m_spins[0]);
        m_link->setCurrentIndex(m_link->findData(1));
        showCount(1);
        m_spins[0]->setAutomatic();
        return;
    }
    const bool isList = value.is_array() && std::all_of(value.begin(), value.end(),
                                                        [](const Json& item) { return item.is_number(); });
    const int wanted = isList ? static_cast<int>(value.size()) : 1;
    const int index = m_link->findData(wanted);
    if (index < 0 || (!isList && !value.is_number()))
        return; // not ours to show; the finding below says why
    m_link->setCurrentIndex(index);
    if (wanted != m_count)
        showCount(wanted);
    for (int i = 0; i < wanted; ++i) {
        auto* spin = m_spins[static_cast<std::size_t>(i)];
        const QSignalBlocker blocker(spin);
        spin->setValue((isList ? value[static_cast<std::size_t>(i)] : value).get<double>());
    }
}

QWidget* ExtentEditor::focusTarget() const {
    return m_spins[0];
}

void ExtentEditor::setNames(const QString& accessibleName, const QString& toolTip) {
    for (auto* spin : m_spins) {
        spin->setAccessibleName(accessibleName);
        spin->setToolTip(toolTip);
    }
    m_link->setAccessibleName(tr("%1: one number or several").arg(accessibleName));
}

} // namespace heteroscope::ui

#include "moc_extent_editors.cpp"
