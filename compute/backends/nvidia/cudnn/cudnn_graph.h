// SPDX-License-Identifier: Apache-2.0
// Convolutions as graphs of operations (cuDNN's graph API): which engines can compute one, and running it.
// One thread.
#pragma once

#include "compute/backends/nvidia/device/cuda_session.h"
#include "compute/core/ops/convolution.h"

#include <array>
#include <cudnn.h>
#include <memory>
#include <string>

namespace heteroscope::compute::nvidia {

/// Which of cuDNN's engines are taken. Target options "tf32", "transforms", "deterministic" and "benchmark".
struct EngineChoice {
    bool tf32 = false;
    bool transforms = false;   ///< also those that cuDNN says to transform (Fourier, Winograd)
    bool deterministic = true; ///< only engines that give the same bits each time
    bool benchmark =
        false; ///< the fastest as measured when it is prepared, else the first of cuDNN's heuristics
};

/// An engine may use so much scratch memory.
inline constexpr std::size_t kConvWorkspaceBytes = std::size_t{256} << 20;

enum class ConvDirection { Forward, BackwardData, BackwardWeights };

/// A convolution or one of its gradients in fp32, NCHW.
struct ConvGraphSpec {
    ConvDirection direction = ConvDirection::Forward;
    ConvParams params; ///< `bias` does not count here
    Shape4 src, dst;   ///< of the forward convolution
    bool bias = false; ///< forward: a bias is added
    bool relu = false; ///< forward: a ReLU follows, which lets NaN pass
};

/// Device memory of a run, each aligned to 16 bytes; `bias` only where there is one. The one that the
/// direction computes is written.
struct ConvGraphOperands {
    const void *src = nullptr, *weights = nullptr, *dst = nullptr, *bias = nullptr;
};

class ConvGraph {
  public:
    virtual ~ConvGraph() = default;
    /// At most kConvWorkspaceBytes.
    virtual std::size_t workspaceBytes() const = 0;
    /// cuDNN's number of the engine: "engine70".
    virtual std::string engine() const = 0;
    /// Submits it to the handle's stream. Errors: RunFailed; a pointer that is not aligned.
    virtual Status run(const ConvGraphOperands& operands, void* workspace) = 0;
};

/// nullptr where no engine that `choice` admits computes it. Only benchmarks submit work, on the session's
/// stream, and allocate operands of their own; where there is no memory for that, the first of the heuristics
/// is taken. `handle` outlives the result. `where`: for errors.
Result<std::unique_ptr<ConvGraph>> makeConvGraph(const CudaSession& session, cudnnHandle_t handle,
                                                 const ConvGraphSpec& spec, const EngineChoice& choice,
                                                 const std::string& where);

} // namespace heteroscope::compute::nvidia
