// SPDX-License-Identifier: GPL-3.0-or-later
// Number, choice, switch and text editors.
#include "ui/build/value_editors.h"

#include "ui/build/extent_editors.h"
#include "ui/build/shape_editor.h"
#include "ui/build/soft_spin_box.h"
#include "ui/common/format.h"
#include "ui/common/quiet_combo_box.h"

#include <QCheckBox>
#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLineEdit>

#include <cmath>

namespace heteroscope::ui {

namespace {

QHBoxLayout* tightRow(QWidget* widget) {
    auto* row = new QHBoxLayout(widget);
    row->setContentsMargins(0, 0, 0, 0);
    return row;
}

class NumberEditor : public ValueEditor {
  public:
    NumberEditor(const compute::Parameter& parameter, QWidget* parent)
        : ValueEditor(parent), m_whole(parameter.type == compute::ParameterType::Integer) {
        const bool optional = parameter.defaultValue.is_null() && !parameter.required;
        m_spin = new SoftSpinBox(m_whole, parameter.min, parameter.max,
                                 optional ? QCoreApplication::translate("Form", "automatic") : QString());
        if (!parameter.unit.empty())
            m_spin->setToolTip(QCoreApplication::translate("Parameter", parameter.unit.c_str()));
        tightRow(this)->addWidget(m_spin);
        connect(m_spin, &QDoubleSpinBox::valueChanged, this, [this] { emit edited(value()); });
    }

    Json value() const override {
        if (m_spin->isAutomatic())
            return nullptr;
        if (m_whole)
            return static_cast<std::int64_t>(std::llround(m_spin->value()));
        return m_spin->value();
    }
    void setValue(const Json& value) override {
        const QSignalBlocker blocker(m_spin);
        if (value.is_number())
            m_spin->setValue(value.get<double>());
        else if (value.is_null())
            m_spin->setAutomatic();
    }
    QWidget* focusTarget() const override { return m_spin; }

  private:
    SoftSpinBox* m_spin;
    bool m_whole;
};

class ChoiceEditor : public ValueEditor {
  public:
    ChoiceEditor(const compute::Parameter& parameter, QWidget* parent) : ValueEditor(parent) {
        m_combo = new QuietComboBox;
        m_combo->setFocusPolicy(Qt::StrongFocus);
        m_combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        m_combo->setMinimumContentsLength(10);
        for (const std::string& choice : parameter.choices)
            m_combo->addItem(choiceLabel(parameter.key, choice), QString::fromStdString(choice));
        tightRow(this)->addWidget(m_combo);
        connect(m_combo, &QComboBox::currentIndexChanged, this, [this] { emit edited(value()); });
    }
    Json value() const override { return m_combo->currentData().toString().toStdString(); }
    void setValue(const Json& value) override {
        const QSignalBlocker blocker(m_combo);
        m_combo->setCurrentIndex(
            value.is_string() ? m_combo->findData(QString::fromStdString(value.get<std::string>())) : -1);
    }
    QWidget* focusTarget() const override { return m_combo; }

  private:
    QComboBox* m_combo;
};

class SwitchEditor : public ValueEditor {
  public:
    SwitchEditor(const compute::Parameter& parameter, QWidget* parent) : ValueEditor(parent) {
        m_box = new QCheckBox(QCoreApplication::translate("Parameter", parameter.label.c_str()));
        tightRow(this)->addWidget(m_box);
        connect(m_box, &QCheckBox::toggled, this, [this] { emit edited(value()); });
    }
    Json value() const override { return m_box->isChecked(); }
    void setValue(const Json& value) override {
        const QSignalBlocker blocker(m_box);
        m_box->setChecked(value.is_boolean() && value.get<bool>());
    }
    QWidget* focusTarget() const override { return m_box; }

  private:
    QCheckBox* m_box;
};

class TextEditor : public ValueEditor {
  public:
    explicit TextEditor(QWidget* parent) : ValueEditor(parent), m_edit(new QLineEdit) {
        tightRow(this)->addWidget(m_edit);
        connect(m_edit, &QLineEdit::textEdited, this, [this] { emit edited(value()); });
    }
    Json value() const override { return m_edit->text().toStdString(); }
    void setValue(const Json& value) override {
        const QString text = value.is_string() ? QString::fromStdString(value.get<std::string>()) : QString();
        if (text != m_edit->text())
            m_edit->setText(text);
    }
    QWidget* focusTarget() const override { return m_edit; }

  private:
    QLineEdit* m_edit;
};

} // namespace

void ValueEditor::setNames(const QString& accessibleName, const QString& toolTip) {
    focusTarget()->setAccessibleName(accessibleName);
    focusTarget()->setToolTip(toolTip);
}

ValueEditor* makeValueEditor(const compute::Parameter& parameter, QWidget* parent) {
    switch (parameter.type) {
    case compute::ParameterType::Integer:
    case compute::ParameterType::Number:
        return new NumberEditor(parameter, parent);
    case compute::ParameterType::Boolean:
        return new SwitchEditor(parameter, parent);
    case compute::ParameterType::Choice:
        return new ChoiceEditor(parameter, parent);
    case compute::ParameterType::Text:
    case compute::ParameterType::File:
    case compute::ParameterType::Folder:
        return new TextEditor(parent);
    case compute::ParameterType::Extent:
        return new ExtentEditor(parameter, ExtentEditor::Shape::Extent, parent);
    case compute::ParameterType::Padding:
        return new ExtentEditor(parameter, ExtentEditor::Shape::Padding, parent);
    case compute::ParameterType::Shape:
        return new ShapeEditor(parameter, parent);
    case compute::ParameterType::Matrix:
    case compute::ParameterType::Layers:
    case compute::ParameterType::Numbers:
    case compute::ParameterType::Transforms:
        break;
    }
    return nullptr;
}

QString choiceLabel(const std::string& key, const std::string& choice) {
    const auto tr = [](const char* text) { return QCoreApplication::translate("Form", text); };
    static const std::vector<std::pair<std::string, const char*>> kLabels = {
        {"mode/max", QT_TRANSLATE_NOOP("Form", "Maximum")},
        {"mode/average", QT_TRANSLATE_NOOP("Form", "Average")},
        {"paddingValue/-inf", QT_TRANSLATE_NOOP("Form", "Minus infinity (never wins)")},
        {"paddingValue/zero", QT_TRANSLATE_NOOP("Form", "Zero")},
        {"strategy/image", QT_TRANSLATE_NOOP("Form", "Whole image at once")},
        {"strategy/window", QT_TRANSLATE_NOOP("Form", "Window by window (slow on purpose)")},
        {"color/rgb", QT_TRANSLATE_NOOP("Form", "Red, green, blue")},
        {"right/random", QT_TRANSLATE_NOOP("Form", "Random matrix")},
        {"right/identity", QT_TRANSLATE_NOOP("Form", "Identity matrix")},
        {"task/train", QT_TRANSLATE_NOOP("Form", "Train")},
        {"task/infer", QT_TRANSLATE_NOOP("Form", "Infer (forward only)")},
        {"type/sgd", QT_TRANSLATE_NOOP("Form", "Stochastic gradient descent")},
        {"type/adam", QT_TRANSLATE_NOOP("Form", "Adam")},
        {"loss/softmax_cross_entropy", QT_TRANSLATE_NOOP("Form", "Classes (cross-entropy)")},
        {"loss/binary_cross_entropy", QT_TRANSLATE_NOOP("Form", "Yes or no (cross-entropy)")},
        {"loss/mean_squared_error", QT_TRANSLATE_NOOP("Form", "Numbers (squared error)")},
        {"initialization/constant", QT_TRANSLATE_NOOP("Form", "Constant")},
        {"initialization/he_normal", QT_TRANSLATE_NOOP("Form", "He, normal")},
        {"initialization/he_uniform", QT_TRANSLATE_NOOP("Form", "He, uniform")},
        {"initialization/xavier_normal", QT_TRANSLATE_NOOP("Form", "Xavier, normal")},
        {"initialization/xavier_uniform", QT_TRANSLATE_NOOP("Form", "Xavier, uniform")},
        {"preset/quick", QT_TRANSLATE_NOOP("Form", "Quick (5 samples, first look)")},
        {"preset/standard", QT_TRANSLATE_NOOP("Form", "Standard (3 processes, median to 1 %)")},
        {"preset/thesis", QT_TRANSLATE_NOOP("Form", "Thesis (3 processes, 30 samples)")},
    };
    for (const auto& [name, label] : kLabels)
        if (name == key + "/" + choice)
            return tr(label);
    QString text = QString::fromStdString(choice).replace(QLatin1Char('_'), QLatin1Char(' '));
    if (!text.isEmpty())
        text[0] = text[0].toUpper();
    return tr(text.toUtf8().constData());
}

QString valueText(const Json& value) {
    if (value.is_string())
        return QString::fromStdString(value.get<std::string>());
    if (value.is_array() && !value.empty() && value.size() <= 4 && value[0].is_number()) {
        QStringList parts;
        for (const Json& item : value)
            parts << valueText(item);
        return parts.join(value.size() == 2 ? QStringLiteral(" × ") : QStringLiteral(", "));
    }
    return formatJsonValue(value);
}

} // namespace heteroscope::ui

#include "moc_value_editors.cpp"
