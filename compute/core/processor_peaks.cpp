// SPDX-License-Identifier: Apache-2.0
#include "compute/core/processor_peaks.h"

#include "compute/base/cgroup.h"
#include "compute/base/clock.h"
#include "compute/base/units.h"
#include "compute/core/cpu.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <barrier>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <system_error>
#include <thread>
#include <vector>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace heteroscope::compute {
namespace {

constexpr int kPasses = 5, kSteps = 4;
constexpr std::int64_t kLeastArrayBytes = std::int64_t{1} << 20, kUsualArrayBytes = std::int64_t{64} << 20;
constexpr int kCachesOfAnArray = 4, kFreeShare = 8;
constexpr std::int64_t kRounds = 4'000'000; ///< of multiply-adds in a pass: some milliseconds
constexpr int kChains = 12;                 ///< independent ones, more than latency times units
constexpr float kFactor = 0.999F, kSummand = 0.001F;

/// Where results go, so that the work is not left out.
std::atomic<std::uint64_t> g_sink{0};

/// Seconds of the fastest pass; `work` gets the thread's number. Nothing where the system gives no threads.
std::optional<double> bestSeconds(int threads, const std::function<void(int)>& work, int passes = kPasses) {
    std::barrier<> together(threads);
    double best = 0;
    const auto loop = [&](int thread) {
        for (int pass = 0; pass < passes; ++pass) {
            together.arrive_and_wait();
            const std::int64_t start = steadyNowNs();
            work(thread);
            together.arrive_and_wait();
            const double seconds = static_cast<double>(steadyNowNs() - start) * 1e-9;
            if (thread == 0)
                best = pass == 0 ? seconds : std::min(best, seconds);
        }
    };
    std::vector<std::thread> others;
    int missing = threads - 1;
    try {
        for (int thread = 1; thread < threads; ++thread, --missing)
            others.emplace_back(loop, thread);
    } catch (const std::system_error&) {
        for (int i = 0; i < missing; ++i)
            together.arrive_and_drop();
    }
    loop(0);
    for (std::thread& other : others)
        other.join();
    return missing == 0 ? std::optional(best) : std::nullopt;
}

#if defined(__x86_64__)
__attribute__((target("avx512f"))) float multiplyAddAvx512(std::int64_t rounds) {
    __m512 sums[kChains];
    std::fill(std::begin(sums), std::end(sums), _mm512_set1_ps(1.0F));
    const __m512 factor = _mm512_set1_ps(kFactor), summand = _mm512_set1_ps(kSummand);
    for (std::int64_t round = 0; round < rounds; ++round)
        for (__m512& sum : sums)
            sum = _mm512_fmadd_ps(sum, factor, summand);
    for (int i = 1; i < kChains; ++i)
        sums[0] = _mm512_add_ps(sums[0], sums[i]);
    return _mm512_cvtss_f32(sums[0]);
}

__attribute__((target("avx2,fma"))) float multiplyAddAvx2(std::int64_t rounds) {
    __m256 sums[kChains];
    std::fill(std::begin(sums), std::end(sums), _mm256_set1_ps(1.0F));
    const __m256 factor = _mm256_set1_ps(kFactor), summand = _mm256_set1_ps(kSummand);
    for (std::int64_t round = 0; round < rounds; ++round)
        for (__m256& sum : sums)
            sum = _mm256_fmadd_ps(sum, factor, summand);
    for (int i = 1; i < kChains; ++i)
        sums[0] = _mm256_add_ps(sums[0], sums[i]);
    return _mm256_cvtss_f32(sums[0]);
}
#endif

constexpr std::size_t kBaselineLanes = 4;

float multiplyAddBaseline(std::int64_t rounds) {
    std::array<float, kChains * kBaselineLanes> sums{};
    for (std::int64_t round = 0; round < rounds; ++round)
        for (float& sum : sums)
            sum = sum * kFactor + kSummand;
    float total = 0;
    for (const float sum : sums)
        total += sum;
    return total;
}

struct MultiplyAdd {
    float (*run)(std::int64_t rounds);
    int lanes;
};

MultiplyAdd multiplyAddOf(SimdLevel level) {
#if defined(__x86_64__)
    if (level == SimdLevel::Avx512)
        return {multiplyAddAvx512, 16};
    if (level == SimdLevel::Avx2)
        return {multiplyAddAvx2, 8};
#endif
    (void)level;
    return {multiplyAddBaseline, kBaselineLanes};
}

Error noThreads(int threads) {
    return Error{ErrorCode::OutOfMemory,
                 "the system gives no " + std::to_string(threads) + " threads",
                 "cpu",
                 {},
                 "raise the limit of processes (ulimit -u) and measure again"};
}

Status measureFp32(ProcessorPeaks& peaks, SimdLevel level) {
    const MultiplyAdd loop = multiplyAddOf(level);
    const auto seconds =
        bestSeconds(peaks.threads, [&](int) { g_sink += static_cast<std::uint64_t>(loop.run(kRounds)); });
    if (!seconds)
        return noThreads(peaks.threads);
    peaks.fp32FlopPerS = 2.0 * loop.lanes * kChains * static_cast<double>(kRounds) * peaks.threads / *seconds;
    return {};
}

/// Three arrays of floats, each aligned to a cache line; a thread works on one part of each.
class Arrays {
  public:
    explicit Arrays(std::int64_t bytes) : m_count(static_cast<std::size_t>(bytes) / sizeof(float)) {
        for (auto& array : m_arrays)
            array.reset(static_cast<float*>(::operator new[](m_count * sizeof(float), kLine, std::nothrow)));
    }
    bool any() const {
        return std::all_of(m_arrays.begin(), m_arrays.end(),
                           [](const auto& array) { return array != nullptr; });
    }
    /// The pages of a part belong to the processor that works on it.
    void touch(int thread, int threads) {
        for (auto& array : m_arrays)
            std::fill(array.get() + begin(thread, threads), array.get() + begin(thread + 1, threads), 1.0F);
    }
    void read(int thread, int threads) const {
        std::uint64_t sum = 0;
        for (const auto& array : m_arrays) {
            const auto* words = reinterpret_cast<const std::uint32_t*>(array.get());
            std::uint32_t part = 0;
            for (std::size_t i = begin(thread, threads), end = begin(thread + 1, threads); i < end; ++i)
                part += words[i];
            sum += part;
        }
        g_sink += sum;
    }
    void triad(int thread, int threads) {
        float* const a = m_arrays[0].get();
        const float *const b = m_arrays[1].get(), *const c = m_arrays[2].get();
        const std::size_t end = begin(thread + 1, threads);
#if defined(__x86_64__)
        const __m128 factor = _mm_set1_ps(kFactor);
        for (std::size_t i = begin(thread, threads); i < end; i += 4)
            _mm_stream_ps(a + i, _mm_add_ps(_mm_load_ps(b + i), _mm_mul_ps(factor, _mm_load_ps(c + i))));
        _mm_sfence();
#else
        for (std::size_t i = begin(thread, threads); i < end; ++i)
            a[i] = b[i] + kFactor * c[i];
#endif
    }

  private:
    static constexpr std::align_val_t kLine{64};
    struct Free {
        void operator()(float* array) const { ::operator delete[](array, kLine); }
    };
    /// In steps of a cache line.
    std::size_t begin(int thread, int threads) const {
        const std::size_t lines = m_count / 16;
        return lines * static_cast<std::size_t>(thread) / static_cast<std::size_t>(threads) * 16;
    }

    std::size_t m_count;
    std::array<std::unique_ptr<float[], Free>, 3> m_arrays;
};

Status measureMemory(ProcessorPeaks& peaks, const PeakSteps& told) {
    Arrays arrays(peaks.arrayBytes);
    if (!arrays.any())
        return Error{ErrorCode::OutOfMemory,
                     "no room for three arrays of " + formatBytes(static_cast<double>(peaks.arrayBytes)),
                     "cpu",
                     {},
                     "end other programs and measure again"};
    const int threads = peaks.threads;
    told(2, kSteps, "room for the arrays");
    const auto touched = bestSeconds(
        threads, [&](int thread) { arrays.touch(thread, threads); }, 1);
    told(3, kSteps, "reading memory");
    const auto read = bestSeconds(threads, [&](int thread) { arrays.read(thread, threads); });
    told(4, kSteps, "a triad in memory");
    const auto triad = bestSeconds(threads, [&](int thread) { arrays.triad(thread, threads); });
    if (!touched || !read || !triad)
        return noThreads(threads);
    peaks.readBytesPerS = 3.0 * static_cast<double>(peaks.arrayBytes) / *read;
    peaks.triadBytesPerS = 3.0 * static_cast<double>(peaks.arrayBytes) / *triad;
    return {};
}

std::string threadsText(int threads) {
    return std::to_string(threads) + (threads == 1 ? " thread" : " threads");
}

} // namespace

double ProcessorPeaks::memoryBytesPerS() const {
    return std::max(readBytesPerS, triadBytesPerS);
}

std::string ProcessorPeaks::memorySource() const {
    const auto size = [](std::int64_t bytes) { return formatBytes(static_cast<double>(bytes)); };
    return "measured: " + threadsText(threads) + " on three arrays of " + size(arrayBytes) +
           " beside a cache of " + size(cacheBytes) + ", best of " + std::to_string(kPasses) +
           "; the faster of reading, " + formatBandwidth(readBytesPerS) + ", and a triad, " +
           formatBandwidth(triadBytesPerS);
}

std::string ProcessorPeaks::fp32Source() const {
    return "measured: fused multiply-adds in registers (" + simd + "), " + threadsText(threads) +
           ", best of " + std::to_string(kPasses);
}

Result<ProcessorPeaks> measureProcessorPeaks(const PeakSteps& listener) {
    const PeakSteps told = listener ? listener : [](int, int, const std::string&) {};
    const SimdLevel level = detectSimd();
    ProcessorPeaks peaks;
    peaks.threads = usableCores();
    peaks.simd = simdName(level);
    peaks.cacheBytes = lastLevelCacheBytes();
    const std::int64_t most = std::max(readMemory().freeBytes / kFreeShare, kLeastArrayBytes);
    peaks.arrayBytes = std::min(std::max(kUsualArrayBytes, kCachesOfAnArray * peaks.cacheBytes), most);
    peaks.arrayBytes -= peaks.arrayBytes % kLeastArrayBytes;
    told(1, kSteps, "fp32 multiply-adds");
    if (const Status status = measureFp32(peaks, level); !status)
        return status.error();
    if (const Status status = measureMemory(peaks, told); !status)
        return status.error();
    return peaks;
}

std::string processorIdentity() {
    const auto quota = cpuQuota();
    return readCpuName() + "; " + std::to_string(usableCores()) + " of " +
           std::to_string(std::thread::hardware_concurrency()) + " processors; " +
           std::string(simdName(detectSimd())) + (quota ? "; quota " + formatFixed(*quota, 2) : "");
}

} // namespace heteroscope::compute
