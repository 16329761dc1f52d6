// SPDX-License-Identifier: Apache-2.0
// A program that links this gets its aligned memory (posix_memalign, aligned_alloc, memalign) so that it ends
// at a page that can neither be read nor written; freed memory can neither be read nor written again. What
// lies beyond the asked size up to the next multiple of the alignment, and before it down to the page's
// begin, holds a pattern that is compared when the memory is freed. Libraries with code made at run time are
// seen, too, which the address sanitizer cannot do. Not for builds with a sanitizer, which has an allocator
// of its own.
#pragma once

#include <cstddef>
#include <string>

namespace heteroscope {

/// What the program says when memory is touched that must not be: kept as it is, cut after 1000 bytes.
/// Then it ends with SIGSEGV, or SIGABRT for a pattern that was written over. One thread at a time.
void guardPagesAre(const std::string& doing);

/// How many blocks were given out with guard pages since the program began: 0 where another allocator stands.
std::size_t guardedBlocks();

} // namespace heteroscope
