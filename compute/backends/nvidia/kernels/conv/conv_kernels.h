// SPDX-License-Identifier: Apache-2.0
// Convolutions as implicit matrix products, and by whichever kernel suits them.
#pragma once

#include "compute/backends/nvidia/device/device_limits.h"
#include "compute/backends/nvidia/kernels/common/epilogue.h"
#include "compute/backends/nvidia/kernels/conv/conv_geometry.h"
#include "compute/backends/nvidia/kernels/network_kernels.h"

#include <optional>
#include <string_view>
#include <vector>

namespace heteroscope::compute::nvidia {

/// Why the kernels do not compute it, a clause for people; empty where they do.
std::string_view gemmForwardRefusal(const ConvGeometry& g);
std::string_view gemmDataRefusal(const ConvGeometry& g);
std::string_view columnsDataRefusal(const ConvGeometry& g);
std::string_view gemmWeightsRefusal(const ConvGeometry& g);
std::string_view placesForwardRefusal(const ConvGeometry& g);
std::string_view placesWeightsRefusal(const ConvGeometry& g);

/// Cycles that the kernels are expected to take; infinite where they refuse. Fitted on an H100 to 210 drawn
/// convolutions (standard deviation of the logarithm of the ratio): the implicit products forward 0.11, of
/// the input's gradient 0.11, with strides 0.19, of the weights' 0.13; columns 0.13; the two by places 0.13
/// and 0.14.
double gemmForwardCycles(const ConvGeometry& g, const DeviceLimits& device);
double gemmDataCycles(const ConvGeometry& g, const DeviceLimits& device);
double columnsDataCycles(const ConvGeometry& g, const DeviceLimits& device);
double gemmWeightsCycles(const ConvGeometry& g, const DeviceLimits& device);
double placesForwardCycles(const ConvGeometry& g, const DeviceLimits& device);
double placesWeightsCycles(const ConvGeometry& g, const DeviceLimits& device);

std::size_t gemmForwardWorkspace(const ConvGeometry& g, const DeviceLimits& device);
std::size_t gemmDataWorkspace(const ConvGeometry& g, const DeviceLimits& device);
std::size_t gemmWeightsWorkspace(const ConvGeometry& g, const DeviceLimits& device);
std::size_t placesForwardWorkspace(const ConvGeometry& g, const DeviceLimits& device);
std::size_t placesWeightsWorkspace(const ConvGeometry& g, const DeviceLimits& device);

/// Groups times the slices of a product are blocks in a grid's z.
inline constexpr std::int64_t kMostGroups = 500;
inline constexpr std::string_view kTooManyGroups = "it takes at most 500 groups";
/// Phases of a gradient are blocks in a grid's y.
inline constexpr std::int64_t kMostPhases = 65535;

/// Operands as ConvForward, ConvBackwardData and ConvBackwardWeights name them; of the kernels for
/// weights only gemmBackwardWeights() computes the gradient of the bias.
cudaError_t gemmForward(const ConvGeometry& g, const Epilogue& epilogue, const KernelOperands& o);
cudaError_t gemmBackwardData(const ConvGeometry& g, const Epilogue& epilogue, const KernelOperands& o);
/// The gradient of the input as a matrix with a row a weight of a channel and a column an output pixel, which
/// a second kernel adds up (col2im): less work than the implicit product where channels are few, strides
/// large or paddings small, for as much memory as the matrix takes.
std::size_t columnsDataWorkspace(const ConvGeometry& g, const DeviceLimits& device);
cudaError_t columnsBackwardData(const ConvGeometry& g, const Epilogue& epilogue, const KernelOperands& o);
cudaError_t gemmBackwardWeights(const ConvGeometry& g, const KernelOperands& o);
/// With a row of the product for each filter and place in the window, over the input as it lies: where
/// filters are few, whose tiles would else be mostly empty. Forward a second kernel adds the places' results
/// up (kn2row).
cudaError_t placesForward(const ConvGeometry& g, const Epilogue& epilogue, const KernelOperands& o);
cudaError_t placesBackwardWeights(const ConvGeometry& g, const KernelOperands& o);

enum class ConvKernel { Window, ImplicitGemm, Columns, Direct, Places, Pointwise, Packed, Scaling, Winograd };

/// A kernel for a convolution or one of its gradients.
struct ConvCandidate {
    ConvKernel kernel;
    double cycles;            ///< expected; infinite where the kernel refuses
    std::string_view refusal; ///< a clause for people; empty: it computes it
};

/// "window", "implicit-gemm", "gemm-col2im", "direct", "gemm-kn2row", "pointwise", "packed-gemm", "scaling",
/// "winograd".
std::string_view convKernelName(ConvKernel kernel);
/// Whether it sums other products than those of the definition, so that rounding is larger.
bool transforms(ConvKernel kernel);
/// Nothing for another name.
std::optional<ConvKernel> convKernelFromName(std::string_view name);

/// Those that the operation has, the fastest first.
std::vector<ConvCandidate> convCandidates(const ConvForward& op, const DeviceLimits& device);
std::vector<ConvCandidate> convCandidates(const ConvBackwardData& op, const DeviceLimits& device);
std::vector<ConvCandidate> convCandidates(const ConvBackwardWeights& op, const DeviceLimits& device);

/// Scratch bytes, and the work, of one of the candidates whose cycles are finite.
std::size_t convWorkspace(const ConvForward& op, ConvKernel kernel, const DeviceLimits& device);
std::size_t convWorkspace(const ConvBackwardData& op, ConvKernel kernel, const DeviceLimits& device);
std::size_t convWorkspace(const ConvBackwardWeights& op, ConvKernel kernel, const DeviceLimits& device);
/// `pooled`: see windowForward(); only of ConvKernel::Window, else nullptr.
cudaError_t convForward(const ConvForward& op, ConvKernel kernel, const Epilogue& epilogue, float* pooled,
                        const KernelOperands& o);
cudaError_t convBackwardData(const ConvBackwardData& op, ConvKernel kernel, const Epilogue& epilogue,
                             const KernelOperands& o);
cudaError_t convBackwardWeights(const ConvBackwardWeights& op, ConvKernel kernel, const KernelOperands& o);

} // namespace heteroscope::compute::nvidia
