// SPDX-License-Identifier: Apache-2.0
// An output file as the place into which libzip writes an archive. One thread.
#pragma once

#include "compute/base/output_file.h"

#include <zip.h>

namespace heteroscope::compute {

/// Nothing but writing is supported. The file outlives the source, and is committed when the archive is
/// closed.
/// `*failure` is what went wrong with the file, where something did. Null when there is no memory.
zip_source_t* makeOutputSource(OutputFile& file, Status* failure);

} // namespace heteroscope::compute
