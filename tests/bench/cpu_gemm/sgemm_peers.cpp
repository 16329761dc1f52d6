// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/cpu_gemm/sgemm_peers.h"

#include "compute/core/cpu.h"

#include <cstdlib>
#include <dlfcn.h>
#include <initializer_list>

namespace heteroscope::bench {
namespace {

using CblasSgemm = void (*)(int order, int transA, int transB, int m, int n, int k, float alpha,
                            const float* a, int lda, const float* b, int ldb, float beta, float* c, int ldc);
using DnnlSgemm = int (*)(char transA, char transB, std::int64_t m, std::int64_t n, std::int64_t k,
                          float alpha, const float* a, std::int64_t lda, const float* b, std::int64_t ldb,
                          float beta, float* c, std::int64_t ldc);

constexpr int kRowMajor = 101, kNoTranspose = 111, kTranspose = 112;

void* openFirst(std::initializer_list<const char*> names) {
    for (const char* name : names)
        if (void* library = dlopen(name, RTLD_NOW | RTLD_LOCAL))
            return library;
    return nullptr;
}

std::int64_t lda(const SgemmProblem& problem) {
    return problem.transposedA ? problem.m : problem.k;
}

std::int64_t ldb(const SgemmProblem& problem) {
    return problem.transposedB ? problem.k : problem.n;
}

Sgemm onednn() {
    void* library = openFirst({"libdnnl.so.3", "libdnnl.so.2"});
    const auto sgemm =
        library == nullptr ? nullptr : reinterpret_cast<DnnlSgemm>(dlsym(library, "dnnl_sgemm"));
    if (sgemm == nullptr)
        return {};
    return [sgemm](const SgemmProblem& p, const float* a, const float* b, float* c) {
        sgemm(p.transposedA ? 'T' : 'N', p.transposedB ? 'T' : 'N', p.m, p.n, p.k, 1.0F, a, lda(p), b, ldb(p),
              0.0F, c, p.n);
    };
}

Sgemm openblas(int threads) {
    // Debian's library takes newer AMD processors for such without AVX.
    if (compute::detectSimd() == compute::SimdLevel::Avx512)
        setenv("OPENBLAS_CORETYPE", "SkylakeX", 0);
    void* library = openFirst({"/usr/lib/x86_64-linux-gnu/openblas-openmp/libopenblas.so.0"});
    if (library == nullptr)
        return {};
    const auto sgemm = reinterpret_cast<CblasSgemm>(dlsym(library, "cblas_sgemm"));
    const auto setThreads = reinterpret_cast<void (*)(int)>(dlsym(library, "openblas_set_num_threads"));
    if (sgemm == nullptr || setThreads == nullptr)
        return {};
    setThreads(threads);
    return [sgemm](const SgemmProblem& p, const float* a, const float* b, float* c) {
        sgemm(kRowMajor, p.transposedA ? kTranspose : kNoTranspose, p.transposedB ? kTranspose : kNoTranspose,
              static_cast<int>(p.m), static_cast<int>(p.n), static_cast<int>(p.k), 1.0F, a,
              static_cast<int>(lda(p)), b, static_cast<int>(ldb(p)), 0.0F, c, static_cast<int>(p.n));
    };
}

} // namespace

std::map<std::string, Sgemm> sgemmPeers(int threads) {
    std::map<std::string, Sgemm> peers{{"onednn", onednn()}, {"openblas", openblas(threads)}};
    std::erase_if(peers, [](const auto& peer) { return !peer.second; });
    return peers;
}

} // namespace heteroscope::bench
