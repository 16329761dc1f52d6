// SPDX-License-Identifier: GPL-3.0-or-later
// Number field with soft limits.
#include "ui/build/soft_spin_box.h"

#include "ui/common/format.h"

#include <QRegularExpression>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace heteroscope::ui {

namespace {
constexpr double kReach = 9.0e15; ///< whole numbers are exact up to here
constexpr double kStepFromZero = 0.01;

/// 0.07 instead of 0.07000000000000001.
double withoutNoise(double value) {
    return QString::number(value, 'g', 12).toDouble();
}

/// "12000" of "12 000", whose space may be any: what is shown is typed and pasted, too.
QString withoutGroups(const QString& text) {
    static const QRegularExpression kBetweenDigits(QStringLiteral("(?<=\\d)\\s(?=\\d)"),
                                                   QRegularExpression::UseUnicodePropertiesOption);
    return text.trimmed().remove(kBetweenDigits);
}

} // namespace

SoftSpinBox::SoftSpinBox(bool whole, std::optional<double> low, std::optional<double> high,
                         const QString& automatic, QWidget* parent)
    : QDoubleSpinBox(parent), m_whole(whole), m_hasAutomatic(!automatic.isEmpty()), m_low(low), m_high(high) {
    setDecimals(whole ? 0 : 15);
    setRange(-kReach, kReach);
    setSpecialValueText(automatic);
    setKeyboardTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccelerated(whole);
    constexpr int kBesideDigits = 34; // frame, padding and arrows of the theme
    setMinimumWidth(fontMetrics().horizontalAdvance(QStringLiteral("0000")) + kBesideDigits);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

bool SoftSpinBox::isAutomatic() const {
    return m_hasAutomatic && value() == minimum();
}

void SoftSpinBox::setAutomatic() {
    setValue(minimum());
}

QString SoftSpinBox::textFromValue(double value) const {
    return m_whole ? countText(static_cast<std::int64_t>(value)) : numberText(value, 10);
}

double SoftSpinBox::valueFromText(const QString& text) const {
    return withoutGroups(text).toDouble();
}

QValidator::State SoftSpinBox::validate(QString& text, int&) const {
    if (m_hasAutomatic && text == specialValueText())
        return QValidator::Acceptable;
    const QString trimmed = withoutGroups(text);
    if (trimmed.isEmpty() || trimmed == QStringLiteral("-"))
        return QValidator::Intermediate;
    bool isNumber = false;
    const double number = trimmed.toDouble(&isNumber);
    if (!isNumber)
        return !m_whole && trimmed.endsWith(QLatin1Char('e')) ? QValidator::Intermediate
                                                              : QValidator::Invalid;
    if (m_whole && number != std::floor(number))
        return QValidator::Invalid;
    return std::abs(number) <= kReach ? QValidator::Acceptable : QValidator::Invalid;
}

double SoftSpinBox::lowest() const {
    return m_low.value_or(-kReach);
}

double SoftSpinBox::highest() const {
    return m_high.value_or(kReach);
}

void SoftSpinBox::stepBy(int steps) {
    if (isAutomatic()) {
        if (steps > 0)
            setValue(lowest());
        return;
    }
    if (m_hasAutomatic && steps < 0 && value() <= lowest()) {
        setAutomatic();
        return;
    }
    double stepped = value();
    for (int i = 0; i < std::abs(steps); ++i)
        stepped += steps > 0 ? stepFrom(stepped, true) : -stepFrom(stepped, false);
    setValue(std::clamp(withoutNoise(stepped), lowest(), highest()));
    selectAll();
}

/// One for whole numbers, else one of the leading digit: 0.01 goes to 0.02 and to 0.009.
double SoftSpinBox::stepFrom(double value, bool up) const {
    if (m_whole)
        return singleStep();
    if (value == 0)
        return kStepFromZero;
    const bool shrinks = up == (value < 0);
    const double magnitude = std::floor(std::log10(std::abs(value)) + 1e-9);
    const bool isPower = std::abs(std::abs(value) / std::pow(10, magnitude) - 1) < 1e-9;
    return std::pow(10, magnitude - (shrinks && isPower ? 1 : 0));
}

QAbstractSpinBox::StepEnabled SoftSpinBox::stepEnabled() const {
    StepEnabled enabled = StepNone;
    if (isAutomatic() || value() < highest())
        enabled |= StepUpEnabled;
    if (!isAutomatic() && (m_hasAutomatic || value() > lowest()))
        enabled |= StepDownEnabled;
    return enabled;
}

void SoftSpinBox::wheelEvent(QWheelEvent* event) {
    if (hasFocus())
        QDoubleSpinBox::wheelEvent(event);
    else
        event->ignore();
}

} // namespace heteroscope::ui

#include "moc_soft_spin_box.cpp"
