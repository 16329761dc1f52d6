// SPDX-License-Identifier: GPL-3.0-or-later
// Labels, messages and cures of one parameter.
#include "ui/build/form_field.h"

#include "compute/experiment/spec/effect.h"
#include "ui/build/axis_syntax.h"
#include "ui/build/json_text.h"
#include "ui/build/undo_routing.h"
#include "ui/common/format.h"
#include "ui/common/icons.h"
#include "ui/common/theme.h"
#include "ui/common/widgets.h"

#include <QCoreApplication>
#include <QGridLayout>
#include <QHBoxLayout>

#include <algorithm>

namespace heteroscope::ui {

namespace {

QString findingText(const compute::Diagnostic& finding) {
    QString text = QString::fromStdString(finding.message);
    if (!text.isEmpty())
        text[0] = text[0].toUpper();
    if (!finding.allowed.empty())
        text +=
            QCoreApplication::translate("Form", ". Allowed: %1").arg(QString::fromStdString(finding.allowed));
    if (!finding.advice.empty()) {
        QString advice = QString::fromStdString(finding.advice);
        advice[0] = advice[0].toUpper();
        text += QStringLiteral(". ") + advice;
    }
    return text;
}

/// Nearest allowed number; nothing when the value is fine or no number.
std::optional<Json> clamped(const compute::Parameter& parameter, const Json& value) {
    if (value.is_array()) {
        Json list = Json::array();
        bool changed = false;
        for (const Json& item : value) {
            const auto inside = clamped(parameter, item);
            changed = changed || inside.has_value();
            list.push_back(inside.value_or(item));
        }
        return changed ? std::optional<Json>(list) : std::nullopt;
    }
    if (!value.is_number())
        return std::nullopt;
    const double number = value.get<double>();
    const double inside = std::clamp(number, parameter.min.value_or(number), parameter.max.value_or(number));
    if (inside == number)
        return std::nullopt;
    if (parameter.type == compute::ParameterType::Number)
        return inside;
    return static_cast<std::int64_t>(inside);
}

bool isActiveParameter(const Json& document, const compute::Parameter& parameter) {
    const Json* kind = valueAt(document, "/kind");
    return !compute::inactiveBecause(kind && kind->is_string() ? kind->get<std::string>() : "", document,
                                     parameter, compute::axisValuesOf(document));
}

} // namespace

FindingLine::FindingLine(QWidget* parent)
    : QWidget(parent), m_icon(new QLabel), m_text(new QLabel), m_fix(new QPushButton) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 2);
    row->setSpacing(6);
    m_icon->setAlignment(Qt::AlignTop);
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setMinimumWidth(1); // a long word must not widen the form
    m_fix->setProperty("role", "link");
    row->addWidget(m_icon, 0, Qt::AlignTop);
    row->addWidget(m_text, 1);
    row->addWidget(m_fix, 0, Qt::AlignTop);
    connect(m_fix, &QPushButton::clicked, this, &FindingLine::fixRequested);
    hide();
}

void FindingLine::showFindings(const Findings& findings) {
    setVisible(!findings.empty());
    m_fix->hide();
    if (findings.empty()) {
        m_text->clear();
        return;
    }
    const auto worst = std::min_element(findings.begin(), findings.end(), [](const auto& a, const auto& b) {
        return static_cast<int>(a.severity) < static_cast<int>(b.severity);
    });
    const bool isError = worst->severity == compute::Diagnostic::Severity::Error;
    const ThemeColors& colors = Theme::instance().colors();
    m_icon->setPixmap(icon(isError ? QStringLiteral("error") : QStringLiteral("warning"),
                           isError ? IconTone::Error : IconTone::Warning)
                          .pixmap(16, 16));
    QPalette tinted = palette();
    tinted.setColor(QPalette::WindowText, isError ? colors.error : colors.warning);
    m_text->setPalette(tinted);
    m_text->setText(findingText(*worst));
}

void FindingLine::offerFix(const QString& text) {
    m_fix->setVisible(!text.isEmpty());
    m_fix->setText(text);
}

QString FindingLine::text() const {
    return m_text->text();
}

FormField::FormField(Document& document, const QString& pointer, const compute::Parameter& parameter,
                     ValueEditor* editor, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_pointer(pointer),
      m_parameter(parameter),
      m_editor(editor),
      m_swept(makeLabel({}, "muted")),
      m_finding(new FindingLine) {
    setObjectName(pointer);
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(Theme::kSpacing);
    grid->setVerticalSpacing(2);
    grid->setColumnMinimumWidth(0, kLabelWidth);
    grid->setColumnStretch(1, 1);
    if (parameter.type != compute::ParameterType::Boolean) {
        auto* caption = new QLabel(label());
        caption->setBuddy(editor->focusTarget());
        caption->setToolTip(hint().text);
        caption->setFixedWidth(kLabelWidth); // so that all fields begin at the same place
        caption->setWordWrap(true);
        grid->addWidget(caption, 0, 0, Qt::AlignTop | Qt::AlignLeft);
        whenStyled(editor->focusTarget(), [caption, field = editor->focusTarget()] {
            caption->setMinimumHeight(field->sizeHint().height());
        });
    }
    grid->addWidget(editor, 0, 1);
    m_swept->setWordWrap(true);
    m_swept->hide();
    grid->addWidget(m_swept, 1, 1);
    grid->addWidget(m_finding, 2, 0, 1, 2);
    editor->setNames(label(), hint().text);
    routeUndo(editor, document.undoStack());
    connect(editor, &ValueEditor::edited, this, &FormField::commit);
    connect(m_finding, &FindingLine::fixRequested, this, [this] {
        if (m_fix)
            commit(*m_fix);
    });
}

QString FormField::label() const {
    return QCoreApplication::translate("Parameter", m_parameter.label.c_str());
}

Hint FormField::hint() const {
    QString range;
    if (m_parameter.min && m_parameter.max)
        range = tr("%1 to %2").arg(numberText(*m_parameter.min), numberText(*m_parameter.max));
    else if (m_parameter.min)
        range = tr("%1 or more").arg(numberText(*m_parameter.min));
    if (!m_parameter.unit.empty())
        range += QStringLiteral(" ") + QCoreApplication::translate("Parameter", m_parameter.unit.c_str());
    return {label(), range, QCoreApplication::translate("Parameter", m_parameter.help.c_str())};
}

void FormField::refresh() {
    const Json* present = valueAt(m_document.json(), m_pointer.toStdString());
    const Json& shown = present ? *present : m_parameter.defaultValue;
    if (m_editor->value() != shown)
        m_editor->setValue(shown);
    setVisible(isActive());
    const QString sweep = sweepPreview();
    m_swept->setText(tr("Sweep: %1").arg(sweep));
    m_swept->setVisible(!sweep.isEmpty());
}

QString FormField::sweepPreview() const {
    const Json* axes = valueAt(m_document.json(), "/axes");
    if (!axes || !axes->is_object())
        return {};
    for (const auto& axis : axes->items())
        if (QString::fromStdString(axis.key()).split(QLatin1Char(',')).contains(m_pointer) &&
            axis.value().is_array())
            return axisPreview({axis.value().begin(), axis.value().end()});
    return {};
}

bool FormField::isActive() const {
    return isActiveParameter(m_document.json(), m_parameter);
}

void FormField::commit(const Json& value) {
    const QString name = label();
    if (value.is_null())
        m_document.removeValue(m_pointer, tr("Clear %1").arg(name));
    else if (value.is_boolean())
        m_document.setValue(m_pointer, value,
                            value.get<bool>() ? tr("Turn on %1").arg(name) : tr("Turn off %1").arg(name));
    else if (m_parameter.type == compute::ParameterType::Choice)
        m_document.setValue(
            m_pointer, value,
            tr("Set %1 to %2").arg(name, choiceLabel(m_parameter.key, value.get<std::string>())));
    else
        m_document.setValue(m_pointer, value, tr("Set %1 to %2").arg(name, valueText(value)));
}

std::optional<Json> FormField::fixFor(const Findings& findings) const {
    const bool isWrong = std::any_of(findings.begin(), findings.end(), [](const auto& finding) {
        return finding.severity == compute::Diagnostic::Severity::Error;
    });
    const Json* present = valueAt(m_document.json(), m_pointer.toStdString());
    if (!isWrong || !present)
        return std::nullopt;
    if (const auto inside = clamped(m_parameter, *present))
        return inside;
    const Json* kernel = valueAt(m_document.json(), "/pooling/kernel");
    if (m_pointer == QStringLiteral("/pooling/padding") && present->is_number_integer() && kernel &&
        kernel->is_number_integer() && *present >= *kernel && kernel->get<std::int64_t>() > 0)
        return kernel->get<std::int64_t>() - 1;
    return std::nullopt;
}

void FormField::showFindings(const Findings& findings) {
    m_finding->showFindings(findings);
    m_fix = fixFor(findings);
    m_finding->offerFix(m_fix ? tr("Use %1").arg(valueText(*m_fix)) : QString());
}

void FormField::focusOn(const QString&) {
    m_editor->focusTarget()->setFocus(Qt::ShortcutFocusReason);
}

} // namespace heteroscope::ui

#include "moc_form_field.cpp"
