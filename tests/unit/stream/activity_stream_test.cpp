// SPDX-License-Identifier: Apache-2.0
// What a run was about to do, written and read: the last one stands until its run ends.
#include "profiling/stream/columns.h"
#include "profiling/stream/study_codec.h"
#include "tests/unit/stream/stream_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heteroscope::profiling {
namespace {

using namespace testing;

constexpr std::int64_t kMebibyte = 1 << 20;

Study studyAtTheEndOf(const Bytes& bytes) {
    StreamReader reader("stream");
    reader.feed(bytes);
    StudyBuilder builder;
    for (auto frame = reader.next(); frame && *frame; frame = reader.next()) {
        const Status status = builder.apply(**frame);
        EXPECT_TRUE(status) << (status ? "" : status.error().sentence());
    }
    return builder.study();
}

class ActivityStream : public ::testing::Test {
  protected:
    ActivityStream() : m_writer(writerInto(m_bytes)) {
        (void)m_writer->begin(header());
        for (int run = 0; run < 2; ++run) {
            StudyRun definition;
            definition.run = run;
            definition.target = "cpu/onednn";
            (void)m_writer->run(definition);
        }
    }
    void does(int run, const std::string& step) {
        (void)m_writer->activity({run, "cpu/onednn", step, 1229 * kMebibyte, 922 * kMebibyte});
    }
    void ends(int run) {
        StudyRun outcome;
        outcome.run = run;
        outcome.status = StudyRunStatus::Ok;
        (void)m_writer->runEnd(outcome);
    }

    Bytes m_bytes;
    std::unique_ptr<StreamWriter> m_writer;
};

TEST_F(ActivityStream, TheLastOneStandsWhereTheStreamEnds) {
    does(0, "operands");
    does(1, "layer \"conv1\", conv2d.forward");
    const Study study = studyAtTheEndOf(m_bytes);
    ASSERT_TRUE(study.activity);
    EXPECT_EQ(study.activity->run, 1);
    EXPECT_EQ(study.activity->forecastBytes, 1229 * kMebibyte);
    EXPECT_EQ(study.activity->sentence(),
              "run 1, cpu/onednn, layer \"conv1\", conv2d.forward; forecast 1.2 GiB, 922.0 MiB were free");
}

TEST_F(ActivityStream, EndsWithItsRunAndWithTheStudy) {
    does(0, "timed samples");
    ends(1);
    EXPECT_TRUE(studyAtTheEndOf(m_bytes).activity) << "another run's end";
    ends(0);
    EXPECT_FALSE(studyAtTheEndOf(m_bytes).activity);
    does(1, "timed samples");
    (void)m_writer->end("cancelled", "");
    EXPECT_FALSE(studyAtTheEndOf(m_bytes).activity);
}

TEST_F(ActivityStream, SaysWhatItKnows) {
    EXPECT_EQ((StudyActivity{0, "cpu/openmp", "", 0, 0}.sentence()), "run 0, cpu/openmp");
    EXPECT_EQ((StudyActivity{0, "", "gemm", 5 * kMebibyte, 0}.sentence()), "run 0, gemm; forecast 5.0 MiB");
}

TEST_F(ActivityStream, WrongFieldsAreNamed) {
    for (const auto& [key, value] : std::vector<std::pair<std::string, Json>>{{"run", -1},
                                                                              {"run", "x"},
                                                                              {"target", 3},
                                                                              {"step", Json::array()},
                                                                              {"forecastBytes", -5},
                                                                              {"freeBytes", 1.5}}) {
        Json payload = encodeActivity({0, "cpu/openmp", "gemm", 1, 1});
        payload[key] = value;
        Frame frame;
        frame.kind = FrameKind::Activity;
        frame.payload = Json::to_cbor(payload);
        StudyBuilder builder;
        const Status status = builder.apply(frame);
        ASSERT_FALSE(status) << key;
        EXPECT_THAT(status.error().sentence(), ::testing::HasSubstr("\"" + key + "\""));
        EXPECT_FALSE(builder.study().activity);
    }
}

} // namespace
} // namespace heteroscope::profiling
