// SPDX-License-Identifier: Apache-2.0
#include "compute/base/error.h"
#include "compute/base/exit_code.h"

#include <gtest/gtest.h>

namespace heteroscope {

TEST(Error, SentenceNamesPlaceFindingAndCure) {
    const Error error = badInput("/pooling/kernel", "found -1", "whole numbers from 1", "set it to 2");
    EXPECT_EQ(error.sentence(), "/pooling/kernel: found -1; allowed: whole numbers from 1; set it to 2");
}

TEST(Error, SentenceLeavesOutWhatIsEmpty) {
    EXPECT_EQ((Error{ErrorCode::Io, "disk full", {}, {}, {}}).sentence(), "disk full");
}

TEST(ExitCode, FollowsTheContract) {
    EXPECT_EQ(static_cast<int>(exitCodeOf(ErrorCode::BadInput)), 2);
    EXPECT_EQ(static_cast<int>(exitCodeOf(ErrorCode::TargetUnavailable)), 3);
    EXPECT_EQ(static_cast<int>(exitCodeOf(ErrorCode::Cancelled)), 4);
    EXPECT_EQ(static_cast<int>(exitCodeOf(ErrorCode::Usage)), 64);
    EXPECT_EQ(static_cast<int>(exitCodeOf(ErrorCode::OutOfMemory)), 1);
}

} // namespace heteroscope
