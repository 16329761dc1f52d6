// SPDX-License-Identifier: Apache-2.0
// Whether the files that a study reads are still those that it began with: each of its processes and points
// opens them anew, and samples of two inputs must not be joined or compared. One thread.
#pragma once

#include "compute/base/result.h"
#include "compute/data/named_files.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace heteroscope::cli {

class InputWatch {
  public:
    /// Notes size, times of change and identity of every file that the study names, of folders those of the
    /// files in them. Files that are not there are noted as such. Errors: expandPoints()'s.
    static Result<InputWatch> over(const compute::ExperimentSpec& spec);

    /// Errors (RunFailed): a file is another one than at first, was written, came or went; with its pointer.
    Status unchanged() const;

  private:
    struct Facts {
        std::int64_t bytes = 0;
        std::int64_t changedNs = 0; ///< of what is in it; whoever writes may set it back
        std::int64_t statusNs = 0;  ///< of the file in any way; nobody sets it back
        std::uint64_t device = 0, inode = 0;
        bool operator==(const Facts&) const = default;
    };
    using Seen = std::map<std::string, Facts>; ///< path -> what is there; nothing of a file that is not there
    struct Watched {
        compute::NamedFile named;
        Seen seen;
    };

    static Seen look(const compute::NamedFile& named);
    static std::string whatDiffers(const Facts& before, const Facts& now);
    static Error differs(const compute::NamedFile& named, const Seen& before, const Seen& now);

    std::vector<Watched> m_files;
};

} // namespace heteroscope::cli
