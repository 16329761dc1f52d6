// SPDX-License-Identifier: Apache-2.0
// What a training says, written and read: whole, in pieces, and wrong in one place each.
#include "profiling/stream/columns.h"
#include "profiling/stream/training_codec.h"
#include "tests/unit/stream/stream_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace heteroscope::profiling {
namespace {

using namespace testing;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TrainingSteps stepsFrom(std::int64_t first, std::size_t count) {
    TrainingSteps steps;
    steps.run = 0;
    steps.firstStep = first;
    steps.stepsPerEpoch = 10;
    steps.epochs = 3;
    for (std::size_t i = 0; i < count; ++i) {
        const double at = static_cast<double>(first) + static_cast<double>(i);
        steps.loss.push_back(2.0 / (1.0 + at));
        steps.accuracy.push_back(0.01 * at);
        steps.learningRate.push_back(0.1);
        steps.stepMs.push_back(1.5);
    }
    return steps;
}

TrainingEvaluation evaluationOf(const std::string& part, std::int64_t epoch) {
    TrainingEvaluation evaluation;
    evaluation.part = part;
    evaluation.epoch = epoch;
    evaluation.examples = 5;
    evaluation.loss = 0.25;
    evaluation.accuracy = 0.8;
    evaluation.classes = {"cat", "dog"};
    evaluation.counts = {2, 1, 0, 2};
    evaluation.samples = {{0, 0, 1, 0.75}, {3, 1, 1, 0.5}};
    return evaluation;
}

Bytes trainingStream() {
    Bytes bytes = smallStream(false);
    const auto writer = appendingWriter(bytes);
    (void)writer->training(stepsFrom(20, 3));
    (void)writer->training(evaluationOf("validation", 3));
    TrainingEpoch epoch;
    epoch.epoch = 3;
    epoch.trainingLoss = 0.5;
    epoch.validationLoss = 0.25;
    epoch.best = true;
    (void)writer->training(epoch);
    (void)writer->training(stepsFrom(23, 2000));
    (void)writer->training(evaluationOf("validation", 4));
    TrainingEvaluation numbers;
    numbers.part = "test";
    numbers.predicted = {1.5, -2.0, 0.0};
    numbers.target = {1.0, -2.5, std::nan("")};
    (void)writer->training(numbers);
    return bytes;
}

void expectTraining(const Study& study) {
    const TrainingRecord& record = study.runs.at(0).training;
    EXPECT_EQ(record.firstStep, 20);
    ASSERT_EQ(record.steps(), 2003);
    EXPECT_EQ(record.stepsPerEpoch, 10);
    EXPECT_EQ(record.epochsPlanned, 3);
    EXPECT_EQ(record.loss[4], 2.0 / 25.0);
    EXPECT_EQ(record.learningRate.size(), 2003u);
    EXPECT_TRUE(record.gradientNorm.empty());
    ASSERT_EQ(record.epochs.size(), 1u);
    EXPECT_TRUE(record.epochs[0].best);
    EXPECT_EQ(record.epochs[0].validationLoss, 0.25);
    EXPECT_FALSE(record.epochs[0].validationAccuracy);
    ASSERT_EQ(record.evaluations.size(), 2u) << "the later validation takes the earlier one's place";
    const TrainingEvaluation* const validation = record.evaluation("validation");
    ASSERT_NE(validation, nullptr);
    EXPECT_EQ(validation->epoch, 4);
    EXPECT_THAT(validation->classes, ElementsAre("cat", "dog"));
    EXPECT_THAT(validation->counts, ElementsAre(2, 1, 0, 2));
    ASSERT_EQ(validation->samples.size(), 2u);
    EXPECT_EQ(validation->samples[1].example, 3);
    EXPECT_EQ(validation->samples[0].probability, 0.75);
    EXPECT_THAT(record.evaluation("test")->predicted, ElementsAre(1.5, -2.0, 0.0));
    EXPECT_TRUE(std::isnan(record.evaluation("test")->target[2]));
    EXPECT_TRUE(study.runs.at(1).training.empty());
}

TEST(TrainingStream, ComesBackFromAFile) {
    const TemporaryFile file(trainingStream());
    const auto read = readRunFile(file.path());
    ASSERT_TRUE(read) << read.error().sentence();
    EXPECT_FALSE(read->damage) << read->damage->sentence();
    expectTraining(read->study);
}

TEST(TrainingStream, ComesBackFromAPipeInPieces) {
    const Bytes bytes = trainingStream();
    StreamReader reader("pipe");
    StudyBuilder study;
    for (std::size_t at = 0; at < bytes.size(); at += 7) {
        reader.feed(std::span(bytes).subspan(at, std::min<std::size_t>(7, bytes.size() - at)));
        for (auto frame = reader.next(); frame && *frame; frame = reader.next())
            ASSERT_TRUE(study.apply(**frame));
    }
    expectTraining(study.study());
}

TEST(TrainingStream, TheLimitsOfTheFormatCanBeWritten) {
    Bytes bytes = smallStream(false);
    const auto writer = appendingWriter(bytes);
    TrainingSteps steps = stepsFrom(0, kMostStepsAtOnce);
    steps.gradientNorm = steps.loss;
    ASSERT_TRUE(writer->training(steps));
    TrainingEvaluation evaluation = evaluationOf("test", 1);
    evaluation.classes.assign(kMostClasses, "a class");
    evaluation.counts.assign(kMostClasses * kMostClasses, 7);
    evaluation.samples.assign(kMostPredictionSamples, {1, 999, 998, 0.5});
    evaluation.predicted.assign(kMostPredictionPairs, 1.0);
    evaluation.target.assign(kMostPredictionPairs, 2.0);
    ASSERT_TRUE(writer->training(evaluation));
    const TemporaryFile file(bytes);
    const auto read = readRunFile(file.path());
    ASSERT_FALSE(read->damage) << read->damage->sentence();
    EXPECT_EQ(read->study.runs[0].training.gradientNorm, steps.loss);
    EXPECT_EQ(read->study.runs[0].training.evaluation("test")->counts, evaluation.counts);
}

Json wholeColumn(const std::vector<std::int64_t>& values) {
    return column<std::int64_t>(std::span(values), [](std::int64_t value) { return value; });
}

struct Wrong {
    const char* name;
    std::function<void(Json&)> change; ///< of a good payload
    const char* expected;              ///< part of the error
};

/// A good stream with a changed frame behind it: an error that says where and what, and all before it stays.
void expectRefused(const TrainingEvent& event, const std::vector<Wrong>& cases) {
    for (const Wrong& wrong : cases) {
        SCOPED_TRACE(wrong.name);
        Json payload = encodeTraining(event);
        wrong.change(payload);
        Bytes bytes = trainingStream();
        const Bytes frame = frameBytes(FrameKind::Training, payload);
        bytes.insert(bytes.end(), frame.begin(), frame.end());
        const TemporaryFile file(bytes);
        const auto read = readRunFile(file.path());
        ASSERT_TRUE(read) << read.error().sentence();
        expectTraining(read->study);
        ASSERT_TRUE(read->damage);
        EXPECT_THAT(read->damage->sentence(), HasSubstr(wrong.expected));
        EXPECT_THAT(read->damage->sentence(), HasSubstr("training frame at byte "));
    }
}

TEST(TrainingStream, RefusesWrongSteps) {
    const Json nine = Json::binary(Bytes(9, 0)), eight = Json::binary(Bytes(8, 0));
    expectRefused(
        stepsFrom(2023, 1),
        {{"no run", [](Json& p) { p.erase("run"); }, "field \"run\""},
         {"unknown run", [](Json& p) { p["run"] = 2; }, "one of the 2 runs"},
         {"huge run", [](Json& p) { p["run"] = std::uint64_t{1} << 63; }, "field \"run\""},
         {"no event", [](Json& p) { p.erase("what"); }, "field \"what\""},
         {"unknown event", [](Json& p) { p["what"] = "batch"; }, "steps, epoch or evaluation"},
         {"a gap", [](Json& p) { p["first"] = 2024; }, "expected step 2023, found 2024"},
         {"steps again", [](Json& p) { p["first"] = 0; }, "expected step 2023, found 0"},
         {"negative step", [](Json& p) { p["first"] = -1; }, "field \"first\""},
         {"no steps an epoch", [](Json& p) { p["stepsPerEpoch"] = 0; }, "field \"stepsPerEpoch\""},
         {"no rows", [](Json& p) { p["n"] = 0; }, "field \"n\""},
         {"too many rows", [](Json& p) { p["n"] = 65537; }, "field \"n\""},
         {"column missing", [](Json& p) { p.erase("loss"); }, "field \"loss\""},
         {"column of text", [](Json& p) { p["accuracy"] = "1"; }, "field \"accuracy\""},
         {"column of torn rows", [&](Json& p) { p["stepMs"] = nine; }, "field \"stepMs\""},
         {"columns of two lengths", [](Json& p) { p["n"] = 2; }, "expected 16 bytes for 2 rows"},
         {"gradients from now on", [&](Json& p) { p["gradientNorm"] = eight; }, "field \"gradientNorm\""}});
}

TEST(TrainingStream, RefusesWrongEpochs) {
    expectRefused(TrainingEpoch(),
                  {{"epoch 0", [](Json& p) { p["epoch"] = 0; }, "field \"epoch\""},
                   {"no loss", [](Json& p) { p.erase("trainingLoss"); }, "field \"trainingLoss\""},
                   {"loss of text", [](Json& p) { p["validationLoss"] = "low"; }, "\"validationLoss\""},
                   {"best by number", [](Json& p) { p["best"] = 1; }, "field \"best\""}});
}

TEST(TrainingStream, RefusesWrongEvaluations) {
    const Json numbers = wholeColumn({0, 2}), negative = wholeColumn({0, -1});
    const Json counts = wholeColumn({0, -1, 2, 2});
    expectRefused(
        evaluationOf("test", 1),
        {{"unknown part", [](Json& p) { p["part"] = "training"; }, "validation or test"},
         {"no classes", [](Json& p) { p.erase("classes"); }, "field \"classes\""},
         {"classes by number",
          [](Json& p) {
              p["classes"] = {1, 2};
          },
          "field \"classes\""},
         {"too many classes", [](Json& p) { p["classes"] = std::vector<std::string>(1001); }, "at most 1000"},
         {"one class more than counts", [](Json& p) { p["classes"].push_back("cow"); }, "expected 72 bytes"},
         {"negative count", [&](Json& p) { p["counts"] = counts; }, "counts from 0"},
         {"too many samples", [](Json& p) { p["samples"] = kMostPredictionSamples + 1; },
          "field \"samples\""},
         {"fewer rows than samples", [](Json& p) { p["samples"] = 3; }, "field \"example\""},
         {"a class that is none", [&](Json& p) { p["predictedClass"] = numbers; }, "of the 2 classes"},
         {"a negative example", [&](Json& p) { p["example"] = negative; }, "examples from 0"},
         {"too many pairs", [](Json& p) { p["pairs"] = 5001; }, "field \"pairs\""},
         {"pairs that are missing", [](Json& p) { p["pairs"] = 1; }, "field \"predicted\""}});
}

TEST(TrainingStream, AnyFlippedByteIsAnErrorOrHarmlessNeverACrash) {
    const Bytes good = frameBytes(FrameKind::Training, encodeTraining(evaluationOf("test", 1)));
    const Bytes before = smallStream(false);
    for (std::size_t at = kFrameHeaderBytes; at < good.size(); ++at)
        for (const std::uint8_t flip : {0x01, 0x80, 0xff}) {
            Bytes payload(good.begin() + kFrameHeaderBytes, good.end());
            payload[at - kFrameHeaderBytes] ^= flip;
            Bytes bytes = before;
            const Bytes frame = frameBytes(static_cast<std::uint8_t>(FrameKind::Training), payload);
            bytes.insert(bytes.end(), frame.begin(), frame.end());
            StreamReader reader("flipped");
            StudyBuilder study;
            reader.feed(bytes);
            for (auto next = reader.next(); next && *next; next = reader.next())
                if (!study.apply(**next))
                    break;
            for (const TrainingEvaluation& one : study.study().runs.at(0).training.evaluations)
                EXPECT_EQ(one.counts.size(), one.classes.size() * one.classes.size());
        }
}

} // namespace
} // namespace heteroscope::profiling
