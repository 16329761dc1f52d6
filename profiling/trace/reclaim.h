// SPDX-License-Identifier: Apache-2.0
// Frees what readers can no longer see, without a lock in the readers: each reader counts itself in the
// current epoch; the writer frees what it retired once every reader of that epoch has left.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace heteroscope::profiling {

class Reclaimer {
  public:
    /// While it lives, nothing the reader can reach is freed. Short: one query.
    class Reading {
      public:
        explicit Reading(const Reclaimer& owner);
        ~Reading();
        Reading(const Reading&) = delete;
        Reading& operator=(const Reading&) = delete;

      private:
        std::atomic<std::uint64_t>* m_count;
    };

    /// Writer: `object` is unreachable for new readers already.
    template <class T>
    void retire(std::unique_ptr<T> object) {
        if (object)
            m_retired.emplace_back(object.release(), [](const void* p) { delete static_cast<const T*>(p); });
    }
    /// Writer: frees what is safe to free. Never waits.
    void collect();

  private:
    using Object = std::unique_ptr<const void, void (*)(const void*)>;
    struct alignas(64) Slot {
        std::atomic<std::uint64_t> readers{0};
    };
    std::atomic<std::uint64_t> m_epoch{0};
    mutable std::array<Slot, 2> m_slots;
    std::vector<Object> m_retired; ///< in the current epoch
    std::vector<Object> m_waiting; ///< in the one before
};

} // namespace heteroscope::profiling
