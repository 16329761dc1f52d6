// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/main_window/gpu_status.h"

#include "profiling/analysis/recorded_phrase.h"
#include "ui/common/format.h"
#include "ui/common/phrase_text.h"
#include "ui/common/transfer_text.h"
#include "ui/common/widgets.h"

#include <QStringList>

#include <algorithm>

namespace heteroscope::ui {

namespace {

QString memoryText(const DeviceNow& device) {
    const QString used = byteText(*device.memoryBytes);
    return device.memoryTotalBytes ? GpuStatus::tr("%1 of %2").arg(used, byteText(*device.memoryTotalBytes))
                                   : used;
}

bool heldBack(const DeviceNow& device) {
    if (device.heldBackNow.value_or(0) > 0)
        return true;
    return !device.heldBackBy.empty() && device.timeNs - device.heldBackEndNs < GpuStatus::kHoldShownNs;
}

/// "GPU 87 %, 12.3 GiB of 139.8 GiB"; names the device when there are several.
QString shortText(const DeviceNow& device, bool several) {
    QStringList parts;
    const QString name = several ? fromStd(device.device) : GpuStatus::tr("GPU");
    parts << (device.busyPercent ? GpuStatus::tr("%1 %2 %").arg(name).arg(*device.busyPercent, 0, 'f', 0)
                                 : name);
    if (device.memoryBytes)
        parts << memoryText(device);
    if (heldBack(device))
        parts << GpuStatus::tr("held back");
    return parts.join(QStringLiteral(", "));
}

/// All that is known, a line each.
QString longText(const DeviceNow& device) {
    QStringList lines{fromStd(device.device)};
    const auto add = [&](const QString& text, const std::optional<double>& value) {
        if (value)
            lines << text.arg(*value, 0, 'f', 0);
    };
    add(GpuStatus::tr("a kernel runs %1 % of the time"), device.busyPercent);
    if (device.memoryBytes)
        lines << GpuStatus::tr("memory in use: %1").arg(memoryText(device));
    add(GpuStatus::tr("power: %1 W"), device.powerW);
    add(GpuStatus::tr("temperature: %1 °C"), device.temperatureC);
    add(GpuStatus::tr("clock: %1 MHz"), device.clockMhz);
    if (device.heldBackNow.value_or(0) > 0)
        lines << GpuStatus::tr("the clocks are held back now; the timeline says why when it ends");
    if (!device.heldBackBy.empty())
        lines << GpuStatus::tr("clocks held back for %1 so far, last by: %2")
                     .arg(spanTimeText(device.heldBackNs),
                          phraseText(profiling::clockReasonsPhrase(device.heldBackBy)));
    return lines.join(QLatin1Char('\n'));
}

} // namespace

GpuStatus::GpuStatus(QWidget* parent) : QLabel(parent) {
    setObjectName(QStringLiteral("statusGpu"));
    setRole(this, "badge");
    m_timer.setInterval(kIntervalMs);
    connect(&m_timer, &QTimer::timeout, this, &GpuStatus::showNow);
    hide();
}

void GpuStatus::setSession(std::shared_ptr<StudySession> session) {
    if (m_session)
        m_session->disconnect(this);
    m_session = std::move(session);
    if (m_session)
        connect(m_session.get(), &StudySession::stateChanged, this, &GpuStatus::follow);
    follow();
}

/// Values of a run that has ended say nothing of the device now: its timeline keeps them.
void GpuStatus::follow() {
    m_watch.setTrace(m_session ? m_session->trace() : nullptr); // each study has its own
    m_newsNs = 0;
    m_sinceNews.start();
    if (m_session && m_session->state() == StudySession::State::Live) {
        m_timer.start();
        showNow();
    } else {
        m_timer.stop();
        hide();
    }
}

void GpuStatus::showNow() {
    const std::vector<DeviceNow> devices = m_watch.now(m_session->study());
    setVisible(!devices.empty());
    if (devices.empty())
        return;
    std::int64_t latestNs = devices.front().timeNs;
    for (const DeviceNow& device : devices)
        latestNs = std::max(latestNs, device.timeNs);
    if (latestNs != m_newsNs) {
        m_newsNs = latestNs;
        m_sinceNews.restart();
    }
    describe(devices, m_sinceNews.elapsed() > kStaleMs);
}

void GpuStatus::describe(const std::vector<DeviceNow>& devices, bool stale) {
    const auto busiest =
        std::max_element(devices.begin(), devices.end(), [](const DeviceNow& a, const DeviceNow& b) {
            return a.busyPercent.value_or(-1) < b.busyPercent.value_or(-1);
        });
    setText(shortText(*busiest, devices.size() > 1));
    QStringList paragraphs;
    for (const DeviceNow& device : devices)
        paragraphs << longText(device);
    if (stale)
        paragraphs
            << tr("The last values: no new ones came for %1 s. Devices are watched in the part of a run "
                  "that is recorded.")
                   .arg(m_sinceNews.elapsed() / 1000);
    setToolTip(paragraphs.join(QStringLiteral("\n\n")));
    setAccessibleDescription(toolTip());
    const bool slowed = std::any_of(devices.begin(), devices.end(), heldBack);
    const QString tone = stale ? QString() : slowed ? QStringLiteral("warning") : QStringLiteral("good");
    if (property("tone") != tone) {
        setProperty("tone", tone);
        restyle(this);
    }
    setMinimumWidth(std::max(minimumWidth(), sizeHint().width())); // the others stay where they are
}

} // namespace heteroscope::ui

#include "moc_gpu_status.cpp"
