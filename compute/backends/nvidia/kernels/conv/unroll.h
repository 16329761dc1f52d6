// SPDX-License-Identifier: Apache-2.0
// The input of a convolution as a matrix with a row a weight and a column an output pixel, for libraries that
// only multiply matrices.
#pragma once

#include "compute/backends/nvidia/kernels/common/epilogue.h"
#include "compute/backends/nvidia/kernels/conv/conv_geometry.h"

#include <cuda_runtime_api.h>

namespace heteroscope::compute::nvidia {

/// Images [first, first + count) of src as count matrices (channels x window) x output pixels.
cudaError_t launchUnroll(const ConvParams& params, const Shape4& src, std::int64_t first, std::int64_t count,
                         const float* values, float* columns, cudaStream_t stream);
/// The reverse: every input element becomes the sum of the matrix' elements that come from it.
cudaError_t launchRollUp(const ConvParams& params, const Shape4& src, std::int64_t first, std::int64_t count,
                         const float* columns, float* gradient, cudaStream_t stream);

/// All images, with what follows in the network.
cudaError_t launchRollUp(const ConvGeometry& g, const Epilogue& epilogue, const float* columns,
                         float* gradient, cudaStream_t stream);

/// `products`: of each image planes of the input's size, one for each filter and place in the window; every
/// output becomes the sum of its filter's, each read where its place lies over the input.
cudaError_t launchAddPlaces(const ConvGeometry& g, const Epilogue& epilogue, const float* products,
                            float* dst, cudaStream_t stream);

} // namespace heteroscope::compute::nvidia
