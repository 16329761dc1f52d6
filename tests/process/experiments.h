// SPDX-License-Identifier: Apache-2.0
// Experiments and readings that several process tests share.
#pragma once

#include "compute/base/json.h"
#include "profiling/stream/stream_reader.h"

#include <string>
#include <tuple>
#include <vector>

namespace heteroscope::process_test {

/// Max pooling of a seeded matrix on cpu/sequential and cpu/openmp, `samples` of each.
inline Json poolingExperiment(int size, int samples) {
    return {{"heteroscope", 1},
            {"kind", "pooling"},
            {"name", "process test"},
            {"pooling",
             {{"mode", "max"},
              {"kernel", 2},
              {"stride", 2},
              {"input", {{"source", "random"}, {"size", size}, {"seed", 35}}}}},
            {"targets", {"cpu/sequential", "cpu/openmp"}},
            {"sampling",
             {{"preset", "quick"}, {"samples", samples}, {"time_limit_s", 600}, {"warmup_limit_s", 0}}}};
}

/// What identifies a sample and its value.
using SampleKey = std::tuple<int, int, int, bool, bool, double>;

inline std::vector<SampleKey> sampleKeys(const profiling::Study& study) {
    std::vector<SampleKey> keys;
    for (const auto& run : study.runs)
        for (const auto& sample : run.samples)
            keys.emplace_back(sample.run, sample.process, sample.sample, sample.warmup, sample.traced,
                              sample.wallMs);
    return keys;
}

/// Everything whole in the bytes; an unfinished frame at the end is left out, other damage fails the test.
profiling::Study studyFromBytes(const std::string& bytes);

} // namespace heteroscope::process_test
