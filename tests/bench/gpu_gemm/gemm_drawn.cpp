// SPDX-License-Identifier: Apache-2.0
// gemm_drawn [--seed N] [--count N] [--multiple N] [--samples N] [--json FILE] [--plans FILE]: our matrix
// product with the plan that is chosen for it beside cuBLAS (fp32) on shapes drawn at random, m, n and k from
// 1 to 65536 log-uniform, those on which cuBLAS takes 10 us or more. Both in turns within one run, in CUDA
// graphs. Prints every ratio of times (below 1: ours is faster), and their quantiles. --plans: times of every
// plan, to fit gemm_plan.cu to.
#include "tests/bench/gpu_gemm/gemm_device.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <random>
#include <string>
#include <vector>

namespace heteroscope::bench {
namespace {

using namespace compute::nvidia;

constexpr double kLargestExtent = 65536, kLeastMs = 0.010, kSpanMs = 4.0;
constexpr std::size_t kMostElements = std::size_t{1} << 28; ///< of an operand or the result
constexpr double kMostOperations = 1e12;
constexpr int kMostMultiple = 1024; ///< of larger ones too few shapes are within these limits

struct Arguments {
    unsigned seed = 1;
    int count = 300, multiple = 1, samples = 5;
    std::string json, plans;
};

GemmSize drawn(std::mt19937& engine, int multiple) {
    std::uniform_real_distribution<double> exponent(0.0, std::log(kLargestExtent + 1));
    const auto extent = [&] {
        return (int(std::exp(exponent(engine))) + multiple - 1) / multiple * multiple;
    };
    for (;;) {
        const GemmSize size{extent(), extent(), extent()};
        const double m = size.m, n = size.n, k = size.k;
        if (std::max({m * n, m * k, k * n}) <= double(kMostElements) && 2 * m * n * k <= kMostOperations)
            return size;
    }
}

std::string text(const GemmSize& size) {
    return std::to_string(size.m) + "x" + std::to_string(size.n) + "x" + std::to_string(size.k);
}

/// Every plan that may be worth taking, coarsely.
std::vector<GemmPlan> plansOf(const GemmSize& size, const DeviceLimits& limits) {
    std::vector<GemmPlan> plans;
    const auto cuts = [&](GemmPlan plan) {
        int last = 0;
        for (const int slices : {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512}) {
            const int steps = (size.k + 31) / 32;
            plan.depth = slices == 1 ? size.k : (steps + slices - 1) / slices * 32;
            plan.slices = (size.k + plan.depth - 1) / plan.depth;
            if (plan.slices == last || (slices > 1 && plan.depth < 64) ||
                (slices > 1 && double(size.m) * size.n * slices > double(16 << 20)))
                continue;
            last = plan.slices;
            if (plan.kernel == GemmKernel::Register && slices > 1)
                plan.kernel = GemmKernel::SplitK;
            if (gemmRefusal(plan.kernel, size.m, size.n, size.k).empty())
                plans.push_back(plan);
        }
    };
    for (const GemmTileSize& tile : kGemmTiles) {
        const double tiles = std::ceil(double(size.m) / tile.rows) * std::ceil(double(size.n) / tile.columns);
        if (tiles > 64.0 * limits.multiprocessors && tile.rows * tile.columns < 64 * 128)
            continue; // far from the fastest
        cuts({GemmKernel::Register, tile.tile});
    }
    if (gemmRefusal(GemmKernel::SkinnyK, size.m, size.n, size.k).empty())
        plans.push_back({GemmKernel::SkinnyK, GemmTile::Tiny, 1, size.k});
    for (const GemmKernel kernel : {GemmKernel::SkinnyM, GemmKernel::SkinnyN})
        if (gemmRefusal(kernel, size.m, size.n, size.k).empty())
            cuts({kernel});
    return plans;
}

class Benchmark {
  public:
    explicit Benchmark(const Arguments& arguments) : m_arguments(arguments), m_device(kMostElements) {
        if (!arguments.plans.empty())
            m_plans.open(arguments.plans);
    }

    int run() {
        std::mt19937 engine(m_arguments.seed);
        std::printf("seed %u, %s\n", m_arguments.seed, m_device.name().c_str());
        for (int done = 0; done < m_arguments.count && m_device.error().empty();)
            done += measured(drawn(engine, m_arguments.multiple));
        if (!m_device.error().empty()) {
            std::fprintf(stderr, "gemm_drawn: %s\n", m_device.error().c_str());
            return 1;
        }
        summary();
        if (!m_arguments.json.empty())
            std::ofstream(m_arguments.json)
                << nlohmann::json{{"device", m_device.name()}, {"seed", m_arguments.seed}, {"rows", m_rows}}
                       .dump(1)
                << "\n";
        return m_wrong == 0 ? 0 : 1;
    }

  private:
    /// Whether the shape takes long enough.
    bool measured(const GemmSize& size) {
        const auto cublas = [&] { m_device.runCublas(size, false); };
        const int repetitionsOfCublas = m_device.repetitionsFor(kSpanMs, cublas);
        if (m_device.timeMs(repetitionsOfCublas, cublas) < kLeastMs)
            return false;
        const GemmPlan plan = planGemm(size.m, size.n, size.k, m_device.limits());
        const auto own = [&] { m_device.runOwn(plan, size); };
        m_device.poisonResult();
        cublas();
        m_device.differenceTo(size, true);
        m_device.poisonResult();
        own();
        const double difference = m_device.differenceTo(size, false);
        const int repetitions = m_device.repetitionsFor(kSpanMs, own);
        std::vector<double> ownMs, cublasMs;
        for (int sample = 0; sample < m_arguments.samples; ++sample) {
            ownMs.push_back(m_device.timeMs(repetitions, own));
            cublasMs.push_back(m_device.timeMs(repetitionsOfCublas, cublas));
        }
        report(size, plan, spreadOf(ownMs), spreadOf(cublasMs), difference);
        if (m_plans.is_open())
            writePlans(size, spreadOf(cublasMs).median);
        return true;
    }

    void report(const GemmSize& size, const GemmPlan& plan, const Spread& own, const Spread& cublas,
                double difference) {
        const double ratio = own.median / cublas.median;
        const bool right = difference < 1e-4; // of the norm; NaN is wrong
        m_wrong += !right;
        m_ratios.push_back(ratio);
        std::printf("%-20s %-8s tile %d %4d slices %10.4f ms [%.4f, %.4f]  cuBLAS %10.4f [%.4f, %.4f]  ratio "
                    "%6.3f%s\n",
                    text(size).c_str(), std::string(gemmKernelName(plan.kernel)).c_str(), int(plan.tile),
                    plan.slices, own.median, own.lowest, own.highest, cublas.median, cublas.lowest,
                    cublas.highest, ratio, right ? "" : "  WRONG");
        m_rows.push_back({{"m", size.m},
                          {"n", size.n},
                          {"k", size.k},
                          {"kernel", gemmKernelName(plan.kernel)},
                          {"tile", int(plan.tile)},
                          {"slices", plan.slices},
                          {"ms", {own.lowest, own.median, own.highest}},
                          {"cublas_ms", {cublas.lowest, cublas.median, cublas.highest}},
                          {"ratio", ratio},
                          {"relative_difference", difference}});
    }

    /// m, n, k, kernel, tile, slices, depth, us, cuBLAS us
    void writePlans(const GemmSize& size, double cublasMs) {
        for (const GemmPlan& plan : plansOf(size, m_device.limits())) {
            const auto own = [&] { m_device.runOwn(plan, size); };
            own();
            const double once = m_device.timeMs(2, own);
            const int repetitions = std::clamp(int(1.0 / std::max(once, 1e-3)), 2, 200);
            const double ms = once > 20 * cublasMs ? once
                                                   : std::min(m_device.timeMs(repetitions, own),
                                                              m_device.timeMs(repetitions, own));
            m_plans << size.m << ',' << size.n << ',' << size.k << ',' << gemmKernelName(plan.kernel) << ','
                    << int(plan.tile) << ',' << plan.slices << ',' << plan.depth << ',' << 1e3 * ms << ','
                    << 1e3 * cublasMs << '\n';
        }
    }

    void summary() {
        std::sort(m_ratios.begin(), m_ratios.end());
        if (m_ratios.empty())
            return;
        const auto quantile = [&](double share) {
            return m_ratios[std::size_t(share * double(m_ratios.size() - 1))];
        };
        const auto above = [&](double limit) {
            return std::count_if(m_ratios.begin(), m_ratios.end(), [&](double r) { return r > limit; });
        };
        std::printf(
            "%zu shapes: median %.3f, p90 %.3f, worst %.3f; above 1.0: %td, above 1.1: %td; wrong: %d\n",
            m_ratios.size(), quantile(0.5), quantile(0.9), m_ratios.back(), above(1.0), above(1.1), m_wrong);
    }

    Arguments m_arguments;
    GemmDevice m_device;
    std::ofstream m_plans;
    nlohmann::json m_rows = nlohmann::json::array();
    std::vector<double> m_ratios;
    int m_wrong = 0;
};

bool number(const char* text, auto& value) {
    const char* const end = text + std::strlen(text);
    const auto read = std::from_chars(text, end, value);
    return read.ec == std::errc() && read.ptr == end;
}

bool read(int argc, char** argv, Arguments& arguments) {
    for (int i = 1; i < argc; i += 2) {
        const std::string name = argv[i];
        if (i + 1 == argc)
            return false;
        if (name == "--json")
            arguments.json = argv[i + 1];
        else if (name == "--plans")
            arguments.plans = argv[i + 1];
        else if (!(name == "--seed"       ? number(argv[i + 1], arguments.seed)
                   : name == "--count"    ? number(argv[i + 1], arguments.count)
                   : name == "--multiple" ? number(argv[i + 1], arguments.multiple) &&
                                                arguments.multiple > 0 && arguments.multiple <= kMostMultiple
                   : name == "--samples" ? number(argv[i + 1], arguments.samples) && arguments.samples > 0
                                         : false))
            return false;
    }
    return true;
}

} // namespace
} // namespace heteroscope::bench

int main(int argc, char** argv) {
    heteroscope::bench::Arguments arguments;
    if (!heteroscope::bench::read(argc, argv, arguments)) {
        std::fprintf(stderr, "usage: gemm_drawn [--seed N] [--count N] [--multiple N] [--samples N] [--json "
                             "FILE] [--plans FILE]\n");
        return 2;
    }
    return heteroscope::bench::Benchmark(arguments).run();
}
