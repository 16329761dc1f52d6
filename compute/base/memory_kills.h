// SPDX-License-Identifier: Apache-2.0
// Whether the kernel ended processes because memory ran out: SIGKILL alone does not say who sent it. Reads
// files; any thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace heteroscope {

/// Counts the processes of this one's control group, those of groups in it included, that the kernel's
/// out-of-memory killer ends; of the whole machine where no group tells.
class MemoryKills {
  public:
    /// Counts from now on. `root` is the folder that holds proc/ and sys/; tests give their own.
    explicit MemoryKills(std::filesystem::path root = "/");
    bool any() const; ///< since then; false where nothing tells

  private:
    std::filesystem::path m_root;
    std::optional<std::int64_t> m_before;
};

} // namespace heteroscope
