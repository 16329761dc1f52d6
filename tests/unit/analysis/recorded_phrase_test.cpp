// SPDX-License-Identifier: Apache-2.0
// Sentences of run files are taken apart without a word lost or changed.
#include "profiling/analysis/recorded_phrase.h"
#include "tests/support/run_sentences.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <heteroscope_paths.h>
#include <iterator>
#include <regex>
#include <string>
#include <vector>

namespace heteroscope::profiling {
namespace {

/// Whether words of it can be said in another language.
bool isSaid(const Phrase& phrase) {
    return !phrase.isGiven || std::any_of(phrase.arguments.begin(), phrase.arguments.end(), isSaid);
}

/// Whether some part of it is left as it was written although it has words.
bool hasEnglishLeft(const Phrase& phrase) {
    if (!phrase.arguments.empty())
        return std::any_of(phrase.arguments.begin(), phrase.arguments.end(), hasEnglishLeft);
    return phrase.isGiven && phrase.format.find("sample") != std::string::npos;
}

TEST(RecordedPhrase, KnownSentencesReadAsTheyWereWritten) {
    for (const std::string text :
         {"5 samples",
          "1 sample",
          "95 % interval within 1.73 % after 120 samples, in each of 3 processes",
          "95 % interval within 1.73 % after 120, 48 samples; time limit 1.67 s of 5 s after 106 samples, in "
          "3 "
          "processes",
          "time limit 2 s of 6 s after 3 samples, in 1 of 3 processes (incomplete)",
          "time limit 2 s of 6 s after 3 of 50 samples, in 2 of 3 processes, not to the end in 1 of them "
          "(cancelled before the last)",
          "time limit 0.1 s after 1 sample",
          "time limit 1 s after 16 of 50 samples",
          "Other programs were busy: the load average was 2.67 on 2 cores.",
          "Other programs were running when this began (4.4 threads on average): threads that wait for each "
          "other sleep instead of spinning (OMP_WAIT_POLICY=passive). Set OMP_WAIT_POLICY to decide it "
          "yourself.",
          "This is a debug build: timings are not those of a release build.",
          "The processor's frequency governor is \"powersave\": timings may vary with its clock.",
          "measured: 2 threads on three arrays of 128.0 MiB beside a cache of 32.0 MiB, best of 5; the "
          "faster of "
          "reading, 23.2 GB/s, and a triad, 25.2 GB/s; after this study",
          "measured: fused multiply-adds in registers (avx512), 1 thread, best of 5",
          "The samples come from 1 process: so many were asked for, and a verdict needs 3.",
          "The samples come from 2 processes: fewer samples were asked for than the 3 processes that a "
          "verdict needs; ask for more, or leave their number out.",
          "The samples come from 1 process: a training on a dataset is trained once, and a verdict needs 3 "
          "trainings: preset thesis, or processes 3.",
          "all 3 epochs",
          "5 epochs, and 3 are asked for",
          "validation loss no better for 2 epochs",
          "within 1e-6",
          "equal",
          "differs",
          "not checked"}) {
        const Phrase phrase = recordedPhrase(text);
        EXPECT_EQ(phrase.text(), text);
        EXPECT_TRUE(isSaid(phrase)) << text;
        EXPECT_FALSE(hasEnglishLeft(phrase)) << text;
    }
}

TEST(RecordedPhrase, FailuresReadAsTheyWereWritten) {
    for (const heteroscope::test::RunSentence& each : heteroscope::test::failureSentences()) {
        const Phrase phrase = recordedPhrase(each.english);
        EXPECT_EQ(phrase.text(), each.english);
        EXPECT_TRUE(isSaid(phrase)) << each.english;
    }
    for (const std::string text : {"libcudnn.so.9: cannot open shared object file", "a: b: c", ": ", "run 3",
                                   "run x, cpu/openmp", "Permission denied"}) {
        EXPECT_EQ(recordedPhrase(text).text(), text);
        EXPECT_FALSE(isSaid(recordedPhrase(text))) << text;
    }
}

/// Each part that is left as it was written: names, figures and punctuation.
void collectGiven(const Phrase& phrase, std::vector<std::string>& given) {
    if (phrase.arguments.empty() && phrase.isGiven)
        given.push_back(phrase.format);
    for (const Phrase& argument : phrase.arguments)
        collectGiven(argument, given);
}

TEST(RecordedPhrase, DamageAndRefusalsHaveNoEnglishLeft) {
    for (const std::string text :
         {"damaged: /runs/a b.hscope, byte 4096: expected checksum 0x1a2b3c4d, found 0x00000000; copy the "
          "file again where there is another copy of it; what was read can be used and exported; everything "
          "before was read",
          "damaged: a.hscope, byte 210: 14 bytes follow behind the end of the recording, which is complete; "
          "what follows is not read: keep the first 210 bytes of the file; everything before was read, and "
          "the run had ended as done",
          "a.hscope, byte 0: the file is empty; allowed: a run file (.hscope); a copy that failed, a full "
          "disk or a loss of power may have left it: copy it again from where it was written, or run its "
          "experiment again",
          "a.hscope, byte 0: expected a Heteroscope run file (it begins with \"HSCOPE\"), found other bytes; "
          "choose a .hscope file",
          "a.hscope, byte 90: expected a frame of 700 bytes, found a whole one 35 bytes further on: the "
          "length is damaged",
          "a.hscope, byte 94: expected a kind of record, found 0, which is never written; the file lost what "
          "had not reached the disk, or was written over",
          "target 'cuda:0/cuda': device 'cuda:0' cannot be used: no NVIDIA driver found (libcuda.so.1 is not "
          "there)",
          "2 x 2619 MHz x 640 bytes", "2 x 132 multiprocessors x 128 lanes x 1980 MHz",
          "comes after brgconv_1x1:avx2_core:nhwc", "rows have 4 windows, fewer than a vector of 8"}) {
        const Phrase phrase = recordedPhrase(text);
        EXPECT_EQ(phrase.text(), text);
        std::vector<std::string> given;
        collectGiven(phrase, given);
        for (const std::string& part : given)
            EXPECT_EQ(part.find_first_of(' '), part == "/runs/a b.hscope"     ? 7
                                               : part == ": " || part == "; " ? 1
                                                                              : std::string::npos)
                << part << " of " << text;
    }
}

// What backends say is written there; what it is known by, here.
TEST(RecordedPhrase, RefusalsAreThoseOfTheSources) {
    const auto textOf = [](const std::filesystem::path& path) {
        std::ifstream file(path);
        const std::string text{std::istreambuf_iterator<char>(file), {}};
        return std::regex_replace(text, std::regex("\"\\s+\""), ""); // literals go on in the next line
    };
    std::string sources;
    for (const char* folder : {"/compute/backends", "/compute/core"})
        for (const auto& entry :
             std::filesystem::recursive_directory_iterator(HETEROSCOPE_SOURCE_DIR + std::string(folder)))
            if (entry.is_regular_file())
                sources += textOf(entry.path());
    const std::string words = textOf(HETEROSCOPE_SOURCE_DIR "/compute/base/refusal_words.h");
    const std::regex text("words\\(\\s*\"([^\"]*)\"\\)"), place("%[0-9]");
    int parts = 0;
    for (std::sregex_iterator at(words.begin(), words.end(), text), end; at != end; ++at) {
        const std::string format = (*at)[1];
        for (std::sregex_token_iterator part(format.begin(), format.end(), place, -1), last; part != last;
             ++part, ++parts)
            EXPECT_NE(sources.find(part->str()), std::string::npos) << part->str() << " of " << format;
    }
    EXPECT_GT(parts, 30);
}

TEST(RecordedPhrase, WhatHoldsClocksBackIsAListOfKnownReasons) {
    for (const std::string text :
         {"power limit", "power limit, heat",
          "hardware slowdown, another device's clocks, heat (hardware), power brake"}) {
        const Phrase phrase = clockReasonsPhrase(text);
        EXPECT_EQ(phrase.text(), text);
        EXPECT_TRUE(isSaid(phrase)) << text;
    }
    for (const std::string text : {"", ", ", "heat, ", ", heat", "of a later version", "%1, heat"})
        EXPECT_EQ(clockReasonsPhrase(text).text(), text);
    EXPECT_TRUE(isSaid(clockReasonsPhrase("of a later version, heat")));
    EXPECT_FALSE(isSaid(clockReasonsPhrase("of a later version")));
}

/// Each part would be a call within that of the one before.
TEST(RecordedPhrase, OfAHostileFileMayBeOfAnyLength) {
    std::string text;
    while (text.size() < (4U << 20U))
        text += "3 samples; ";
    EXPECT_EQ(recordedPhrase(text).text(), text);
    EXPECT_FALSE(isSaid(recordedPhrase(text)));
    text.clear();
    while (text.size() < (4U << 20U))
        text += "heat, ";
    EXPECT_FALSE(isSaid(clockReasonsPhrase(text + "heat")));
}

/// The longest that are taken apart, of the shapes that are so most often.
TEST(RecordedPhrase, OfTheGreatestLengthIsTakenApart) {
    for (const std::string part : {"3 samples; ", "a: ", "target 'a: ", "no run finished: ",
                                   "process 1 of 2: ", "run 1, ", "inputs, "}) {
        std::string text;
        while (text.size() < kLongestSentence)
            text += part;
        text.resize(kLongestSentence - std::string_view("3 samples").size());
        text += "3 samples";
        EXPECT_EQ(recordedPhrase(text).text(), text);
    }
}

TEST(RecordedPhrase, OtherSentencesStayAsTheyAre) {
    for (const std::string text :
         {"", "; ", "%1", "%1 samples", "many samples", "time limit", "time limit soon after 3 samples",
          "an older rule; and another", "samples, in 3 processes", "within reach", "process a of b"}) {
        EXPECT_EQ(recordedPhrase(text).text(), text);
    }
    EXPECT_FALSE(isSaid(recordedPhrase("time limit soon after 3 samples")));
    EXPECT_FALSE(isSaid(recordedPhrase("%1 samples")));
}

} // namespace
} // namespace heteroscope::profiling
