// SPDX-License-Identifier: GPL-3.0-or-later
// The details of a kernel: what it was launched with, its theoretical occupancy, or why that is not known.
#include "tests/ui/program/ui_test.h"
#include "ui/timeline/details_panel.h"

#include <QTreeWidget>

#include <memory>

using namespace heteroscope;
using namespace heteroscope::ui;
using namespace heteroscope::profiling;

namespace {

/// A kernel of 72 registers and 128 threads a block on a stream below group "cuda:0".
struct KernelTrace {
    std::shared_ptr<Trace> trace = std::make_shared<Trace>();
    SpanRef kernel, odd;

    KernelTrace() {
        const TrackId device =
            trace->addTrack({0, kNoTrack, TrackKind::Group, trace->intern("cuda:0"), 0, 0});
        const TrackId stream =
            trace->addTrack({0, device, TrackKind::Stream, trace->intern("stream 7"), 0, 0});
        kernel = add(stream, 0,
                     {{"grid", "66 x 7 x 1"},
                      {"block", "128 x 1 x 1"},
                      {"registers per thread", "72"},
                      {"op", "gemm"},
                      {"shape", "m128 n128 k128"}});
        odd = add(stream, 100, {{"grid", "none"}});
        trace->publish();
    }

    SpanRef add(TrackId on, std::int64_t start,
                const std::vector<std::pair<std::string, std::string>>& args) {
        std::vector<std::pair<StringId, std::string>> set;
        for (const auto& [name, value] : args)
            set.emplace_back(trace->intern(name), value);
        return trace->append({on, start, 50, trace->intern("gemm"), trace->intern("kernel"),
                              trace->addArgs(std::move(set)), -1});
    }
};

QString valueOf(const DetailsPanel& panel, const QString& name) {
    const auto* table = panel.findChild<QTreeWidget*>(QStringLiteral("detailsTable"));
    for (int i = 0; i < table->topLevelItemCount(); ++i)
        if (table->topLevelItem(i)->text(0) == name)
            return table->topLevelItem(i)->text(1);
    return {};
}

} // namespace

class KernelDetailsTest : public QObject {
    Q_OBJECT
  private slots:
    void showsOccupancyAndItsLimiter() {
        KernelTrace recorded;
        TimelineState state;
        DetailsPanel panel(&state);
        state.setTrace(recorded.trace);
        state.select(recorded.kernel, false);
        const QString title = QStringLiteral("Theoretical occupancy");
        QVERIFY(valueOf(panel, title).startsWith(QStringLiteral("unknown")));
        state.setDevices({{"cuda:0", MultiprocessorLimits{132, 9, 2048, 32, 65536, 233472, 1024}}});
        QCOMPARE(valueOf(panel, title), QStringLiteral("43.8 %, 28 of 64 warps, limited by registers"));
        QCOMPARE(valueOf(panel, QStringLiteral("Blocks")), QStringLiteral("462"));
        QCOMPARE(valueOf(panel, QStringLiteral("Blocks at once")),
                 QStringLiteral("7 on a multiprocessor, 924 on the device"));
        state.select(recorded.odd, false); // without a shape there is nothing to say
        QCOMPARE(valueOf(panel, QStringLiteral("grid")), QStringLiteral("none"));
        QVERIFY(valueOf(panel, title).isEmpty());
    }

    void showsWhatTheDeviceCountedOrHowToCount() {
        KernelTrace recorded;
        TimelineState state;
        DetailsPanel panel(&state);
        state.setTrace(recorded.trace);
        state.select(recorded.kernel, false);
        const QString title = QStringLiteral("Achieved occupancy");
        QVERIFY(valueOf(panel, title).contains(QStringLiteral("Count Kernels on the Device")));
        OpCounters counted{"gemm", "m128 n128 k128", "cuda:gemm:tiled", {}};
        counted.kernels.push_back({"another", 1, 1, 0, 0, 0});
        counted.kernels.push_back({"gemm", 2000, 0.38, 4096, 1024, 8e6});
        state.setCounters({counted});
        QCOMPARE(valueOf(panel, title), QStringLiteral("38.0 % of the warps, as counted"));
        QCOMPARE(valueOf(panel, QStringLiteral("Device memory")),
                 QStringLiteral("2.56 GB/s, 4.0 KiB read and 1.0 KiB written, as counted"));
        QCOMPARE(valueOf(panel, QStringLiteral("fp32 operations")),
                 QStringLiteral("4.00 TFLOP/s, as counted"));
        counted.detail = "m256 n256 k256"; // of another shape: not this kernel's
        state.setCounters({counted});
        QVERIFY(valueOf(panel, title).startsWith(QStringLiteral("not counted")));
    }
};

HETEROSCOPE_UI_TEST(KernelDetailsTest)
#include "kernel_details_test.moc"
