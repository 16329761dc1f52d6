// SPDX-License-Identifier: Apache-2.0
#include "app/cli/evaluate_ops.h"

#include "app/cli/given_tensors.h"
#include "compute/base/units.h"
#include "compute/exec/work.h"

#include <algorithm>
#include <memory>

namespace heteroscope::cli {
namespace {

using compute::NpyArray;
using compute::NpzArrays;
using compute::Op;
using compute::Shape4;
using Buffers = std::vector<std::unique_ptr<compute::DeviceBuffer>>;

Status makeBuffers(compute::Session& session, const std::vector<std::int64_t>& elements, Buffers& buffers) {
    for (const std::int64_t count : elements) {
        auto buffer = session.allocate(static_cast<std::size_t>(count) * sizeof(float));
        if (!buffer)
            return buffer.error();
        buffers.push_back(std::move(*buffer));
    }
    return {};
}

Status checkMemory(const compute::Session& session, const compute::OperandSizes& sizes) {
    double bytes = 0;
    for (const auto* side : {&sizes.src, &sizes.dst})
        for (const std::int64_t count : *side)
            bytes += static_cast<double>(count) * sizeof(float);
    const auto available = static_cast<double>(session.device().memoryFreeBytes);
    if (bytes <= available)
        return {};
    return Error{ErrorCode::OutOfMemory,
                 "the tensors need " + formatBytes(bytes) + " on the device",
                 {},
                 "at most " + formatBytes(available) + " (free now)",
                 {}};
}

/// Runs an op that has one output on host data.
Result<std::vector<float>> runOp(compute::Session& session, const Op& op,
                                 const std::vector<const std::vector<float>*>& inputs) {
    const auto sizes = compute::operandElements(op);
    if (!sizes)
        return sizes.error();
    if (const Status status = checkMemory(session, *sizes); !status)
        return status.error();
    Buffers src, dst;
    if (const Status status = makeBuffers(session, sizes->src, src); !status)
        return status.error();
    if (const Status status = makeBuffers(session, sizes->dst, dst); !status)
        return status.error();
    for (std::size_t i = 0; i < src.size(); ++i)
        if (const Status s = session.upload(*src[i], inputs[i]->data(), src[i]->bytes()); !s)
            return s.error();
    auto prepared = session.prepare(op);
    if (!prepared)
        return prepared.error();
    if (const Status status =
            (*prepared)->run(compute::bufferPointers(src), compute::bufferPointers(dst), nullptr);
        !status)
        return status.error();
    std::vector<float> output(static_cast<std::size_t>(sizes->dst.at(0)));
    if (const Status s = session.download(output.data(), *dst[0], output.size() * sizeof(float)); !s)
        return s.error();
    if (const Status status = session.synchronize(); !status)
        return status.error();
    return output;
}

Shape4 shapeOf(const std::vector<std::int64_t>& dims) {
    Shape4 shape;
    std::int64_t* const fields[] = {&shape.w, &shape.h, &shape.c, &shape.n};
    for (std::size_t i = 0; i < dims.size(); ++i)
        *fields[i] = dims[dims.size() - 1 - i];
    return shape;
}

/// As many dimensions as the input had.
std::vector<std::int64_t> dimsOf(const Shape4& shape, std::size_t rank) {
    const std::vector<std::int64_t> all{shape.n, shape.c, shape.h, shape.w};
    return {all.end() - static_cast<std::ptrdiff_t>(rank), all.end()};
}

Result<NpzArrays> evaluatePooling(const compute::PoolParams& params, const NpzArrays& tensors, bool backward,
                                  compute::Session& session) {
    const auto input = tensor(tensors, "input");
    if (!input)
        return input.error();
    const auto& dims = (*input)->shape;
    if (dims.size() < 2 || dims.size() > 4)
        return badInput("tensor 'input'", "its shape is " + shapeText(dims), "two to four dimensions");
    const Shape4 src = shapeOf(dims);
    const auto dst = compute::poolOutputShape(params, src);
    if (!dst)
        return dst.error();
    auto output = runOp(session, compute::PoolForward{params, src}, {&(*input)->values});
    if (!output)
        return output.error();
    NpzArrays results;
    results["output"] = {dimsOf(*dst, dims.size()), std::move(*output)};
    if (!backward)
        return results;
    const auto gradient = tensorOfShape(tensors, "output.grad", results["output"].shape);
    if (!gradient)
        return gradient.error();
    auto inputGradient =
        runOp(session, compute::PoolBackward{params, src}, {&(*input)->values, &(*gradient)->values});
    if (!inputGradient)
        return inputGradient.error();
    results["input.grad"] = {dims, std::move(*inputGradient)};
    return results;
}

std::vector<float> transposed(const std::vector<float>& matrix, std::int64_t rows, std::int64_t columns) {
    std::vector<float> result(matrix.size());
    for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t j = 0; j < columns; ++j)
            result[static_cast<std::size_t>(j * rows + i)] =
                matrix[static_cast<std::size_t>(i * columns + j)];
    return result;
}

/// A' = G B^T and B' = A^T G; the transposes are made on the host.
Status addMatmulGradients(const NpyArray& a, const NpyArray& b, const NpyArray& gradient,
                          compute::Session& session, NpzArrays& results) {
    const std::int64_t m = a.shape[0], k = a.shape[1], n = b.shape[1];
    const std::vector<float> bTransposed = transposed(b.values, k, n),
                             aTransposed = transposed(a.values, m, k);
    auto left = runOp(session, compute::Gemm{m, k, n}, {&gradient.values, &bTransposed});
    if (!left)
        return left.error();
    auto right = runOp(session, compute::Gemm{k, n, m}, {&aTransposed, &gradient.values});
    if (!right)
        return right.error();
    results["input.grad"] = {a.shape, std::move(*left)};
    results["right.grad"] = {b.shape, std::move(*right)};
    return {};
}

Result<NpzArrays> evaluateMatmul(const NpzArrays& tensors, bool backward, compute::Session& session) {
    const auto a = tensor(tensors, "input");
    if (!a)
        return a.error();
    const auto b = tensor(tensors, "right");
    if (!b)
        return b.error();
    const auto &left = **a, &right = **b;
    if (left.shape.size() != 2 || right.shape.size() != 2 || left.shape[1] != right.shape[0])
        return badInput("tensors 'input' and 'right'",
                        "their shapes are " + shapeText(left.shape) + " and " + shapeText(right.shape),
                        "m x k and k x n");
    const std::int64_t m = left.shape[0], k = left.shape[1], n = right.shape[1];
    auto output = runOp(session, compute::Gemm{m, n, k}, {&left.values, &right.values});
    if (!output)
        return output.error();
    NpzArrays results;
    results["output"] = {{m, n}, std::move(*output)};
    if (!backward)
        return results;
    const auto gradient = tensorOfShape(tensors, "output.grad", {m, n});
    if (!gradient)
        return gradient.error();
    if (const Status status = addMatmulGradients(left, right, **gradient, session, results); !status)
        return status.error();
    return results;
}

bool anyEmpty(const NpzArrays& tensors) {
    return std::any_of(tensors.begin(), tensors.end(),
                       [](const auto& item) { return item.second.values.empty(); });
}

} // namespace

Result<NpzArrays> evaluateTensors(const compute::ExperimentSpec& spec, const NpzArrays& tensors,
                                  const EvaluateOptions& options, compute::Session& session) {
    if (anyEmpty(tensors))
        return badInput("--tensors", "a tensor has no elements", "at least one element in each dimension");
    if (spec.kind == compute::ExperimentKind::Network)
        return evaluateNetwork(spec.network, tensors, options, session);
    if (options.steps > 0 || !options.loss.empty() || !options.optimizer.empty())
        return badInput("--loss, --optimizer and --steps", "the experiment is no network", "a network");
    if (spec.kind == compute::ExperimentKind::Pooling)
        return evaluatePooling(spec.pooling.params, tensors, options.backward, session);
    return evaluateMatmul(tensors, options.backward, session);
}

} // namespace heteroscope::cli
