// SPDX-License-Identifier: Apache-2.0
// Dense layers as products whose operands lie as they are, transposed or not.
#include "compute/backends/nvidia/network/channel_sums.h"
#include "compute/backends/nvidia/network/dense_kernels.h"
#include "compute/backends/nvidia/network/dense_small.h"
#include "compute/backends/nvidia/network/plain_operand.cuh"
#include "compute/backends/nvidia/network/tile_product.cuh"

namespace heteroscope::compute::nvidia {
namespace {

using AlongK = PlainOperand<true>;
using AcrossK = PlainOperand<false>;

ProductSize sizeOf(const DenseForward& op) {
    return {op.batch, op.params.units, op.params.inputs};
}
ProductSize sizeOf(const DenseBackwardData& op) {
    return {op.batch, op.params.inputs, op.params.units};
}
ProductSize sizeOf(const DenseBackwardWeights& op) {
    return {op.params.units, op.params.inputs, op.batch};
}

template <class A, class B>
cudaError_t launchDense(const ProductSize& size, const A& a, const B& b, const Epilogue& epilogue,
                        const KernelOperands& o) {
    const Product<A, B, PlainResult> product{unsigned(size.m),
                                             unsigned(size.n),
                                             unsigned(size.k),
                                             1,
                                             a,
                                             b,
                                             {o.dst[0], std::size_t(size.n), epilogue}};
    return launchProduct(product, o.workspace, o.device, o.stream);
}

} // namespace

std::size_t workspaceOf(const DenseForward& op, const DeviceLimits& device) {
    return takesSmallDense(op.params, op.batch) ? 0 : productWorkspace(sizeOf(op), device);
}
std::size_t workspaceOf(const DenseBackwardData& op, const DeviceLimits& device) {
    return takesSmallDense(op.params, op.batch) ? 0 : productWorkspace(sizeOf(op), device);
}
std::size_t workspaceOf(const DenseBackwardWeights& op, const DeviceLimits& device) {
    return takesSmallDense(op.params, op.batch) ? 0 : productWorkspace(sizeOf(op), device);
}

cudaError_t denseForward(const DenseForward& op, const Epilogue& epilogue, const KernelOperands& o) {
    if (takesSmallDense(op.params, op.batch))
        return smallForward(op.params, op.batch, epilogue, o.src[0], o.src[1], o.dst[0], o.stream);
    const auto inputs = std::size_t(op.params.inputs);
    return launchDense(sizeOf(op), AlongK{o.src[0], inputs}, AlongK{o.src[1], inputs}, epilogue, o);
}

cudaError_t denseBackwardData(const DenseBackwardData& op, const Epilogue& epilogue,
                              const KernelOperands& o) {
    if (takesSmallDense(op.params, op.batch))
        return smallBackwardData(op.params, op.batch, epilogue, o.src[0], o.src[1], o.dst[0], o.stream);
    return launchDense(sizeOf(op), AlongK{o.src[0], std::size_t(op.params.units)},
                       AcrossK{o.src[1], std::size_t(op.params.inputs)}, epilogue, o);
}

cudaError_t launch(const DenseForward& op, const KernelOperands& o) {
    Epilogue epilogue;
    epilogue.bias = op.params.bias ? o.src[2] : nullptr;
    return denseForward(op, epilogue, o);
}

cudaError_t launch(const DenseBackwardData& op, const KernelOperands& o) {
    return denseBackwardData(op, {}, o);
}

cudaError_t launch(const DenseBackwardWeights& op, const KernelOperands& o) {
    if (takesSmallDense(op.params, op.batch))
        return smallBackwardWeights(op.params, op.batch, o.src[0], o.src[1], o.dst[0],
                                    op.params.bias ? o.dst[1] : nullptr, o.stream);
    const cudaError_t code = launchDense(sizeOf(op), AcrossK{o.src[1], std::size_t(op.params.units)},
                                         AcrossK{o.src[0], std::size_t(op.params.inputs)}, {}, o);
    if (code != cudaSuccess || !op.params.bias)
        return code;
    return launchChannelSums({op.batch, op.params.units, 1, 1}, o.src[1], o.dst[1], o.workspace, o.device,
                             o.stream);
}

} // namespace heteroscope::compute::nvidia
