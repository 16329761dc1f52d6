// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/compute/openblas.h"

#include "compute/core/cpu.h"

#include <cstdlib>
#include <dlfcn.h>

namespace heteroscope::bench {
namespace {

using SetThreads = void (*)(int);
using Sgemm = void (*)(int order, int transA, int transB, int m, int n, int k, float alpha, const float* a,
                       int lda, const float* b, int ldb, float beta, float* c, int ldc);

constexpr int kRowMajor = 101, kNoTranspose = 111;

/// The build on OpenMP shares our threads; the one on its own threads would fight them.
void* openLibrary() {
    for (const char* name :
         {"/usr/lib/x86_64-linux-gnu/openblas-openmp/libopenblas.so.0", "libopenblas.so.0"}) {
        if (void* library = dlopen(name, RTLD_NOW | RTLD_LOCAL))
            return library;
    }
    return nullptr;
}

} // namespace

SquareGemm loadOpenblas(int threads, std::string& why) {
    if (compute::detectSimd() == compute::SimdLevel::Avx512)
        setenv("OPENBLAS_CORETYPE", "SkylakeX", 0);
    void* library = openLibrary();
    if (library == nullptr) {
        why = "libopenblas.so.0 not found (libopenblas0-openmp)";
        return {};
    }
    const auto sgemm = reinterpret_cast<Sgemm>(dlsym(library, "cblas_sgemm"));
    const auto setThreads = reinterpret_cast<SetThreads>(dlsym(library, "openblas_set_num_threads"));
    if (sgemm == nullptr || setThreads == nullptr) {
        why = "the library has no cblas_sgemm";
        return {};
    }
    setThreads(threads);
    return [sgemm](std::int64_t n, const float* a, const float* b, float* c) {
        const int size = static_cast<int>(n);
        sgemm(kRowMajor, kNoTranspose, kNoTranspose, size, size, size, 1.0F, a, size, b, size, 0.0F, c, size);
    };
}

} // namespace heteroscope::bench
