// SPDX-License-Identifier: Apache-2.0
// vfork and dlopen look at who called them: vfork's child returns from the caller's frame, dlopen searches
// the caller's run path. Both are counted and then jumped to with the caller's return address in place.
#include "tests/fault/inject/fault_plan.h"

#if !defined(__x86_64__)
#error "jumping_hooks.cpp knows x86-64 only; write its few lines for this processor"
#endif

using namespace heteroscope::fault;

extern "C" {

__attribute__((visibility("hidden"))) int heteroscope_count_vfork() {
    return failsHere(Kind::Fork) ? 1 : 0;
}

/// The path to open: one that does not exist makes the C library fail with words of its own in dlerror().
__attribute__((visibility("hidden"))) const char* heteroscope_count_dlopen(const char* path) {
    return failsHere(Kind::Dlopen, path) ? "/nonexistent/heteroscope-fault.so" : path;
}
}

__asm__(R"(
    .text
    .globl vfork
    .type vfork, @function
vfork:
    subq $8, %rsp
    call heteroscope_count_vfork
    addq $8, %rsp
    testl %eax, %eax
    jne 1f
    movq heteroscope_real_vfork(%rip), %rax
    jmp *%rax
1:  movl $-1, %eax
    ret
    .size vfork, .-vfork

    .globl dlopen
    .type dlopen, @function
dlopen:
    pushq %rsi
    call heteroscope_count_dlopen
    popq %rsi
    movq %rax, %rdi
    movq heteroscope_real_dlopen(%rip), %rax
    jmp *%rax
    .size dlopen, .-dlopen
)");
