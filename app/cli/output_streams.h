// SPDX-License-Identifier: Apache-2.0
// Where outputs, standard output and standard error lead, and whether bytes of two would meet there. Main
// thread.
#pragma once

#include "compute/base/result.h"

#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace heteroscope::cli {

/// What bytes are written to, under whatever name.
struct Destination {
    enum class Kind {
        File,
        Pipe, ///< or a socket, a block device
        Terminal,
        Sink ///< /dev/null, /dev/full: takes any number of outputs
    };
    Kind kind = Kind::File;
    dev_t device = 0;
    ino_t inode = 0;

    bool isSameAs(const Destination& other) const { return device == other.device && inode == other.inode; }
    /// Bytes of several outputs would lie there between each other.
    bool mixes() const { return kind != Kind::Sink; }
    const char* name() const; ///< "file", "pipe", "terminal", "device"
};

/// Nothing of what is not there (yet).
std::optional<Destination> destinationOf(const std::string& path);
std::optional<Destination> destinationOf(int descriptor);

/// Refuses when standard output or error leads to one of the files that are read, and has that descriptor
/// lead elsewhere: not even the refusal is written there. To be called before anything is written.
Status keepStreamsOff(const std::vector<std::string>& inputs);

} // namespace heteroscope::cli
