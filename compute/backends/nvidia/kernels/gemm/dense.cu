// SPDX-License-Identifier: Apache-2.0
// Dense layers as products whose operands lie as they are, transposed or not.
#include "compute/backends/nvidia/kernels/gemm/dense_kernels.h"
#include "compute/backends/nvidia/kernels/gemm/dense_small.h"
#include "compute/backends/nvidia/kernels/gemm/plain_operand.cuh"
#include "compute/backends/nvidia/kernels/gemm/tile_product.cuh"
#include "compute/backends/nvidia/kernels/norm/channel_sums.h"

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

std::string_view denseKernelName(DenseKernel kernel) {
    return kernel == DenseKernel::SmallBatch ? "small-batch" : "gemm";
}

std::optional<DenseKernel> denseKernelFromName(std::string_view name) {
    for (const DenseKernel kernel : {DenseKernel::SmallBatch, DenseKernel::Gemm})
        if (name == denseKernelName(kernel))
            return kernel;
    return std::nullopt;
}

std::size_t denseWorkspace(const DenseForward& op, DenseKernel kernel, const DeviceLimits& device) {
    return kernel == DenseKernel::SmallBatch ? 0 : productWorkspace(sizeOf(op), device);
}
std::size_t denseWorkspace(const DenseBackwardData& op, DenseKernel kernel, const DeviceLimits& device) {
    return kernel == DenseKernel::SmallBatch ? 0 : productWorkspace(sizeOf(op), device);
}
std::size_t denseWorkspace(const DenseBackwardWeights& op, DenseKernel kernel, const DeviceLimits& device) {
    return kernel == DenseKernel::SmallBatch ? 0 : productWorkspace(sizeOf(op), device);
}

cudaError_t denseForward(const DenseForward& op, DenseKernel kernel, const Epilogue& epilogue,
                         const KernelOperands& o) {
    if (kernel == DenseKernel::SmallBatch)
        return smallForward(op.params, op.batch, epilogue, o.src[0], o.src[1], o.dst[0], o.stream);
    const auto inputs = std::size_t(op.params.inputs);
    return launchDense(sizeOf(op), AlongK{o.src[0], inputs}, AlongK{o.src[1], inputs}, epilogue, o);
}

cudaError_t denseBackwardData(const DenseBackwardData& op, DenseKernel kernel, const Epilogue& epilogue,
                              const KernelOperands& o) {
    if (kernel == DenseKernel::SmallBatch)
        return smallBackwardData(op.params, op.batch, epilogue, o.src[0], o.src[1], o.dst[0], o.stream);
    return launchDense(sizeOf(op), AlongK{o.src[0], std::size_t(op.params.units)},
                       AcrossK{o.src[1], std::size_t(op.params.inputs)}, epilogue, o);
}

cudaError_t denseBackwardWeights(const DenseBackwardWeights& op, DenseKernel kernel,
                                 const KernelOperands& o) {
    if (kernel == DenseKernel::SmallBatch)
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
