// SPDX-License-Identifier: GPL-3.0-or-later
// The status bar's widgets.
#include "ui/main_window/status_widgets.h"

#include "compute/base/units.h"
#include "ui/common/format.h"
#include "ui/common/icons.h"
#include "ui/common/widgets.h"

#include <QFile>
#include <QHBoxLayout>
#include <QPushButton>

#include <optional>

namespace heteroscope::ui {

namespace {

constexpr int kMemoryPeriodMs = 2000;

struct Memory {
    double totalBytes = 0, availableBytes = 0;
};

std::optional<Memory> systemMemory() {
    QFile file(QStringLiteral("/proc/meminfo"));
    if (!file.open(QIODevice::ReadOnly))
        return std::nullopt;
    Memory memory;
    for (const QByteArray& line : file.readAll().split('\n')) {
        const double bytes = line.simplified().split(' ').value(1).toDouble() * 1024;
        if (line.startsWith("MemTotal:"))
            memory.totalBytes = bytes;
        if (line.startsWith("MemAvailable:"))
            memory.availableBytes = bytes;
    }
    return memory.totalBytes > 0 ? std::optional(memory) : std::nullopt;
}

QPushButton* makeBadge(QWidget* parent) {
    auto* button = new QPushButton(parent);
    setRole(button, "flat");
    button->setFlat(true);
    return button;
}

} // namespace

StatusWidgets::StatusWidgets(QWidget* parent)
    : QWidget(parent),
      m_problems(makeBadge(this)),
      m_quality(makeBadge(this)),
      m_worker(makeLabel({}, "badge", this)),
      m_gpu(new GpuStatus(this)),
      m_memory(makeLabel({}, "muted", this)) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 8, 0);
    row->setSpacing(12);
    m_problems->setObjectName(QStringLiteral("statusProblems"));
    m_quality->setObjectName(QStringLiteral("statusQuality"));
    m_memory->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_memory->setToolTip(tr("Memory of this machine in use"));
    for (QWidget* widget : std::initializer_list<QWidget*>{m_problems, m_quality, m_worker, m_gpu, m_memory})
        row->addWidget(widget);
    connect(m_problems, &QPushButton::clicked, this, &StatusWidgets::problemsClicked);
    connect(m_quality, &QPushButton::clicked, this, &StatusWidgets::qualityClicked);
    m_timer.setInterval(kMemoryPeriodMs);
    connect(&m_timer, &QTimer::timeout, this, &StatusWidgets::showMemory);
    m_timer.start();
    showMemory();
    setProblems(0, 0);
    setQuality({}, false, {}, {});
}

void StatusWidgets::showMemory() {
    const auto memory = systemMemory();
    m_memory->setVisible(memory.has_value());
    if (!memory)
        return;
    const QString text = tr("Memory %1 of %2");
    const QString total = fromStd(formatBytes(memory->totalBytes));
    m_memory->setText(text.arg(fromStd(formatBytes(memory->totalBytes - memory->availableBytes)), total));
    const QString widest = text.arg(QStringLiteral("8888.8 MiB"), total); // the others stay where they are
    m_memory->setMinimumWidth(m_memory->fontMetrics().horizontalAdvance(widest));
}

void StatusWidgets::setProblems(int errors, int warnings) {
    QStringList parts;
    if (errors > 0)
        parts.append(errors == 1 ? tr("1 problem") : tr("%1 problems").arg(errors));
    if (warnings > 0)
        parts.append(warnings == 1 ? tr("1 warning") : tr("%1 warnings").arg(warnings));
    m_problems->setText(parts.isEmpty() ? tr("No problems") : parts.join(QStringLiteral(", ")));
    m_problems->setIcon(errors > 0     ? icon(QStringLiteral("error"), IconTone::Error)
                        : warnings > 0 ? icon(QStringLiteral("warning"), IconTone::Warning)
                                       : icon(QStringLiteral("good"), IconTone::Good));
    m_problems->setToolTip(tr("Show the list of problems"));
}

void StatusWidgets::setQuality(const profiling::DataQuality& quality, bool hasData, const QString& missing,
                               const QString& failure) {
    m_quality->setVisible(hasData || !missing.isEmpty() || !failure.isEmpty());
    const bool failed = missing.isEmpty() && !failure.isEmpty();
    const bool clean = quality.clean() && missing.isEmpty() && !failed;
    m_quality->setText(clean                       ? tr("Data complete")
                       : !missing.isEmpty()        ? tr("Data incomplete")
                       : failed                    ? tr("Run failed")
                       : quality.droppedEvents > 0 ? tr("%1 events dropped").arg(quality.droppedEvents)
                                                   : tr("Data has notes"));
    m_quality->setIcon(clean    ? icon(QStringLiteral("good"), IconTone::Good)
                       : failed ? icon(QStringLiteral("error"), IconTone::Error)
                                : icon(QStringLiteral("warning"), IconTone::Warning));
    m_quality->setToolTip(
        !missing.isEmpty() ? missing
        : failed           ? failure + QLatin1Char('\n') + tr("What was recorded until then is whole.")
                 : tr("Dropped or odd events of the shown recording; details are in the Inspector"));
}

void StatusWidgets::setWorker(const QString& text, const QString& tone) {
    m_worker->setText(text);
    m_worker->setProperty("tone", tone);
    restyle(m_worker);
}

} // namespace heteroscope::ui

#include "moc_status_widgets.cpp"
