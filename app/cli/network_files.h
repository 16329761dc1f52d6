// SPDX-License-Identifier: Apache-2.0
// Files that an experiment's network comes from: layers from ONNX, weights from ONNX or NumPy archives. One
// thread.
#pragma once

#include "app/cli/experiment_source.h"
#include "compute/base/npy.h"

#include <string>

namespace heteroscope::cli {

bool isOnnxFile(const std::string& path); ///< by its ending

/// An experiment that infers with the file's network on the default targets; its weights stay in the file.
Result<Json> onnxDocument(const ExperimentSource& source);

/// {"network": {"onnx": FILE}} becomes the file's input shape, layers and weights, each where the document
/// has none of its own. FILE, or nothing where the document names none. Errors: layers beside the file, and
/// what the file is refused for.
Result<std::string> expandOnnx(Json& document, const std::string& directory);

/// Reads what /network/weights names, with a note about tensors that it lacks. Errors: the file, or a tensor
/// of another shape.
Status readWeights(compute::ExperimentSpec& spec);

struct NetworkWeights {
    compute::NamedArrays arrays;   ///< every parameter and state
    std::size_t drawn = 0, of = 0; ///< parameters that come from the seed, of how many
};

/// As a run would begin with them.
Result<NetworkWeights> networkWeights(const compute::NetworkExperiment& experiment);

} // namespace heteroscope::cli
