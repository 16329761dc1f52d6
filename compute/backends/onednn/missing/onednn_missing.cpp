// SPDX-License-Identifier: Apache-2.0
// Stands in for the oneDNN implementation in builds without the library: listed with the reason.
#include "compute/backends/onednn/onednn_backend.h"
#include "compute/core/missing_backend.h"

namespace heteroscope::compute {

std::unique_ptr<Backend> makeOnednnBackend() {
    return std::make_unique<MissingBackend>(
        "cpu", ImplementationInfo{"onednn",
                                  {},
                                  "this build has no oneDNN (install libdnnl-dev and build again)",
                                  {},
                                  "oneDNN on plain NCHW, as frameworks use it."});
}

} // namespace heteroscope::compute
