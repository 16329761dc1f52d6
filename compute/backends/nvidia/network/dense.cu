// SPDX-License-Identifier: Apache-2.0
// Dense layers as products whose operands lie as they are, transposed or not.
#include "compute/backends/nvidia/network/channel_sums.h"
#include "compute/backends/nvidia/network/network_kernels.h"
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
cudaError_t launchDense(const ProductSize& size, const A& a, const B& b, const float* bias,
                        const KernelOperands& o) {
    const Product<A, B, PlainResult> product{
        unsigned(size.m), unsigned(size.n), unsigned(size.k), 1, a, b, {o.dst[0], std::size_t(size.n), bias}};
    return launchProduct(product, o.workspace, o.multiprocessors, o.stream);
}

} // namespace

std::size_t workspaceOf(const DenseForward& op, int multiprocessors) {
    return productWorkspace(sizeOf(op), multiprocessors);
}
std::size_t workspaceOf(const DenseBackwardData& op, int multiprocessors) {
    return productWorkspace(sizeOf(op), multiprocessors);
}
std::size_t workspaceOf(const DenseBackwardWeights& op, int multiprocessors) {
    return productWorkspace(sizeOf(op), multiprocessors);
}

cudaError_t launch(const DenseForward& op, const KernelOperands& o) {
    const auto inputs = std::size_t(op.params.inputs);
    return launchDense(sizeOf(op), AlongK{o.src[0], inputs}, AlongK{o.src[1], inputs},
                       op.params.bias ? o.src[2] : nullptr, o);
}

cudaError_t launch(const DenseBackwardData& op, const KernelOperands& o) {
    return launchDense(sizeOf(op), AlongK{o.src[0], std::size_t(op.params.units)},
                       AcrossK{o.src[1], std::size_t(op.params.inputs)}, nullptr, o);
}

cudaError_t launch(const DenseBackwardWeights& op, const KernelOperands& o) {
    const cudaError_t code = launchDense(sizeOf(op), AcrossK{o.src[1], std::size_t(op.params.units)},
                                         AcrossK{o.src[0], std::size_t(op.params.inputs)}, nullptr, o);
    if (code != cudaSuccess || !op.params.bias)
        return code;
    return launchChannelSums({op.batch, op.params.units, 1, 1}, o.src[1], o.dst[1], o.workspace,
                             o.multiprocessors, o.stream);
}

} // namespace heteroscope::compute::nvidia
