// SPDX-License-Identifier: Apache-2.0
#include "tests/fault/inject/real_functions.h"

#include "tests/fault/inject/fault_plan.h"

#include <dlfcn.h>

namespace {

heteroscope::fault::RealFunctions s_real;
bool s_known = false;

template <typename Function>
void find(Function& function, const char* name) {
    function = reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
    if (function == nullptr)
        heteroscope::fault::refuse("the C library has no ", name);
}

} // namespace

extern "C" {
// Those that are jumped to (jumping_hooks.cpp).
__attribute__((visibility("hidden"))) void* heteroscope_real_vfork = nullptr;
__attribute__((visibility("hidden"))) void* heteroscope_real_dlopen = nullptr;
}

namespace heteroscope::fault {

__attribute__((constructor(101))) static void findRealFunctions() {
    if (s_known)
        return;
    find(s_real.fopen, "fopen");
    find(s_real.freopen, "freopen");
    find(s_real.fwrite, "fwrite");
    find(s_real.fputs, "fputs");
    find(s_real.fflush, "fflush");
    find(s_real.fclose, "fclose");
    find(s_real.mkostemps, "mkostemps");
    find(s_real.fork, "fork");
    find(s_real.posix_spawn, "posix_spawn");
    find(s_real.posix_spawnp, "posix_spawnp");
    find(s_real.clone, "clone");
    find(s_real.pthread_create, "pthread_create");
    find(s_real.start, "__libc_start_main");
    find(heteroscope_real_vfork, "vfork");
    find(heteroscope_real_dlopen, "dlopen");
    s_known = true;
}

const RealFunctions& real() {
    if (!s_known) // a library that is initialised even before this one
        findRealFunctions();
    return s_real;
}

} // namespace heteroscope::fault
