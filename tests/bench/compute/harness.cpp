// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/compute/harness.h"

#include "compute/base/clock.h"

#include <algorithm>
#include <cstdio>

namespace heteroscope::bench {
namespace {

double timeMs(const Work& work, int repetitions) {
    const std::int64_t start = steadyNowNs();
    for (int i = 0; i < repetitions; ++i)
        work.run();
    return static_cast<double>(steadyNowNs() - start) * 1e-6 / repetitions;
}

double quantile(std::vector<double> samples, double q) {
    std::sort(samples.begin(), samples.end());
    const double at = q * static_cast<double>(samples.size() - 1);
    const auto low = static_cast<std::size_t>(at);
    const std::size_t high = std::min(low + 1, samples.size() - 1);
    return samples[low] + (at - static_cast<double>(low)) * (samples[high] - samples[low]);
}

double perSecond(double amount, double ms) {
    return amount / (ms * 1e6); // giga per second
}

} // namespace

std::vector<Timing> measureInTurns(const std::vector<Work>& works, int rounds, double sampleMs) {
    std::vector<int> repetitions;
    for (const Work& work : works) {
        work.run();
        const double once = timeMs(work, 2);
        repetitions.push_back(std::max(1, static_cast<int>(sampleMs / std::max(once, 1e-4) + 1)));
    }
    std::vector<std::vector<double>> samples(works.size());
    for (int round = 0; round < rounds; ++round) {
        for (std::size_t i = 0; i < works.size(); ++i) {
            works[i].run(); // what the one before left in the caches is gone, as it is within a sample
            samples[i].push_back(timeMs(works[i], repetitions[i]));
        }
    }
    std::vector<Timing> timings;
    for (const auto& one : samples)
        timings.push_back({quantile(one, 0.5), quantile(one, 0.25), quantile(one, 0.75), quantile(one, 0.0)});
    return timings;
}

Json toJson(const std::vector<Work>& works, const std::vector<Timing>& timings) {
    Json rows = Json::array();
    for (std::size_t i = 0; i < works.size(); ++i)
        rows.push_back({{"group", works[i].group},
                        {"name", works[i].name},
                        {"median_ms", timings[i].medianMs},
                        {"least_ms", timings[i].leastMs},
                        {"q1_ms", timings[i].lowMs},
                        {"q3_ms", timings[i].highMs},
                        {"gb_s", perSecond(works[i].bytes, timings[i].medianMs)},
                        {"gflop_s", perSecond(works[i].flops, timings[i].medianMs)}});
    return rows;
}

void printTable(const std::vector<Work>& works, const std::vector<Timing>& timings) {
    std::string group;
    for (std::size_t i = 0; i < works.size(); ++i) {
        if (works[i].group != group) {
            group = works[i].group;
            std::printf("\n%s\n  %-44s %11s %9s %19s %8s %9s\n", group.c_str(), "", "median ms", "least ms",
                        "quartiles", "GB/s", "GFLOP/s");
        }
        std::printf("  %-44s %11.4f %9.4f %9.4f-%-9.4f %8.1f %9.1f\n", works[i].name.c_str(),
                    timings[i].medianMs, timings[i].leastMs, timings[i].lowMs, timings[i].highMs,
                    perSecond(works[i].bytes, timings[i].medianMs),
                    perSecond(works[i].flops, timings[i].medianMs));
    }
}

} // namespace heteroscope::bench
