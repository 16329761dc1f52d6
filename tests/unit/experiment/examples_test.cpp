// SPDX-License-Identifier: Apache-2.0
// Every experiment that is shipped must be faultless, named and explained.
#include "compute/experiment/spec/spec_json.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace heteroscope::compute {

TEST(Examples, AllAreFaultlessAndExplained) {
    int count = 0;
    for (const auto& entry :
         std::filesystem::directory_iterator(HETEROSCOPE_SOURCE_DIR "/resources/examples")) {
        if (entry.path().extension() != ".json")
            continue;
        ++count;
        const auto spec = loadExperiment(entry.path());
        ASSERT_TRUE(spec) << entry.path() << ": " << spec.error().sentence();
        EXPECT_TRUE(checkExperiment(spec->document).empty()) << entry.path();
        EXPECT_FALSE(spec->name.empty()) << entry.path();
        EXPECT_GT(spec->notes.size(), 40u) << entry.path();
        EXPECT_TRUE(expandPoints(*spec)) << entry.path();
    }
    EXPECT_GE(count, 11);
}

} // namespace heteroscope::compute
