// SPDX-License-Identifier: GPL-3.0-or-later
// Which devices and implementations run the experiment, each perhaps several times with other options. What a
// machine cannot do is greyed and says why. GUI thread.
#pragma once

#include "compute/core/target.h"
#include "ui/build/form_field.h"
#include "ui/build/form_section.h"

#include <QVBoxLayout>

#include <vector>

namespace heteroscope::ui {

class TargetChooser : public FormSection, public FormItem {
    Q_OBJECT
  public:
    explicit TargetChooser(Document& document, QWidget* parent = nullptr);

    void setDevices(const Json& devices);
    void refresh();

    QString pointer() const override { return QStringLiteral("/targets"); }
    void showFindings(const Findings& findings) override;
    void focusOn(const QString& pointer) override;
    QString message() const { return m_finding->text(); }

  signals:
    void implementationsRequested(); ///< what computes each operation

  private:
    struct Implementation {
        std::string device, id, reason, summary;
        std::vector<std::string> options;
    };
    struct Device {
        std::string id, name, reason;
        std::vector<Implementation> implementations;
    };

    /// An entry of the list that is no target: its place in the list and what stands there.
    struct Malformed {
        std::size_t index;
        Json value;
    };

    std::vector<compute::Target> targets() const;
    std::vector<Malformed> malformed() const;
    void addMalformed(const Malformed& entry);
    void removeMalformed(std::size_t index);
    void setTargets(const std::vector<compute::Target>& targets, const QString& label);
    std::vector<Device> shownDevices(const std::vector<compute::Target>& targets) const;
    std::string signature(const std::vector<compute::Target>& targets) const;
    void rebuild(const std::vector<compute::Target>& targets);
    void addDevice(const Device& device, const std::vector<compute::Target>& targets);
    void addImplementation(const Implementation& implementation, const std::vector<compute::Target>& targets);
    void addVariant(const Implementation& implementation, std::size_t index, bool removable);
    QWidget* makeOption(const std::string& option, std::size_t index);
    void toggle(const Implementation& implementation, bool on);
    void setOption(std::size_t index, const std::string& option, const std::string& value);
    void duplicate(std::size_t index, bool hasThreads);
    void remove(std::size_t index);

    Document& m_document;
    std::vector<Device> m_devices;
    bool m_devicesKnown = false;
    std::string m_signature;
    QVBoxLayout* m_rows;
    FindingLine* m_finding;
};

} // namespace heteroscope::ui
