// SPDX-License-Identifier: Apache-2.0
// gemm_times [--threads N]: reads problems from its input, one JSON object a line, and answers each with a
// line of times, so that another program can be timed in turns with it. `openmp` runs through the session
// interface; libraries that are found (sgemm_peers.h) take turns with it in this process.
//
// {"m", "n", "k", "a": "n" | "t", "b": "n" | "t", "who": ["openmp?simd=avx2", "onednn", ...], "rounds":
// samples of each, "sample_ms": what a sample takes at least} -> {"ms": {who: [samples]}, "implementation":
// {who: name}} or {"error": text}. `who` left out: openmp and all libraries. With "blocking": [depth, rows,
// columns] `openmp` means the tiles with these blocks, on one more line of `who`: "blocks".
// {"peak": true} -> {"peak_gflops"}. {"list": true} -> {"who": [...]}.
#include "compute/backends/openmp/openmp_backend.h"
#include "compute/backends/openmp/packed_gemm.h"
#include "compute/base/clock.h"
#include "compute/core/host_session.h"
#include "compute/core/target.h"
#include "tests/bench/cpu_gemm/fma_peak.h"
#include "tests/bench/cpu_gemm/sgemm_peers.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <omp.h>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace heteroscope::bench {
namespace {

using namespace compute;
using nlohmann::json;
using Buffer = std::unique_ptr<DeviceBuffer>;

constexpr int kMostCalls = 100000;
constexpr int kCheckedElements = 16;

void must(const auto& result) {
    if (!result)
        throw std::runtime_error(result.error().sentence());
}

Buffer filled(std::int64_t elements, unsigned seed) {
    auto buffer = allocateHostBuffer(static_cast<std::size_t>(elements) * sizeof(float));
    must(buffer);
    std::minstd_rand random(seed);
    auto* values = static_cast<float*>((*buffer)->hostPointer());
    for (std::int64_t i = 0; i < elements; ++i)
        values[i] = static_cast<float>(random() % 2001) / 1000.0F - 1.0F;
    return std::move(*buffer);
}

float* floats(const Buffer& buffer) {
    return static_cast<float*>(buffer->hostPointer());
}

/// Operands of one problem.
struct Matrices {
    explicit Matrices(const SgemmProblem& p)
        : problem(p), a(filled(p.m * p.k, 1)), b(filled(p.k * p.n, 2)), c(filled(p.m * p.n, 3)) {}
    SgemmProblem problem;
    Buffer a, b, c;
};

/// Throws when elements of C are not those of A B.
void check(const Matrices& x, const std::string& who) {
    const SgemmProblem& p = x.problem;
    std::minstd_rand random(4);
    for (int i = 0; i < kCheckedElements; ++i) {
        const std::int64_t row = static_cast<std::int64_t>(random()) % p.m;
        const std::int64_t column = static_cast<std::int64_t>(random()) % p.n;
        double sum = 0, size = 0;
        for (std::int64_t q = 0; q < p.k; ++q) {
            const double left = floats(x.a)[p.transposedA ? q * p.m + row : row * p.k + q];
            const double right = floats(x.b)[p.transposedB ? column * p.k + q : q * p.n + column];
            sum += left * right;
            size += std::fabs(left * right);
        }
        const double found = static_cast<double>(floats(x.c)[row * p.n + column]);
        if (!(std::fabs(found - sum) <= size * static_cast<double>(p.k + 2) * 0x1p-24))
            throw std::runtime_error(who + ": element " + std::to_string(row) + ", " +
                                     std::to_string(column) + " is " + std::to_string(found) +
                                     ", should be " + std::to_string(sum));
    }
}

struct Runner {
    std::string implementation;
    std::function<void(const Matrices&)> run;
};

/// Our op for the problem, and its operands in the op's order.
Runner ourRunner(const std::string& target, const SgemmProblem& p) {
    const auto backend = makeOpenmpBackend();
    const auto parsed = parseTarget(target);
    must(parsed);
    auto session = backend->open(*parsed);
    must(session);
    if (p.transposedA && p.transposedB)
        throw std::runtime_error("openmp has no product of two transposed operands");
    const Op op = p.transposedA   ? Op(DenseBackwardWeights{{p.n, p.m, false}, p.k})
                  : p.transposedB ? Op(DenseForward{{p.k, p.n, false}, p.m})
                                  : Op(Gemm{p.m, p.n, p.k});
    auto prepared = (*session)->prepare(op);
    must(prepared);
    const std::shared_ptr<Session> kept = std::move(*session);
    const std::shared_ptr<PreparedOp> run = std::move(*prepared);
    const bool swapped = p.transposedA;
    return {
        run->implementation(), [kept, run, swapped](const Matrices& x) {
            DeviceBuffer* const src[] = {swapped ? x.b.get() : x.a.get(), swapped ? x.a.get() : x.b.get()};
            DeviceBuffer* const dst[] = {x.c.get()};
            must(run->run(src, dst, nullptr));
        }};
}

/// The tiles with given blocks.
Runner blockRunner(const json& blocking, const SgemmProblem& p, int threads) {
    const openmp::Product product{
        p.m, p.n, p.k, p.transposedA ? openmp::MatrixStrides{1, p.m} : openmp::MatrixStrides{p.k, 1},
        p.transposedB ? openmp::MatrixStrides{1, p.k} : openmp::MatrixStrides{p.n, 1}};
    const auto gemm = std::make_shared<openmp::PackedGemm>(
        product, openmp::Settings{threads, detectSimd()},
        openmp::GemmBlocking{blocking.at(0), blocking.at(1), blocking.at(2), blocking.at(3)});
    auto workspace = allocateHostBuffer(gemm->workspaceBytes());
    must(workspace);
    const std::shared_ptr<DeviceBuffer> kept = std::move(*workspace);
    return {"blocks", [gemm, kept](const Matrices& x) {
                auto* memory = static_cast<float*>(kept->hostPointer());
                const openmp::ProductOperands operands{floats(x.a), floats(x.b), floats(x.c)};
                runTeam(gemm->threads(), nullptr,
                        [&](Member member) { gemm->run(operands, memory, member); });
            }};
}

double msOf(int calls, const Runner& runner, const Matrices& matrices) {
    const std::int64_t start = steadyNowNs();
    for (int i = 0; i < calls; ++i)
        runner.run(matrices);
    return static_cast<double>(steadyNowNs() - start) * 1e-6 / calls;
}

class Server {
  public:
    explicit Server(int threads) : m_threads(threads), m_peers(sgemmPeers(threads)) {
        omp_set_num_threads(threads);
    }

    json answer(const json& asked) {
        if (asked.value("peak", false))
            return {{"peak_gflops", fmaPeak(m_threads)}};
        if (asked.value("list", false))
            return {{"who", everyone()}};
        const SgemmProblem problem{asked.at("m"), asked.at("n"), asked.at("k"), asked.value("a", "n") == "t",
                                   asked.value("b", "n") == "t"};
        if (!m_matrices || !(m_matrices->problem == problem)) {
            m_runners.clear();
            m_matrices.reset();
            m_matrices = std::make_unique<Matrices>(problem);
        }
        return timed(asked, asked.value("who", everyone()));
    }

  private:
    std::vector<std::string> everyone() const {
        std::vector<std::string> all{"openmp"};
        for (const auto& [name, peer] : m_peers)
            all.push_back(name);
        return all;
    }

    Runner made(const std::string& who, const json& asked) const {
        const SgemmProblem& problem = m_matrices->problem;
        if (who == "blocks")
            return blockRunner(asked.at("blocking"), problem, m_threads);
        if (const auto peer = m_peers.find(who); peer != m_peers.end())
            return {who, [run = peer->second](const Matrices& x) {
                        run(x.problem, floats(x.a), floats(x.b), floats(x.c));
                    }};
        const bool options = who.find('?') != std::string::npos;
        return ourRunner("cpu/" + who + (options ? "&" : "?") + "threads=" + std::to_string(m_threads),
                         problem);
    }

    json timed(const json& asked, const std::vector<std::string>& names) {
        const double sampleMs = asked.value("sample_ms", 20.0);
        std::vector<int> calls;
        json ms = json::object(), implementation = json::object();
        for (const std::string& name : names) {
            const std::string key = name + asked.value("blocking", json()).dump();
            if (!m_runners.contains(key)) {
                m_runners[key] = made(name, asked);
                std::fill_n(floats(m_matrices->c), m_matrices->problem.m * m_matrices->problem.n, NAN);
                m_runners[key].run(*m_matrices);
                check(*m_matrices, name);
            }
            const Runner& runner = m_runners[key];
            const double once = msOf(2, runner, *m_matrices);
            calls.push_back(std::clamp(static_cast<int>(std::ceil(sampleMs / once)), 1, kMostCalls));
            ms[name] = json::array();
            implementation[name] = runner.implementation;
        }
        for (int round = 0; round < asked.value("rounds", 5); ++round)
            for (std::size_t i = 0; i < names.size(); ++i) {
                const Runner& runner = m_runners[names[i] + asked.value("blocking", json()).dump()];
                msOf(std::max(1, calls[i] / 8), runner, *m_matrices); // its data come back to the caches
                ms[names[i]].push_back(msOf(calls[i], runner, *m_matrices));
            }
        return {{"ms", ms}, {"implementation", implementation}};
    }

    int m_threads;
    std::map<std::string, Sgemm> m_peers;
    std::unique_ptr<Matrices> m_matrices;
    std::map<std::string, Runner> m_runners;
};

int serve(int threads) {
    Server server(threads);
    for (std::string line; std::getline(std::cin, line);) {
        json reply;
        try {
            reply = server.answer(json::parse(line));
        } catch (const std::exception& error) {
            reply = {{"error", error.what()}};
        }
        std::cout << reply.dump() << std::endl; // flushed: somebody waits for it
    }
    return 0;
}

} // namespace
} // namespace heteroscope::bench

int main(int argc, char** argv) {
    int threads = omp_get_max_threads();
    if (argc == 3 && std::string(argv[1]) == "--threads")
        threads = std::atoi(argv[2]);
    else if (argc != 1)
        threads = 0;
    if (threads < 1) {
        std::fprintf(stderr, "usage: gemm_times [--threads N] < PROBLEMS\n");
        return 2;
    }
    return heteroscope::bench::serve(threads);
}
