// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of the target chooser.
#include "ui/build/target_chooser.h"

#include "ui/build/json_text.h"
#include "ui/build/soft_spin_box.h"
#include "ui/build/undo_routing.h"
#include "ui/common/format.h"
#include "ui/common/icons.h"
#include "ui/common/phrase_text.h"
#include "ui/common/theme.h"
#include "ui/common/widgets.h"

#include <QCheckBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>

#include <algorithm>

namespace heteroscope::ui {

namespace {

constexpr int kOptionsInARow = 2;
constexpr int kIndent = 26;
constexpr double kMostThreads = 1024;

std::string textOf(const Json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::string keyOf(const compute::Target& target) {
    return target.device + "/" + target.implementation;
}

QIcon swatch(const QString& target) {
    QPixmap pixmap(24, 24);
    pixmap.setDevicePixelRatio(2);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(Theme::targetColor(target));
    painter.drawRoundedRect(QRectF(1, 1, 10, 10), 3, 3);
    return pixmap;
}

} // namespace

TargetChooser::TargetChooser(Document& document, QWidget* parent)
    : FormSection(tr("Targets"), parent),
      m_document(document),
      m_rows(new QVBoxLayout),
      m_finding(new FindingLine) {
    m_rows->setSpacing(4);
    body()->addLayout(m_rows);
    body()->addWidget(m_finding);
    auto* implementations = new QPushButton(tr("Implementations\u2026"));
    implementations->setObjectName(QStringLiteral("showImplementations"));
    implementations->setToolTip(
        tr("What computes each operation on each target, and why not something else"));
    connect(implementations, &QPushButton::clicked, this, &TargetChooser::implementationsRequested);
    body()->addWidget(implementations, 0, Qt::AlignLeft);
    refresh();
}

void TargetChooser::setDevices(const Json& devices) {
    m_devices.clear();
    m_devicesKnown = true;
    const Json none = Json::array();
    const Json& list = devices.is_object() && devices.contains("devices") ? devices.at("devices") : none;
    for (const Json& device : list) {
        Device known{textOf(device, "id"), textOf(device, "name"), textOf(device, "reason"), {}};
        const Json& implementations =
            device.contains("implementations") ? device.at("implementations") : none;
        for (const Json& item : implementations) {
            Implementation implementation{
                known.id, textOf(item, "id"), textOf(item, "reason"), textOf(item, "summary"), {}};
            if (!known.reason.empty())
                implementation.reason = known.reason;
            if (item.contains("options") && item.at("options").is_array())
                for (const Json& option : item.at("options"))
                    if (option.is_string())
                        implementation.options.push_back(option.get<std::string>());
            known.implementations.push_back(std::move(implementation));
        }
        m_devices.push_back(std::move(known));
    }
    m_signature.clear();
    refresh();
}

std::vector<compute::Target> TargetChooser::targets() const {
    std::vector<compute::Target> all;
    const Json* list = valueAt(m_document.json(), "/targets");
    if (!list || !list->is_array())
        return all;
    for (const Json& item : *list)
        if (item.is_string())
            if (auto target = compute::parseTarget(item.get<std::string>()))
                all.push_back(std::move(*target));
    return all;
}

void TargetChooser::setTargets(const std::vector<compute::Target>& targets, const QString& label) {
    Json list = Json::array();
    for (const compute::Target& target : targets)
        list.push_back(target.text());
    for (const Malformed& entry : malformed()) // only their own button removes them
        list.push_back(entry.value);
    m_document.setValue(QStringLiteral("/targets"), list, label);
}

std::vector<TargetChooser::Malformed> TargetChooser::malformed() const {
    std::vector<Malformed> all;
    const Json* list = valueAt(m_document.json(), "/targets");
    for (std::size_t i = 0; list && list->is_array() && i < list->size(); ++i)
        if (const Json& item = (*list)[i];
            !item.is_string() || !compute::parseTarget(item.get<std::string>()))
            all.push_back({i, item});
    return all;
}

void TargetChooser::addMalformed(const Malformed& entry) {
    constexpr int kMostText = 60;
    auto* row = new QWidget(this);
    row->setProperty("row", true);
    auto* line = new QHBoxLayout(row);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(6);
    auto* mark = new QLabel;
    mark->setPixmap(
        icon(QStringLiteral("error"), IconTone::Error).pixmap(QSize(16, 16), devicePixelRatioF()));
    const QString text = formatJsonValue(entry.value);
    const QString shown = text.isEmpty() ? tr("(empty)") : text.left(kMostText);
    auto* name = makeLabel(tr("%1 is no target").arg(shown), "", row);
    name->setTextFormat(Qt::PlainText);
    name->setWordWrap(true);
    auto* drop = new QPushButton(tr("Remove"));
    drop->setObjectName(QStringLiteral("remove-malformed-%1").arg(entry.index));
    drop->setAccessibleName(tr("Remove %1 from the targets").arg(shown));
    line->addWidget(mark);
    line->addWidget(name, 1);
    line->addWidget(drop);
    m_rows->addWidget(row);
    connect(drop, &QPushButton::clicked, this, [this, index = entry.index] { removeMalformed(index); });
}

void TargetChooser::removeMalformed(std::size_t index) {
    const Json* list = valueAt(m_document.json(), "/targets");
    if (!list || !list->is_array() || index >= list->size())
        return;
    Json rest = *list;
    rest.erase(index);
    m_document.setValue(QStringLiteral("/targets"), rest,
                        tr("Remove target %1").arg(formatJsonValue((*list)[index])));
}

std::vector<TargetChooser::Device>
TargetChooser::shownDevices(const std::vector<compute::Target>& targets) const {
    std::vector<Device> shown = m_devices;
    for (const compute::Target& target : targets) {
        auto device =
            std::find_if(shown.begin(), shown.end(), [&](const Device& d) { return d.id == target.device; });
        if (device == shown.end())
            device = shown.insert(shown.end(), Device{target.device, {}, {}, {}});
        auto& list = device->implementations;
        const auto known = std::find_if(
            list.begin(), list.end(), [&](const Implementation& i) { return i.id == target.implementation; });
        if (known != list.end())
            continue;
        Implementation missing{target.device, target.implementation, {}, {}, {}};
        if (m_devicesKnown)
            missing.reason = tr("not on this computer").toStdString();
        for (const auto& option : target.options)
            missing.options.push_back(option.first);
        list.push_back(std::move(missing));
    }
    return shown;
}

std::string TargetChooser::signature(const std::vector<compute::Target>& targets) const {
    std::string text = m_devicesKnown ? "known;" : "unknown;";
    for (const compute::Target& target : targets)
        text += keyOf(target) + ";";
    for (const Malformed& entry : malformed())
        text +=
            std::to_string(entry.index) + entry.value.dump(-1, ' ', false, Json::error_handler_t::replace);
    return text;
}

void TargetChooser::refresh() {
    const auto present = targets();
    const std::string wanted = signature(present);
    if (wanted != m_signature) {
        const QString focused = focusWidget() ? focusWidget()->objectName() : QString();
        m_signature = wanted;
        rebuild(present);
        if (auto* again = focused.isEmpty() ? nullptr : findChild<QWidget*>(focused))
            again->setFocus();
    }
    for (std::size_t i = 0; i < present.size(); ++i)
        for (QWidget* editor : findChildren<QWidget*>()) {
            if (editor->property("variant").toInt() != static_cast<int>(i) ||
                !editor->property("option").isValid())
                continue;
            const QSignalBlocker blocker(editor);
            const auto found = present[i].options.find(editor->property("option").toString().toStdString());
            const QString text = found == present[i].options.end() ? QString() : fromStd(found->second);
            if (auto* spin = qobject_cast<SoftSpinBox*>(editor)) {
                if (text.isEmpty())
                    spin->setAutomatic();
                else
                    spin->setValue(text.toDouble());
            } else if (auto* edit = qobject_cast<QLineEdit*>(editor); edit && edit->text() != text)
                edit->setText(text);
        }
}

void TargetChooser::rebuild(const std::vector<compute::Target>& targets) {
    for (QWidget* old : findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly))
        if (old->property("row").toBool()) {
            old->setObjectName({});
            for (QWidget* child : old->findChildren<QWidget*>()) {
                child->setObjectName({});
                child->setProperty("option", {});
            }
            m_rows->removeWidget(old);
            old->hide();
            old->deleteLater();
        }
    for (const Malformed& entry : malformed())
        addMalformed(entry);
    const auto devices = shownDevices(targets);
    if (!m_devicesKnown) {
        auto* busy = makeLabel(tr("Looking for devices…"), "muted", this);
        busy->setProperty("row", true);
        m_rows->addWidget(busy);
    }
    for (const Device& device : devices)
        addDevice(device, targets);
}

void TargetChooser::addDevice(const Device& device, const std::vector<compute::Target>& targets) {
    const QString name = device.name.empty()
                             ? fromStd(device.id)
                             : QStringLiteral("%1 · %2").arg(fromStd(device.id), fromStd(device.name));
    auto* heading = makeLabel(name, "muted", this);
    heading->setProperty("row", true);
    heading->setWordWrap(true);
    m_rows->addWidget(heading);
    for (const Implementation& implementation : device.implementations)
        addImplementation(implementation, targets);
}

void TargetChooser::addImplementation(const Implementation& implementation,
                                      const std::vector<compute::Target>& targets) {
    const QString name = fromStd(implementation.device + "/" + implementation.id);
    std::vector<std::size_t> variants;
    for (std::size_t i = 0; i < targets.size(); ++i)
        if (keyOf(targets[i]) == name.toStdString())
            variants.push_back(i);
    auto* box = new QCheckBox(name, this);
    box->setProperty("row", true);
    box->setObjectName(QStringLiteral("target-") + name);
    box->setIcon(swatch(name));
    box->setChecked(!variants.empty());
    box->setEnabled(implementation.reason.empty() || !variants.empty());
    box->setToolTip(implementation.reason.empty() ? fromStd(implementation.summary)
                                                  : recordedText(implementation.reason));
    box->setAccessibleDescription(box->toolTip());
    connect(box, &QCheckBox::clicked, this, [this, implementation](bool on) { toggle(implementation, on); });
    m_rows->addWidget(box);
    if (!implementation.reason.empty()) {
        auto* reason = makeLabel(recordedText(implementation.reason), "muted", this);
        reason->setProperty("row", true);
        reason->setWordWrap(true);
        reason->setContentsMargins(kIndent, 0, 0, 2);
        m_rows->addWidget(reason);
    }
    for (const std::size_t index : variants)
        if (!implementation.options.empty())
            addVariant(implementation, index, variants.size() > 1);
}

void TargetChooser::addVariant(const Implementation& implementation, std::size_t index, bool removable) {
    auto* row = new QWidget(this);
    row->setProperty("row", true);
    auto* line = new QHBoxLayout(row);
    line->setContentsMargins(kIndent, 0, 0, 0);
    line->setSpacing(6);
    auto* grid = new QGridLayout;
    grid->setSpacing(6);
    int place = 0;
    for (const std::string& option : implementation.options) {
        const int gridRow = place / kOptionsInARow, column = 2 * (place % kOptionsInARow);
        grid->addWidget(makeLabel(fromStd(option), "muted"), gridRow, column);
        grid->addWidget(makeOption(option, index), gridRow, column + 1);
        grid->setColumnStretch(column + 1, 1);
        ++place;
    }
    line->addLayout(grid, 1);
    const bool hasThreads = std::find(implementation.options.begin(), implementation.options.end(),
                                      "threads") != implementation.options.end();
    auto* add = new QToolButton;
    add->setText(QStringLiteral("+"));
    add->setObjectName(QStringLiteral("add-variant-%1").arg(index));
    add->setToolTip(tr("Run it once more with other options"));
    add->setAccessibleName(tr("Add a variant of %1").arg(fromStd(implementation.id)));
    connect(add, &QToolButton::clicked, this, [this, index, hasThreads] { duplicate(index, hasThreads); });
    line->addWidget(add);
    auto* drop = new QToolButton;
    drop->setIcon(icon(QStringLiteral("close")));
    drop->setToolTip(tr("Remove this variant"));
    drop->setAccessibleName(tr("Remove variant %1").arg(index + 1));
    connect(drop, &QToolButton::clicked, this, [this, index] { remove(index); });
    line->addWidget(drop);
    m_rows->addWidget(row);
    drop->setVisible(removable);
    routeUndo(row, m_document.undoStack());
}

QWidget* TargetChooser::makeOption(const std::string& option, std::size_t index) {
    QWidget* editor = nullptr;
    if (option == "threads") {
        auto* spin = new SoftSpinBox(true, 1.0, kMostThreads, tr("all"));
        spin->setAutomatic();
        connect(spin, &QDoubleSpinBox::valueChanged, this, [this, spin, option, index] {
            setOption(index, option, spin->isAutomatic() ? std::string() : spin->cleanText().toStdString());
        });
        editor = spin;
    } else {
        auto* edit = new QLineEdit;
        edit->setPlaceholderText(tr("default"));
        connect(edit, &QLineEdit::textEdited, this,
                [this, option, index](const QString& text) { setOption(index, option, text.toStdString()); });
        editor = edit;
    }
    editor->setObjectName(QStringLiteral("%1-%2").arg(fromStd(option)).arg(index));
    editor->setProperty("option", fromStd(option));
    editor->setProperty("variant", static_cast<int>(index));
    editor->setAccessibleName(tr("%1 of target %2").arg(fromStd(option)).arg(index + 1));
    return editor;
}

void TargetChooser::toggle(const Implementation& implementation, bool on) {
    auto all = targets();
    const std::string key = implementation.device + "/" + implementation.id;
    if (on)
        all.push_back({implementation.device, implementation.id, {}});
    else
        std::erase_if(all, [&](const compute::Target& target) { return keyOf(target) == key; });
    setTargets(all, on ? tr("Add target %1").arg(fromStd(key)) : tr("Remove target %1").arg(fromStd(key)));
}

void TargetChooser::setOption(std::size_t index, const std::string& option, const std::string& value) {
    auto all = targets();
    if (index >= all.size())
        return;
    if (value.empty())
        all[index].options.erase(option);
    else
        all[index].options[option] = value;
    setTargets(all, tr("Set %1 of %2 to %3")
                        .arg(fromStd(option), fromStd(keyOf(all[index])),
                             value.empty() ? tr("default") : fromStd(value)));
}

void TargetChooser::duplicate(std::size_t index, bool hasThreads) {
    auto all = targets();
    if (index >= all.size())
        return;
    compute::Target copy = all[index];
    if (hasThreads) {
        const auto threads = copy.options.find("threads");
        const int present = threads == copy.options.end() ? 0 : fromStd(threads->second).toInt();
        copy.options["threads"] = std::to_string(present <= 0 ? 1 : present * 2);
    }
    all.insert(all.begin() + static_cast<std::ptrdiff_t>(index) + 1, copy);
    setTargets(all, tr("Add variant %1").arg(fromStd(copy.text())));
}

void TargetChooser::remove(std::size_t index) {
    auto all = targets();
    if (index >= all.size())
        return;
    const QString name = fromStd(all[index].text());
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(index));
    setTargets(all, tr("Remove variant %1").arg(name));
}

void TargetChooser::showFindings(const Findings& findings) {
    m_finding->showFindings(findings);
}

void TargetChooser::focusOn(const QString& pointer) {
    if (auto* remove =
            findChild<QPushButton*>(QStringLiteral("remove-malformed-") + pointer.section('/', 2, 2))) {
        remove->setFocus(Qt::ShortcutFocusReason);
        return;
    }
    const auto boxes = findChildren<QCheckBox*>();
    const auto usable =
        std::find_if(boxes.begin(), boxes.end(), [](QCheckBox* box) { return box->isEnabled(); });
    if (usable != boxes.end())
        (*usable)->setFocus(Qt::ShortcutFocusReason);
}

} // namespace heteroscope::ui

#include "moc_target_chooser.cpp"
