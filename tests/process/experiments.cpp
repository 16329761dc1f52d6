// SPDX-License-Identifier: Apache-2.0
#include "tests/process/experiments.h"

#include <gtest/gtest.h>

namespace heteroscope::process_test {

profiling::Study studyFromBytes(const std::string& bytes) {
    profiling::StreamReader reader("captured stream");
    profiling::StudyBuilder builder;
    reader.feed({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
    while (true) {
        const auto frame = reader.next();
        if (!frame) {
            ADD_FAILURE() << frame.error().sentence();
            break;
        }
        if (!*frame)
            break;
        const Status status = builder.apply(**frame);
        EXPECT_TRUE(status.ok()) << status.error().sentence();
    }
    return builder.study();
}

} // namespace heteroscope::process_test
