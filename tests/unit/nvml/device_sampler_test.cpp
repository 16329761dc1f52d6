// SPDX-License-Identifier: Apache-2.0
// What is drawn of a device's state, with a reader made by hand.
#include "profiling/collectors/nvml/device_sampler.h"
#include "tests/unit/stream/stream_fixture.h"

#include <gmock/gmock.h>

#include <deque>
#include <map>
#include <string>

namespace heteroscope::profiling {
namespace {

using namespace testing; // the stream fixtures
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

class Script final : public DeviceReader {
  public:
    explicit Script(std::deque<DeviceReading> readings) : m_readings(std::move(readings)) {}
    DeviceReading read() override {
        DeviceReading next = m_readings.front();
        if (m_readings.size() > 1)
            m_readings.pop_front();
        return next;
    }

  private:
    std::deque<DeviceReading> m_readings;
};

struct Drawn {
    std::map<std::string, std::vector<double>> counters;
    std::vector<std::pair<std::string, std::int64_t>> spans; ///< name and duration
};

/// Looks at times 0, 100, 200, ...
Drawn draw(std::deque<DeviceReading> readings) {
    Bytes bytes;
    const auto writer = writerInto(bytes);
    EXPECT_TRUE(writer->begin(header()));
    HostCollector collector(*writer);
    const auto looks = static_cast<std::int64_t>(readings.size());
    {
        DeviceSampler sampler(collector, kNoTrack, std::make_unique<Script>(std::move(readings)));
        for (std::int64_t i = 0; i < looks; ++i)
            sampler.look(i * 100);
    }
    collector.stop();
    Trace trace;
    StreamReader reader("memory");
    TraceBuilder builder(trace);
    reader.feed(bytes);
    for (auto frame = reader.next(); frame && *frame; frame = reader.next())
        EXPECT_TRUE(builder.apply(**frame));
    trace.publish();
    Drawn drawn;
    trace.forEachCounter([&](TrackId track, const CounterPoint& point) {
        drawn.counters[trace.string(trace.track(track).name)].push_back(point.value);
        return true;
    });
    trace.forEachSpan([&](SpanRef, const Span& span) {
        drawn.spans.emplace_back(trace.string(span.name), span.durationNs);
        return true;
    });
    return drawn;
}

DeviceReading power(double watts, std::vector<std::string> heldBackBy = {}) {
    DeviceReading reading;
    reading.powerW = watts;
    reading.heldBackBy = std::move(heldBackBy);
    return reading;
}

TEST(DeviceSampler, drawsOnlyWhatTheDeviceTells) {
    const Drawn drawn = draw({power(100), power(120)});
    EXPECT_THAT(drawn.counters, ElementsAre(Pair("power", ElementsAre(100, 120))));
    EXPECT_THAT(drawn.spans, IsEmpty());
}

TEST(DeviceSampler, marksTheTimeInWhichClocksWereHeldBack) {
    const Drawn drawn = draw({power(700), power(700, {"power limit"}), power(700, {"power limit"}),
                              power(700, {"power limit", "heat"}), power(700)});
    EXPECT_THAT(drawn.spans, ElementsAre(Pair("power limit", 200), Pair("power limit, heat", 100)));
}

TEST(DeviceSampler, tellsAtOnceThatClocksAreHeldBackAndThatTheyNoLongerAre) {
    const Drawn drawn = draw({power(700), power(700, {"power limit"}), power(700, {"heat"}), power(700)});
    EXPECT_THAT(drawn.counters, ::testing::Contains(Pair("held back now", ElementsAre(1, 0))));
}

TEST(DeviceSampler, marksTheTimeInWhichClocksWereIdleOnARowOfItsOwn) {
    DeviceReading idle = power(80);
    idle.clocksIdle = true;
    EXPECT_THAT(draw({idle, idle, power(300, {"heat"}), power(300)}).spans,
                ElementsAre(Pair("nothing runs", 200), Pair("heat", 100)));
}

TEST(ClockReasons, tellIdleness) {
    EXPECT_TRUE(clocksAreIdle(0x1 | 0x4));
    EXPECT_FALSE(clocksAreIdle(0x4 | 0x2));
}

TEST(ClockReasons, leavesOutIdlenessAndChosenClocks) {
    EXPECT_THAT(clockReasons(0x1 | 0x2 | 0x100), IsEmpty());
    EXPECT_THAT(clockReasons(0x4 | 0x40), ElementsAre("power limit", "heat (hardware)"));
}

TEST(NvmlDevice, thatIsNotThereGivesAReason) {
    const auto device = openNvmlDevice("ffff:ff:1f.7");
    ASSERT_FALSE(device);
    EXPECT_FALSE(device.error().message.empty());
}

} // namespace
} // namespace heteroscope::profiling
