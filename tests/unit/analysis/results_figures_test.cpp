// SPDX-License-Identifier: Apache-2.0
// Tables, files, captions and comparisons character by character, from studies whose figures are round.
#include "profiling/analysis/advice.h"
#include "profiling/analysis/results.h"
#include "tests/unit/analysis/gpu_trace_maker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace heteroscope::profiling {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

StudyRun& addRun(Study& study, const std::string& target, const Json& point, std::vector<double> ms,
                 StudyRunStatus status = StudyRunStatus::Ok, const std::string& reason = "") {
    StudyRun& run = study.runs.emplace_back();
    run.run = static_cast<int>(study.runs.size()) - 1;
    run.target = target;
    run.point = point;
    run.status = status;
    run.reason = reason;
    for (const double time : ms) {
        StudySample& sample = run.samples.emplace_back();
        sample.run = run.run;
        sample.sample = static_cast<int>(run.samples.size()) - 1;
        sample.wallMs = time;
    }
    return run;
}

std::vector<double> five(double ms) {
    return std::vector<double>(5, ms);
}

TEST(ResultsTable, HasColumnsAsWideAsTheirTextsAndReasonsRunOn) {
    Study study;
    study.version = "1.2.3";
    study.ended = true;
    study.endStatus = "done";
    const Json point = {{"/size", 64}};
    addRun(study, "cpu/sequential", point, five(200));
    addRun(study, "cpu/openmp", point, five(1));
    addRun(study, "cpu/a", point, five(16));
    addRun(study, "cpu/b", point, {40, 40});
    addRun(study, "cpu/onednn", point, {}, StudyRunStatus::Skipped,
           "a reason that is longer than any column");
    addRun(study, "cpu/c", Json::object(), five(3), StudyRunStatus::Failed, "lost");
    addRun(study, "cpu/d", Json::object(), five(3), StudyRunStatus::Cancelled);
    addRun(study, "cpu/e", Json::object(), {}, StudyRunStatus::Planned);
    const std::string table = resultsToTable(study, summarizeStudy(study));
    EXPECT_EQ(
        table.substr(0, table.find("speedup against")),
        "point    target          median                      n  speedup             verdict    output\n"
        "size=64  cpu/sequential  200 ms [200 ms, 200 ms]     5  1.00×               reference  not checked\n"
        "size=64  cpu/openmp      1.00 ms [1.00 ms, 1.00 ms]  5  200× [200, 200]     FASTER     not checked\n"
        "size=64  cpu/a           16.0 ms [16.0 ms, 16.0 ms]  5  12.5× [12.5, 12.5]  FASTER     not checked\n"
        "size=64  cpu/b           40.0 ms                     2  5.00× (n < 5)       UNCLEAR    not checked\n"
        "size=64  cpu/onednn      skipped: a reason that is longer than any column\n"
        "-        cpu/c           3.00 ms [3.00 ms, 3.00 ms]  5  -                   -          failed: "
        "lost\n"
        "-        cpu/d           3.00 ms [3.00 ms, 3.00 ms]  5  -                   -          cancelled\n"
        "-        cpu/e           planned\n");
    EXPECT_THAT(table,
                HasSubstr("\nspeedup against cpu/sequential; intervals of 95 %, none from fewer than 5 "
                          "samples of fewer than 3 processes (n < 5)\nMedian of 2 to 5 samples (95 % interval from 5 samples or 3 processes on); "));
}

TEST(ResultsFiles, SayWhyAVerdictIsUnclear) {
    Study study;
    const Json point = {{"/size", 64}};
    addRun(study, "cpu/sequential", point, five(200));
    addRun(study, "cpu/openmp", point, five(1));
    addRun(study, "cpu/b", point, {40, 40});
    const Json runs = resultsToJson(study, summarizeStudy(study)).at("runs");
    EXPECT_EQ(runs.at(0).at("speedup").at("verdict"), "reference");
    EXPECT_EQ(runs.at(1).at("speedup").at("verdict"), "FASTER");
    EXPECT_TRUE(runs.at(1).at("speedup").at("unclear_because").is_null());
    EXPECT_EQ(runs.at(2).at("speedup").at("verdict"), "UNCLEAR");
    EXPECT_EQ(runs.at(2).at("speedup").at("unclear_because"), "fewer than 5 samples, which give no interval");
}

TEST(ResultsTable, GivesAnIntervalAsOneHoweverWideItIs) {
    Study study;
    addRun(study, "cpu/openmp", Json::object(), five(116));
    StudyResults results = summarizeStudy(study);
    results.runs[0].timeMs.ci95 = {110, 1502};
    EXPECT_THAT(resultsToTable(study, results), HasSubstr("  116 ms [110 ms, 1.50 s]  "));
    results.runs[0].timeMs.hasInterval = false;
    EXPECT_THAT(resultsToTable(study, results), HasSubstr("  116 ms  "));
}

TEST(ResultsFigures, TheReferenceIsTheSpecificationWhereverItStands) {
    Study study;
    addRun(study, "cpu/openmp", Json::object(), five(2));
    addRun(study, "cpu/onednn", Json::object(), five(4));
    EXPECT_EQ(summarizeStudy(study).reference, "cpu/openmp");
    addRun(study, "cpu/sequential", Json::object(), five(8));
    EXPECT_EQ(summarizeStudy(study).reference, "cpu/sequential");
    EXPECT_EQ(summarizeStudy(Study()).reference, "");
}

TEST(ResultsFigures, SpeedupNeedsTheReferenceAtTheSamePoint) {
    Study study;
    addRun(study, "cpu/sequential", {{"/size", 1}}, five(8));
    addRun(study, "cpu/openmp", {{"/size", 1}}, five(2));
    addRun(study, "cpu/sequential", {{"/size", 2}}, {});
    addRun(study, "cpu/openmp", {{"/size", 2}}, five(2));
    addRun(study, "cpu/openmp", {{"/size", 3}}, five(2));
    addRun(study, "cpu/a", {{"/size", 1}}, {});
    addRun(study, "cpu/a", {{"/size", 1}}, five(4), StudyRunStatus::Running);
    addRun(study, "cpu/a", {{"/size", 1}}, five(4), StudyRunStatus::Failed);
    const StudyResults results = summarizeStudy(study);
    std::vector<double> ratios;
    for (const RunResult& result : results.runs)
        ratios.push_back(result.speedup ? result.speedup->ratio : 0);
    EXPECT_THAT(ratios, ElementsAre(1, 4, 0, 0, 0, 0, 2, 0));
    EXPECT_EQ(results.runs[0].speedup->verdict, Verdict::Same);
    EXPECT_TRUE(results.runs[0].speedup->hasInterval);
    EXPECT_EQ(results.runs[0].speedup->ci95.low, 1);
    EXPECT_EQ(results.runs[0].speedup->ci95.high, 1);
    study.runs[0].samples.pop_back();
    EXPECT_FALSE(summarizeStudy(study).runs[0].speedup->hasInterval);
}

TEST(ResultsFigures, EqualWorkIsWithinTheNextPowerOfTen) {
    Study study;
    StudyRun& run = addRun(study, "cpu/openmp", Json::object(), five(2));
    const auto within = [&](double relative) {
        run.maxRelError = relative;
        return summarizeStudy(study).runs[0].equalWork;
    };
    EXPECT_EQ(within(1e-3), "within 1e-3");
    EXPECT_EQ(within(1.001e-3), "differs");
    EXPECT_EQ(within(1e-6), "within 1e-6");
    EXPECT_EQ(within(1.1e-6), "within 1e-5");
    EXPECT_EQ(within(9e-6), "within 1e-5");
    EXPECT_EQ(within(1e-40), "within 1e-30");
    EXPECT_EQ(within(0), "equal");
    run.maxAbsError = 0.5;
    EXPECT_EQ(within(1e-6), "within 1e-6") << "the relative error counts where it is known";
    run.maxRelError.reset();
    EXPECT_EQ(summarizeStudy(study).runs[0].equalWork, "differs");
    run.maxAbsError = 0;
    EXPECT_EQ(summarizeStudy(study).runs[0].equalWork, "equal");
    run.status = StudyRunStatus::Failed;
    EXPECT_EQ(summarizeStudy(study).runs[0].equalWork, "not checked");
}

TEST(ResultsFigures, EqualDigestsOfTheSamePointAreEqualWork) {
    Study study;
    for (const char* target : {"cpu/sequential", "cpu/openmp"})
        for (const int size : {1, 2})
            addRun(study, target, {{"/size", size}}, five(1)).outputDigest = "digest" + std::to_string(size);
    const auto work = [&] {
        std::vector<std::string> all;
        for (const RunResult& result : summarizeStudy(study).runs)
            all.push_back(result.equalWork);
        return all;
    };
    EXPECT_THAT(work(), ElementsAre("not checked", "not checked", "equal", "equal"));
    study.runs[3].outputDigest = "digest1";
    study.runs[2].outputDigest = study.runs[0].outputDigest = "";
    EXPECT_THAT(work(), ElementsAre("not checked", "not checked", "not checked", "not checked"));
}

TEST(ResultsCaption, CountsSamplesAndLeavesOutWhatIsNotKnown) {
    const auto caption = [](const std::vector<std::vector<double>>& runs) {
        Study study;
        for (const std::vector<double>& ms : runs)
            addRun(study, "cpu/openmp", Json::object(), ms);
        return machineCaption(study, summarizeStudy(study)).text();
    };
    const std::string machine = "; fp32; Heteroscope.",
                      rest = "; reference cpu/openmp; caches kept" + machine;
    EXPECT_EQ(caption({{1}}), "Median of 1 sample (no interval: n < 5)" + rest);
    EXPECT_EQ(caption({{1, 1}, {}}), "Median of 2 samples (no interval: n < 5)" + rest);
    EXPECT_EQ(caption({five(1)}), "Median of 5 samples (95 % interval)" + rest);
    EXPECT_EQ(caption({five(1), {1, 1, 1, 1}}),
              "Median of 4 to 5 samples (95 % interval from 5 samples or 3 processes on)" + rest);
    EXPECT_EQ(caption({{1, 1, 1}, five(1), {}}),
              "Median of 3 to 5 samples (95 % interval from 5 samples or 3 processes on)" + rest);
    EXPECT_EQ(caption({{}}), "No samples; reference cpu/openmp" + machine);
}

TEST(ResultsCaption, TakesWhatTheEnvironmentSays) {
    Study study;
    study.startedUtc = "2026-11-21";
    study.environment = {{"cpu", "AMD EPYC"}, {"cores", "many"}, {"compiler", {{"id", "GNU 12"}}}};
    study.devices = {Json{{"kind", "cpu"}, {"name", "AMD EPYC"}}, Json{{"kind", "gpu"}, {"name", ""}},
                     Json{{"kind", "gpu"}, {"name", "NVIDIA H200"}}};
    EXPECT_EQ(machineCaption(study, {}),
              "No samples; fp32; AMD EPYC; NVIDIA H200; GNU 12; Heteroscope; 2026-11-21.");
    study.startedUtc = "2026-11-2";
    study.environment = Json::object();
    EXPECT_EQ(machineCaption(study, {}), "No samples; fp32; NVIDIA H200; Heteroscope.");
}

/// Samples that differ in each field.
Study transferStudy() {
    Study study;
    StudyRun& run = addRun(study, "cuda:0/cuda", {{"/size", 2}}, {3, 1, 2.5, 100, 50});
    for (std::size_t i = 0; i < 5; ++i) {
        StudySample& sample = run.samples[i];
        const double ms[] = {9, 1, 4, 1000, 1000};
        sample.process = 7;
        sample.repetitions = 2;
        sample.startNs = 1000 + static_cast<std::int64_t>(i);
        sample.deviceMs = ms[i] / 2;
        sample.h2d = {1, 2, 3, ms[i]};
        sample.d2h = {4, 5, 6, ms[i] + 1};
        sample.d2d = {7, 8, 9, ms[i] + 2};
    }
    run.samples[3].warmup = run.samples[4].traced = true;
    return study;
}

TEST(ResultsFiles, CsvHasEveryFieldOfASample) {
    Study study = transferStudy();
    study.runs[0].samples[1].deviceMs.reset();
    study.runs[0].samples[2].workPerRepetition = 2.5;
    addRun(study, "cpu/openmp", {{"/kernel", "a,b"}}, {0.5});
    EXPECT_EQ(resultsToCsv(study),
              "run,target,/size,/kernel,process,sample,warmup,traced,repetitions,start_ns,wall_ms,device_ms,"
              "h2d_count,h2d_bytes,h2d_pinned_bytes,h2d_ms,d2h_count,d2h_bytes,d2h_pinned_bytes,d2h_ms,"
              "d2d_count,d2d_bytes,d2d_pinned_bytes,d2d_ms,disturbed,waited_ms,others_ms,stolen_ms,mhz,"
              "calibration_us,celsius,sm_mhz,memory_mhz,clocks_held_back_by,clocks_idle,work_per_repetition,"
              "warmup_stable\n"
              "0,cuda:0/cuda,2,,7,0,0,0,2,1000,3,4.5,1,2,3,9,4,5,6,10,7,8,9,11,,,,,,,,,,,,,\n"
              "0,cuda:0/cuda,2,,7,1,0,0,2,1001,1,,1,2,3,1,4,5,6,2,7,8,9,3,,,,,,,,,,,,,\n"
              "0,cuda:0/cuda,2,,7,2,0,0,2,1002,2.5,2,1,2,3,4,4,5,6,5,7,8,9,6,,,,,,,,,,,,2.5,\n"
              "0,cuda:0/cuda,2,,7,3,1,0,2,1003,100,500,1,2,3,1000,4,5,6,1001,7,8,9,1002,,,,,,,,,,,,,\n"
              "0,cuda:0/cuda,2,,7,4,0,1,2,1004,50,500,1,2,3,1000,4,5,6,1001,7,8,9,1002,,,,,,,,,,,,,\n"
              "1,cpu/openmp,,\"a,b\",0,0,0,0,1,0,0.5,,0,0,0,0,0,0,0,0,0,0,0,0,,,,,,,,,,,,,\n");
}

TEST(ResultsFiles, JsonHasMediansOfTheSamplesThatCount) {
    Study study = transferStudy();
    study.runs[0].outputDigest = "abc";
    study.runs[0].maxAbsError = 0.25;
    study.runs[0].firstUseMs = 12;
    study.runs[0].stopRule = "enough";
    study.runs[0].implementation = "own";
    addRun(study, "cpu/openmp", Json::object(), {});
    const Json json = resultsToJson(study, summarizeStudy(study));
    const Json& run = json.at("runs").at(0);
    EXPECT_EQ(run.at("samples_ms"), (Json{3.0, 1.0, 2.5}));
    EXPECT_EQ(run.at("median_ms"), 2.5);
    EXPECT_TRUE(run.at("ci95_ms").is_null());
    EXPECT_EQ(run.at("device_ms"), 2.0);
    const auto transfer = [](int count, int bytes, double ms, int pinned) {
        return Json{{"count", count},           {"bytes", bytes},         {"ms", ms},
                    {"pinned_bytes", pinned},   {"source", "host clock"}, {"wall_ms", 2.5},
                    {"share_of_wall", ms / 2.5}};
    };
    EXPECT_EQ(run.at("transfers").at("h2d"), transfer(1, 2, 4.0, 3));
    EXPECT_EQ(run.at("transfers").at("d2h"), transfer(4, 5, 5.0, 6));
    EXPECT_EQ(run.at("transfers").at("d2d"), transfer(7, 8, 6.0, 9));
    EXPECT_TRUE(run.at("reason").is_null());
    EXPECT_EQ(run.at("output_digest"), "abc");
    EXPECT_EQ(run.at("max_abs_error"), 0.25);
    EXPECT_TRUE(run.at("max_rel_error").is_null());
    EXPECT_EQ(run.at("first_use_ms"), 12);
    EXPECT_EQ(run.at("stop_rule"), "enough");
    EXPECT_EQ(run.at("implementation"), "own");
    EXPECT_EQ(json.at("reference"), "cuda:0/cuda");
    const Json& none = json.at("runs").at(1);
    for (const char* key : {"transfers", "median_ms", "device_ms", "speedup", "output_digest"})
        EXPECT_TRUE(none.at(key).is_null()) << key;
}

TEST(ResultsFiles, JsonSaysHowTheStudyEnded) {
    Study study = transferStudy();
    const auto json = [&] { return resultsToJson(study, summarizeStudy(study)); };
    EXPECT_TRUE(json().at("end_status").is_null());
    EXPECT_TRUE(json().at("end_reason").is_null());
    study.ended = true;
    study.endStatus = "failed";
    study.endReason = "process 2: ended by signal 9";
    EXPECT_EQ(json().at("end_status"), "failed");
    EXPECT_EQ(json().at("end_reason"), "process 2: ended by signal 9");
}

/// Two traced samples of two repetitions of 250 ns each: 1000 ns of which each part is known.
TEST(ResultsFiles, JsonHasTheDevicesRecordsOfOneRepetition) {
    test::GpuTraceMaker maker;
    maker.flow(maker.call(0, 100, "cudaMemcpyAsync"), maker.copy(150, 200, 8, "copy host to device, pinned"));
    maker.copy(200, 240, 3, "copy host to device, pageable");
    maker.copy(240, 260, 6, "copy device to host, pageable");
    maker.copy(260, 270, 4, "copy on the device");
    maker.kernel(300, 340);
    maker.wait(400, 480);
    Study study;
    StudyRun& run = addRun(study, "cuda:0/cuda", Json::object(), {250e-6, 250e-6, 4, 6, 5});
    for (std::size_t i = 0; i < 2; ++i) {
        run.samples[i].traced = true;
        run.samples[i].repetitions = 2;
        run.samples[i].startNs = static_cast<std::int64_t>(i) * 500;
    }
    for (std::size_t i = 2; i < 5; ++i)
        run.samples[i].h2d.ms = static_cast<double>(i);
    addRun(study, "cpu/openmp", Json::object(), {1});
    const DeviceReport report = deviceReport(maker.trace(), study);
    const Json json = resultsToJson(study, summarizeStudy(study), &report).at("runs").at(0);
    const Json& time = json.at("device_time");
    EXPECT_EQ(time.at("samples"), 2);
    const std::pair<const char*, double> parts[] = {
        {"wall_ms", 250e-6},   {"execute_ms", 10e-6},     {"copy_ms", 30e-6},    {"launch_ms", 25e-6},
        {"queue_ms", 12.5e-6}, {"synchronise_ms", 20e-6}, {"other_ms", 152.5e-6}};
    EXPECT_DOUBLE_EQ(time.at("launch_of_copies_ms").get<double>(), 25e-6);
    EXPECT_EQ(time.size(), std::size(parts) + 2);
    const Json& h2d = json.at("transfers").at("h2d"); // 90 of 1000 ns
    EXPECT_DOUBLE_EQ(h2d.at("wall_ms").get<double>(), 250e-6) << "of the traced samples, as the copies are";
    EXPECT_DOUBLE_EQ(h2d.at("share_of_wall").get<double>(), 0.09);
    for (const auto& [name, ms] : parts)
        EXPECT_DOUBLE_EQ(time.at(name).get<double>(), ms) << name;
    const Json& in = json.at("transfers").at("h2d");
    EXPECT_EQ(in.at("count"), 0.5);
    EXPECT_EQ(in.at("bytes"), 2.75);
    EXPECT_TRUE(in.at("pinned_bytes").is_number_integer()) << "whole where it divides";
    EXPECT_EQ(in.at("pinned_bytes"), 2);
    EXPECT_DOUBLE_EQ(in.at("ms").get<double>(), 22.5e-6);
    EXPECT_EQ(in.at("host_ms"), 3.0);
    EXPECT_EQ(json.at("transfers").at("d2h").at("bytes"), 1.5);
    EXPECT_EQ(json.at("transfers").at("d2h").at("pinned_bytes"), 0);
    EXPECT_EQ(json.at("transfers").at("d2d").at("bytes"), 1);
    const Json other = resultsToJson(study, summarizeStudy(study), &report).at("runs").at(1);
    EXPECT_FALSE(other.contains("device_time"));
    EXPECT_EQ(other.at("transfers").at("h2d").at("source"), "host clock");
}

std::vector<std::string> textsOf(const std::vector<Phrase>& phrases) {
    std::vector<std::string> texts;
    for (const Phrase& phrase : phrases)
        texts.push_back(phrase.text());
    return texts;
}

TEST(StudyDifferences, SayWhichSideHasNoSamplesAndWhoseOutputsDiffer) {
    Study a, b;
    for (int i = 0; i < 5; ++i) {
        const Json point = {{"/i", i}};
        addRun(a, "cpu/openmp", point, i == 1 || i == 3 ? std::vector<double>() : std::vector<double>(7, 2));
        addRun(b, "cpu/openmp", point, i == 2 || i == 3 ? std::vector<double>() : std::vector<double>(5, 1));
    }
    addRun(b, "cpu/openmp", {{"/i", 9}}, {1});
    a.runs[4].outputDigest = "x";
    b.runs[4].outputDigest = "y";
    a.runs[0].outputDigest = b.runs[0].outputDigest = "same";
    a.runs[1].outputDigest = "only one";
    const StudyComparison comparison = compareStudies(a, b);
    std::vector<std::string> notes;
    for (const RunComparison& run : comparison.runs)
        notes.push_back(run.note);
    EXPECT_THAT(notes, ElementsAre("", "no samples in the first", "no samples in the second",
                                   "no samples in either", "outputs differ", "only in the second"));
    EXPECT_EQ(comparison.runs[0].samplesA, a.runs[0].timesMs().size());
    EXPECT_EQ(comparison.runs[0].samplesB, b.runs[0].timesMs().size());
    EXPECT_DOUBLE_EQ(comparison.runs[0].comparison->ratio, 2);
    EXPECT_NE(comparison.runs[0].samplesA, comparison.runs[0].samplesB);
    EXPECT_EQ(compareStudies(b, a).runs[0].samplesA, comparison.runs[0].samplesB);
    EXPECT_EQ(comparison.runs[1].samplesA, 0u);
    EXPECT_FALSE(comparison.runs[1].comparison);
    EXPECT_TRUE(comparison.differences.empty());
}

TEST(StudyDifferences, AreCutAfter80CharactersAndA100Lines) {
    Study a, b;
    a.version = "1";
    b.version = "2";
    a.environment = {
        {"long", std::string(78, 'x')}, {"longer", std::string(79, 'x')}, {"one", 1}, {"LOAD_AVERAGE", 1}};
    b.environment = {{"long", "s"}, {"longer", "s"}, {"LOAD_AVERAGE", 2}};
    EXPECT_THAT(textsOf(compareStudies(a, b).differences),
                ElementsAre("Heteroscope: 1 against 2",
                            "environment /long: \"" + std::string(78, 'x') + "\" against \"s\"",
                            "environment /longer: \"" + std::string(79, 'x') + "... against \"s\"",
                            "environment /one: 1 against nothing"));
    a.environment = {{"text", std::string(78, 'x') + "\u00e9\u00e9"}}; // the cut would split the first letter
    b.environment = {{"text", "s"}, {"two", 2}};
    EXPECT_THAT(textsOf(compareStudies(a, b).differences),
                ElementsAre(::testing::_,
                            "environment /text: \"" + std::string(78, 'x') + "... against \"s\"",
                            "environment /two: nothing against 2"));
    b = Study();
    a = Study();
    for (int i = 0; i < 150; ++i)
        a.experiment["key" + std::to_string(i)] = i;
    b.experiment["pid"] = 1; // an experiment's own words all count
    EXPECT_EQ(compareStudies(a, b).differences.size(), 100u);
    a.experiment.clear();
    EXPECT_THAT(textsOf(compareStudies(a, b).differences), ElementsAre("experiment /pid: nothing against 1"));
}

TEST(StudyDifferences, OfListsAreByIdWhereAllHaveOne) {
    Study a, b;
    a.environment["devices"] = {{{"id", "x"}, {"clock", 1}}, {{"id", "y"}}};
    b.environment["devices"] = {{{"id", "y"}}, {{"id", "x"}, {"clock", 2}}, {{"id", "z"}}};
    EXPECT_THAT(textsOf(compareStudies(a, b).differences),
                ElementsAre("environment /devices/x/clock: 1 against 2",
                            "environment /devices/z: nothing against {\"id\":\"z\"}"));
    b.environment["devices"].push_back({{"id", 5}});
    EXPECT_THAT(textsOf(compareStudies(a, b).differences),
                ElementsAre(StartsWith("environment /devices: [")));
}

} // namespace
} // namespace heteroscope::profiling
