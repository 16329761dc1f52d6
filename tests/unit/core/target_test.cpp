// SPDX-License-Identifier: Apache-2.0
// Target texts and their options.
#include "compute/core/cpu.h"
#include "compute/core/target_options.h"

#include <gtest/gtest.h>

namespace heteroscope::compute {
namespace {

TEST(Target, ReadsDeviceImplementationAndOptions) {
    const auto target = parseTarget("cuda:0/cudnn?tf32=off&algorithm=1");
    ASSERT_TRUE(target.ok());
    EXPECT_EQ(target->device, "cuda:0");
    EXPECT_EQ(target->implementation, "cudnn");
    EXPECT_EQ(target->options.at("tf32"), "off");
    EXPECT_EQ(target->text(), "cuda:0/cudnn?algorithm=1&tf32=off");
}

TEST(Target, TextReadsBackToTheSame) {
    for (const char* text : {"cpu/sequential", "cpu/openmp?threads=4", "cpu/openmp?simd=avx2&threads=1"}) {
        const auto target = parseTarget(text);
        ASSERT_TRUE(target.ok()) << text;
        EXPECT_EQ(target->text(), text);
        EXPECT_EQ(*parseTarget(target->text()), *target);
    }
}

TEST(Target, RefusesWhatIsNotATarget) {
    for (const char* text : {"", "cpu", "/openmp", "cpu/", "cpu/open mp", "cpu/openmp?", "cpu/openmp?threads",
                             "cpu/openmp?=4", "cpu/openmp?threads=", "cpu/openmp?a=1&", "cpu/openmp?a=1&a=2",
                             "cpu/a/b", "CPU/openmp", "cpu/openmp?a=1=2"}) {
        const auto target = parseTarget(text);
        ASSERT_FALSE(target.ok()) << text;
        EXPECT_EQ(target.error().code, ErrorCode::BadInput);
        EXPECT_NE(target.error().allowed.find("device/implementation"), std::string::npos);
    }
    EXPECT_FALSE(parseTarget("cpu/" + std::string(300, 'a')).ok());
}

TEST(TargetOptions, UnknownOnesAreNamed) {
    const auto target = parseTarget("cpu/openmp?threads=2&colour=red");
    const Status status = checkOptionNames(*target, {"threads", "simd"});
    ASSERT_FALSE(status.ok());
    EXPECT_NE(status.error().message.find("colour"), std::string::npos);
    EXPECT_EQ(status.error().allowed, "threads, simd");
}

TEST(TargetOptions, ThreadsAreBounded) {
    EXPECT_EQ(*threadOption(*parseTarget("cpu/openmp?threads=7")), 7);
    EXPECT_EQ(*threadOption(*parseTarget("cpu/openmp?threads=1024")), 1024);
    EXPECT_EQ(*threadOption(*parseTarget("cpu/openmp?threads=0")), usableCores());
    EXPECT_EQ(*threadOption(*parseTarget("cpu/openmp")), usableCores());
    for (const char* text : {"1025", "-1", "two", "1.5", "99999999999999999999", "4x"})
        EXPECT_FALSE(threadOption(*parseTarget(std::string("cpu/openmp?threads=") + text)).ok()) << text;
}

TEST(TargetOptions, ChoicesAreChecked) {
    EXPECT_EQ(*choiceOption(*parseTarget("cpu/x"), "simd", {"a", "b"}, "b"), "b");
    EXPECT_EQ(*choiceOption(*parseTarget("cpu/x?simd=a"), "simd", {"a", "b"}, "b"), "a");
    EXPECT_FALSE(choiceOption(*parseTarget("cpu/x?simd=c"), "simd", {"a", "b"}, "b").ok());
}

} // namespace
} // namespace heteroscope::compute
