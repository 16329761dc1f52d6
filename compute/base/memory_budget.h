// SPDX-License-Identifier: Apache-2.0
// Bytes that reading one thing from outside may hold at a time: a file with all its parts, a dataset with all
// its files. Readers charge what they are about to allocate, so that a small file that asks for much memory
// is refused before it gets it. A budget belongs to one thread at a time; the limit of the process is any
// thread's.
#pragma once

#include "compute/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace heteroscope {

/// Of every budget that is made without a number from then on. 0, where it begins: a quarter of the memory
/// that is free (free_memory.h: a control group's limit counts), and 64 MiB at least.
void setMemoryLimit(std::int64_t bytes);
std::int64_t memoryLimit();

/// "4096", "512MiB", "2 GiB", "1KiB"; KB, MB and GB mean the same, capitals do not matter. Errors (Usage): no
/// number, 0, negative, another unit, or more than 2^63 bytes.
Result<std::int64_t> parseMemoryLimit(std::string_view text);

class MemoryBudget {
  public:
    MemoryBudget(); ///< of the process's limit
    explicit MemoryBudget(std::int64_t allowedBytes) : m_allowed(allowedBytes) {}
    /// Of a quarter of what `freeBytes` says. It is asked once, and only when more than those 64 MiB are
    /// wanted: it reads files, and most of what is read from outside is small.
    static MemoryBudget ofFree(std::int64_t (*freeBytes)());

    /// Takes `bytes` more, or nothing and an error (OutOfMemory): `where` and `what` name the file and what
    /// needs them ("the array"); what would be held, what is allowed, and how to raise it stand beside.
    Status charge(std::int64_t bytes, std::string_view what, std::string_view where);
    /// `count` items of `itemBytes`; more than 2^63 bytes are an error too.
    Status charge(std::int64_t count, std::int64_t itemBytes, std::string_view what, std::string_view where);
    void release(std::int64_t bytes); ///< of what was charged; never below 0

    std::int64_t allowedBytes() const;
    std::int64_t heldBytes() const { return m_held; }
    std::int64_t leftBytes() const { return allowedBytes() - m_held; }

  private:
    bool allows(std::int64_t bytes) const;

    mutable std::int64_t m_allowed;                  ///< the least that it can be while m_freeBytes is set
    mutable std::int64_t (*m_freeBytes)() = nullptr; ///< what is still to be asked
    std::int64_t m_held = 0;
};

/// What one thing that grows and shrinks holds of a budget; gives it back at the end of its life. The budget
/// outlives it.
class HeldMemory {
  public:
    explicit HeldMemory(MemoryBudget& budget) : m_budget(budget) {}
    ~HeldMemory() { m_budget.release(m_bytes); }
    HeldMemory(const HeldMemory&) = delete;
    HeldMemory& operator=(const HeldMemory&) = delete;

    Status add(std::int64_t bytes, std::string_view what, std::string_view where);
    /// Holds `bytes` from now on; the same as before when the budget refuses.
    Status set(std::int64_t bytes, std::string_view what, std::string_view where);
    std::int64_t bytes() const { return m_bytes; }
    void keep() { m_bytes = 0; } ///< what is held stays charged when this ends

  private:
    MemoryBudget& m_budget;
    std::int64_t m_bytes = 0;
};

} // namespace heteroscope
