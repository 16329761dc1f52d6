// SPDX-License-Identifier: Apache-2.0
// Files whose records are whole each for itself, and which are not the file that was written: records taken
// out, doubled, swapped, behind the end, or without their beginning.
#include "compute/base/output_lock.h"
#include "profiling/stream/run_file_state.h"
#include "tests/unit/stream/stream_fixture.h"

#include <gmock/gmock.h>

namespace heteroscope::profiling {
namespace {

using namespace profiling::testing;
using ::testing::HasSubstr;

struct Record {
    FrameKind kind;
    Bytes bytes;
};

std::vector<Record> recordsOf(const Bytes& stream) {
    std::vector<Record> records;
    for (std::size_t at = kFileHeaderBytes; at < stream.size();) {
        std::uint32_t length = 0;
        std::memcpy(&length, stream.data() + at, sizeof length);
        const auto begin = stream.begin() + static_cast<std::ptrdiff_t>(at);
        const std::size_t size = kFrameHeaderBytes + length;
        records.push_back({static_cast<FrameKind>(stream[at + 4]),
                           Bytes(begin, begin + static_cast<std::ptrdiff_t>(size))});
        at += size;
    }
    return records;
}

Bytes joined(const std::vector<Record>& records) {
    Bytes stream = smallStream();
    stream.resize(kFileHeaderBytes);
    for (const Record& record : records)
        stream.insert(stream.end(), record.bytes.begin(), record.bytes.end());
    return stream;
}

class RecordOrder : public ::testing::Test {
  protected:
    std::size_t first(FrameKind kind) const {
        for (std::size_t i = 0; i < m_records.size(); ++i)
            if (m_records[i].kind == kind)
                return i;
        ADD_FAILURE() << "no such record";
        return 0;
    }
    RunFileState stateOfFile() const {
        return stateOf(*readRunFile(TemporaryFile(joined(m_records)).path()));
    }
    void expectDamage(const std::string& why) const {
        const RunFileState state = stateOfFile();
        EXPECT_EQ(state.name(), "damaged");
        EXPECT_EQ(state.outcome(), "damaged");
        EXPECT_THAT(state.sentence(), HasSubstr(why));
        EXPECT_EQ(state.gap().empty(), state.complete());
    }

    std::vector<Record> m_records = recordsOf(smallStream());
};

TEST_F(RecordOrder, OfAnUnharmedFileIsWhole) {
    EXPECT_EQ(stateOfFile().name(), "whole");
    EXPECT_EQ(stateOfFile().outcome(), "done");
    EXPECT_EQ(stateOfFile().gap(), "");
}

TEST_F(RecordOrder, ATakenOutSampleIsDamage) {
    m_records.erase(m_records.begin() + static_cast<std::ptrdiff_t>(first(FrameKind::Sample)));
    expectDamage("expected 3 sample frames before it, found 2");
}

TEST_F(RecordOrder, TakenOutSpansAreDamage) {
    m_records.erase(m_records.begin() + static_cast<std::ptrdiff_t>(first(FrameKind::Spans)));
    m_records.erase(m_records.begin() + static_cast<std::ptrdiff_t>(first(FrameKind::Flows)));
    expectDamage("spans frames before it, found 0");
}

TEST_F(RecordOrder, ADoubledSampleIsDamageAlsoWithoutAnEnd) {
    const std::size_t sample = first(FrameKind::Sample);
    m_records.insert(m_records.begin() + static_cast<std::ptrdiff_t>(sample), 2, m_records[sample]);
    expectDamage("expected a number above 0, the one before in run 0, found 0");
    m_records.pop_back();
    expectDamage("expected a number above 0");
}

TEST_F(RecordOrder, SwappedRecordsAreDamage) {
    std::swap(m_records[first(FrameKind::Log)], m_records[first(FrameKind::Metric)]);
    expectDamage("in another order");
    m_records = recordsOf(smallStream());
    const std::size_t sample = first(FrameKind::Sample);
    std::swap(m_records[sample], m_records[sample + 1]);
    expectDamage("expected a number above 1");
}

TEST_F(RecordOrder, ARecordOfAnotherContentIsDamage) {
    m_records[first(FrameKind::Sample)].bytes =
        frameBytes(FrameKind::Sample, {{"run", 0}, {"sample", 0}, {"wallMs", 0.001}});
    expectDamage("the frames before it as they were written");
}

TEST_F(RecordOrder, NothingMayComeBehindTheEnd) {
    m_records.push_back(m_records[first(FrameKind::Sample)]);
    expectDamage("bytes follow behind the end of the recording, which is complete");
    m_records.pop_back();
    m_records.push_back({FrameKind::Log, Bytes(8, 0x5a)});
    expectDamage("8 bytes follow behind the end of the recording, which is complete");
    expectDamage("and the run had ended as done");
    EXPECT_EQ(stateOfFile().trailingBytes, 8u);
    EXPECT_TRUE(stateOfFile().complete());
    EXPECT_EQ(stateOfFile().gap(), "");
    const std::size_t end = smallStream().size();
    expectDamage("byte " + std::to_string(end) + ":");
    EXPECT_EQ(stateOfFile().wholeBytes, end);
}

TEST_F(RecordOrder, TheHeaderComesFirstAndOnce) {
    const Record header = m_records.front();
    m_records.erase(m_records.begin());
    expectDamage("byte 16: expected the header frame first, found environment");
    m_records.insert(m_records.begin(), 2, header);
    expectDamage("expected one header frame");
}

TEST_F(RecordOrder, AnEndOfAnEarlierVersionCountsNothing) {
    m_records.back().bytes = frameBytes(FrameKind::End, {{"status", "cancelled"}, {"reason", ""}});
    m_records.erase(m_records.begin() + static_cast<std::ptrdiff_t>(first(FrameKind::Log)));
    EXPECT_EQ(stateOfFile().name(), "whole");
    EXPECT_EQ(stateOfFile().outcome(), "cancelled");
}

TEST(RunFileState, AFileThatARunStillHasIsBeingWritten) {
    const std::string path =
        ::testing::TempDir() + "heteroscope-live-" + std::to_string(::getpid()) + ".hscope";
    {
        auto sink = openFileSink(path);
        ASSERT_TRUE(sink) << sink.error().sentence();
        std::vector<std::unique_ptr<FrameSink>> sinks;
        sinks.push_back(std::move(*sink));
        StreamWriter writer(std::move(sinks));
        ASSERT_TRUE(writer.begin(header()));
        const RunFileState live = stateOf(*readRunFile(path));
        EXPECT_EQ(live.name(), "being written");
        EXPECT_EQ(live.outcome(), "being written");
        EXPECT_THAT(live.sentence(), HasSubstr("being written: so far it holds everything up to byte "));
        EXPECT_EQ(live.gap(), "the recording is being written");
    }
    if (std::filesystem::exists(path)) {
        const RunFileState dead = stateOf(*readRunFile(path));
        EXPECT_EQ(dead.name(), "stopped early");
        EXPECT_EQ(dead.gap(), "the recording ends early");
    }
    std::filesystem::remove(path);
}

} // namespace
} // namespace heteroscope::profiling
