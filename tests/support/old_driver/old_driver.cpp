// SPDX-License-Identifier: Apache-2.0
// An NVIDIA driver of the time of CUDA 12.0, as far as CUDA's runtime looks at one that is too old for it: it
// asks for the version and goes no further.

extern "C" __attribute__((visibility("default"))) int cuDriverGetVersion(int* version);

int cuDriverGetVersion(int* version) {
    *version = 12000; // 1000 * major + 10 * minor, as cuda.h defines it
    return 0;         // CUDA_SUCCESS
}
