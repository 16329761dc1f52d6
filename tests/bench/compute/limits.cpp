// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/compute/limits.h"

#include "compute/core/cpu.h"

#include <omp.h>

namespace heteroscope::bench {
namespace {

const LimitKernels& kernels() {
    return compute::detectSimd() == compute::SimdLevel::Avx512 ? kLimitsAvx512 : kLimitsBaseline;
}

/// body(begin, count) on every thread's part of [0, total), parts in multiples of 64 elements.
template <class Body>
void share(std::int64_t total, int threads, const Body& body) {
#pragma omp parallel num_threads(threads)
    {
        const std::int64_t thread = omp_get_thread_num(), count = omp_get_num_threads();
        const std::int64_t begin = total / 64 * thread / count * 64;
        const std::int64_t end = total / 64 * (thread + 1) / count * 64;
        body(begin, end - begin);
    }
}

} // namespace

void addCopyLimits(std::vector<Work>& works, const std::string& group, const LimitBuffers& b, int threads) {
    const std::int64_t count = 4 * b.outputs;
    const double bytes = 8.0 * static_cast<double>(count);
    const auto add = [&](const char* name, auto kernel) {
        works.push_back({group, name, bytes, 0, [=] {
                             share(count, threads, [&](std::int64_t begin, std::int64_t n) {
                                 kernel(b.large + begin, b.largeOut + begin, n);
                             });
                         }});
    };
    add("limit: copy", kernels().copy);
    add("limit: copy past the caches", kernels().streamCopy);
}

void addForwardLimits(std::vector<Work>& works, const std::string& group, const LimitBuffers& b,
                      int threads) {
    if (b.dense)
        return;
    const double bytes = 20.0 * static_cast<double>(b.outputs);
    const auto add = [&](const char* name, auto kernel) {
        works.push_back({group, name, bytes, 0, [=] {
                             share(b.outputs, threads, [&](std::int64_t begin, std::int64_t n) {
                                 kernel(b.large + 4 * begin, b.smallOut + begin, n);
                             });
                         }});
    };
    add("limit: 4 reads, 1 write", kernels().fourToOne);
    add("limit: 4 reads, 1 write past the caches", kernels().streamFourToOne);
}

namespace {

void addDenseBackwardLimits(std::vector<Work>& works, const std::string& group, const LimitBuffers& b,
                            int threads) {
    const std::int64_t count = 4 * b.outputs;
    const auto add = [&](const char* name, auto kernel) {
        works.push_back({group, name, 12.0 * static_cast<double>(count), 0, [=] {
                             share(count, threads, [&](std::int64_t begin, std::int64_t n) {
                                 kernel(b.large + begin, b.small + begin, b.largeOut + begin, n);
                             });
                         }});
    };
    add("limit: 2 reads, 1 write", kernels().twoToOne);
    add("limit: 2 reads, 1 write past the caches", kernels().streamTwoToOne);
}

} // namespace

void addBackwardLimits(std::vector<Work>& works, const std::string& group, const LimitBuffers& b,
                       int threads) {
    if (b.dense) {
        addDenseBackwardLimits(works, group, b, threads);
        return;
    }
    const double bytes = 36.0 * static_cast<double>(b.outputs);
    const auto add = [&](const char* name, auto kernel) {
        works.push_back({group, name, bytes, 0, [=] {
                             share(b.outputs, threads, [&](std::int64_t begin, std::int64_t n) {
                                 kernel(b.large + 4 * begin, b.small + begin, b.largeOut + 4 * begin, n);
                             });
                         }});
    };
    add("limit: 5 reads, 4 writes", kernels().fiveToFour);
    add("limit: 5 reads, 4 writes past the caches", kernels().streamFiveToFour);
}

} // namespace heteroscope::bench
