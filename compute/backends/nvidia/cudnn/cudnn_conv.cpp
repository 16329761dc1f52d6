// SPDX-License-Identifier: Apache-2.0
#include "compute/backends/nvidia/cudnn/cudnn_conv.h"

#include "compute/backends/nvidia/cudnn/cudnn_descriptors.h"
#include "compute/backends/nvidia/device/cuda_status.h"
#include "compute/backends/nvidia/kernels/norm/channel_sums.h"

#include <algorithm>
#include <array>
#include <utility>

namespace heteroscope::compute::nvidia {
namespace {

const float kOne = 1.0F, kZero = 0.0F;

struct Descriptions {
    TensorDescriptor src, dst, bias;
    FilterDescriptor weights;
    ConvolutionDescriptor conv;
};

/// One direction: the algorithms it may use with their names, cuDNN's heuristics, and the call.
struct Forward {
    using Algorithm = cudnnConvolutionFwdAlgo_t;
    using Found = cudnnConvolutionFwdAlgoPerf_t;
    static constexpr std::array<std::pair<Algorithm, const char*>, 3> kNames{
        {{CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM, "implicit_gemm"},
         {CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM, "implicit_precomp_gemm"},
         {CUDNN_CONVOLUTION_FWD_ALGO_GEMM, "gemm"}}};
    static cudnnStatus_t find(cudnnHandle_t handle, const Descriptions& d, int most, int* count,
                              Found* found) {
        return cudnnGetConvolutionForwardAlgorithm_v7(handle, d.src.get(), d.weights.get(), d.conv.get(),
                                                      d.dst.get(), most, count, found);
    }
    static cudnnStatus_t measure(cudnnHandle_t handle, const Descriptions& d, int most, int* count,
                                 Found* found) {
        return cudnnFindConvolutionForwardAlgorithm(handle, d.src.get(), d.weights.get(), d.conv.get(),
                                                    d.dst.get(), most, count, found);
    }
    static cudnnStatus_t call(cudnnHandle_t handle, const Descriptions& d, Algorithm algorithm,
                              const DeviceOperands& o, void* memory, std::size_t bytes) {
        return cudnnConvolutionForward(handle, &kOne, d.src.get(), o.src[0], d.weights.get(), o.src[1],
                                       d.conv.get(), algorithm, memory, bytes, &kZero, d.dst.get(), o.dst[0]);
    }
};

struct BackwardData {
    using Algorithm = cudnnConvolutionBwdDataAlgo_t;
    using Found = cudnnConvolutionBwdDataAlgoPerf_t;
    static constexpr std::array<std::pair<Algorithm, const char*>, 2> kNames{
        {{CUDNN_CONVOLUTION_BWD_DATA_ALGO_0, "algo_0"}, {CUDNN_CONVOLUTION_BWD_DATA_ALGO_1, "algo_1"}}};
    static cudnnStatus_t find(cudnnHandle_t handle, const Descriptions& d, int most, int* count,
                              Found* found) {
        return cudnnGetConvolutionBackwardDataAlgorithm_v7(handle, d.weights.get(), d.dst.get(), d.conv.get(),
                                                           d.src.get(), most, count, found);
    }
    static cudnnStatus_t measure(cudnnHandle_t handle, const Descriptions& d, int most, int* count,
                                 Found* found) {
        return cudnnFindConvolutionBackwardDataAlgorithm(handle, d.weights.get(), d.dst.get(), d.conv.get(),
                                                         d.src.get(), most, count, found);
    }
    static cudnnStatus_t call(cudnnHandle_t handle, const Descriptions& d, Algorithm algorithm,
                              const DeviceOperands& o, void* memory, std::size_t bytes) {
        return cudnnConvolutionBackwardData(handle, &kOne, d.weights.get(), o.src[1], d.dst.get(), o.src[0],
                                            d.conv.get(), algorithm, memory, bytes, &kZero, d.src.get(),
                                            o.dst[0]);
    }
};

struct BackwardWeights {
    using Algorithm = cudnnConvolutionBwdFilterAlgo_t;
    using Found = cudnnConvolutionBwdFilterAlgoPerf_t;
    static constexpr std::array<std::pair<Algorithm, const char*>, 3> kNames{
        {{CUDNN_CONVOLUTION_BWD_FILTER_ALGO_0, "algo_0"},
         {CUDNN_CONVOLUTION_BWD_FILTER_ALGO_1, "algo_1"},
         {CUDNN_CONVOLUTION_BWD_FILTER_ALGO_3, "algo_3"}}};
    static cudnnStatus_t find(cudnnHandle_t handle, const Descriptions& d, int most, int* count,
                              Found* found) {
        return cudnnGetConvolutionBackwardFilterAlgorithm_v7(handle, d.src.get(), d.dst.get(), d.conv.get(),
                                                             d.weights.get(), most, count, found);
    }
    static cudnnStatus_t measure(cudnnHandle_t handle, const Descriptions& d, int most, int* count,
                                 Found* found) {
        return cudnnFindConvolutionBackwardFilterAlgorithm(handle, d.src.get(), d.dst.get(), d.conv.get(),
                                                           d.weights.get(), most, count, found);
    }
    static cudnnStatus_t call(cudnnHandle_t handle, const Descriptions& d, Algorithm algorithm,
                              const DeviceOperands& o, void* memory, std::size_t bytes) {
        return cudnnConvolutionBackwardFilter(handle, &kOne, d.src.get(), o.src[0], d.dst.get(), o.src[1],
                                              d.conv.get(), algorithm, memory, bytes, &kZero, d.weights.get(),
                                              o.dst[0]);
    }
};

struct Problem {
    ConvParams params;
    Shape4 src;
};

template <class Direction>
class Convolution final : public CudaOp {
  public:
    Convolution(const CudaSession& session, cudnnHandle_t handle, const SharedWorkspace& workspace,
                const Op& op, std::string name, std::unique_ptr<Descriptions> descriptions,
                const typename Direction::Found& found, const Problem& problem, const Shape4& dst)
        : CudaOp(session, op, std::move(name)),
          m_handle(handle),
          m_workspace(workspace),
          m_d(std::move(descriptions)),
          m_algorithm(found.algo),
          m_bytes(found.memory),
          m_bias(problem.params.bias),
          m_dst(dst) {}

  protected:
    Status launch(const DeviceOperands& o) override {
        const Status status =
            cudnnStatus(Direction::call(m_handle, *m_d, m_algorithm, o,
                                        m_bytes == 0 ? nullptr : m_workspace.memory(session()), m_bytes),
                        implementation(), where());
        if (!status || !m_bias)
            return status;
        if constexpr (std::is_same_v<Direction, Forward>)
            return cudnnStatus(
                cudnnAddTensor(m_handle, &kOne, m_d->bias.get(), o.src[2], &kOne, m_d->dst.get(), o.dst[0]),
                "cudnnAddTensor", where());
        else if constexpr (std::is_same_v<Direction, BackwardWeights>)
            return cudaStatus(launchChannelSums(m_dst, o.src[1], o.dst[1], m_workspace.memory(session()),
                                                session().limits(), session().stream()),
                              "summing the bias' gradient", where());
        else
            return status;
    }

  private:
    cudnnHandle_t m_handle;
    const SharedWorkspace& m_workspace;
    std::unique_ptr<Descriptions> m_d;
    typename Direction::Algorithm m_algorithm;
    std::size_t m_bytes;
    bool m_bias;
    Shape4 m_dst;
};

template <class Direction>
const char* nameOf(typename Direction::Algorithm algorithm) {
    for (const auto& [known, name] : Direction::kNames)
        if (known == algorithm)
            return name;
    return nullptr; // a transform
}

/// The first that may be used here: in the order of cuDNN's heuristics, or of measured times where bits need
/// not be the same each time (the fastest would not be either).
template <class Direction>
Result<typename Direction::Found> choose(cudnnHandle_t handle, const Descriptions& d,
                                         const ConvChoice& choice, const std::string& where) {
    std::array<typename Direction::Found, 16> found{};
    int count = 0;
    const auto look = choice.deterministic ? Direction::find : Direction::measure;
    if (const Status status =
            cudnnStatus(look(handle, d, static_cast<int>(found.size()), &count, found.data()),
                        "looking for an algorithm", where);
        !status)
        return status.error();
    for (int i = 0; i < count; ++i) {
        const auto& one = found[static_cast<std::size_t>(i)];
        const bool repeats = one.determinism == CUDNN_DETERMINISTIC || !choice.deterministic;
        if (one.status == CUDNN_STATUS_SUCCESS && repeats &&
            (choice.tf32 || one.mathType == CUDNN_FMA_MATH) && one.memory <= kConvWorkspaceBytes &&
            nameOf<Direction>(one.algo) != nullptr)
            return one;
    }
    return Error{ErrorCode::TargetUnavailable,
                 "cuDNN offers no algorithm that sums in fp32 and gives the same bits each time",
                 where,
                 {},
                 "use cublas or cuda"};
}

template <class Direction>
Result<std::unique_ptr<PreparedOp>> prepare(const CudaSession& session, cudnnHandle_t handle,
                                            SharedWorkspace& workspace, const Op& op, const Problem& problem,
                                            const ConvChoice& choice) {
    const auto dst = convOutputShape(problem.params, problem.src);
    if (!dst)
        return dst.error();
    auto d = std::make_unique<Descriptions>();
    for (const Status& status :
         {d->src.set(problem.src), d->dst.set(*dst), d->bias.set({1, dst->c, 1, 1}),
          d->weights.set(problem.params, problem.src), d->conv.set(problem.params, choice.tf32)})
        if (!status)
            return status.error();
    const auto found = choose<Direction>(handle, *d, choice, "cudnn " + opName(op));
    if (!found)
        return found.error();
    const std::size_t bytes = std::max(found->memory, channelSumsWorkspace(*dst, session.limits()));
    if (const Status status = workspace.reserve(session, bytes); !status)
        return status.error();
    const std::string name =
        std::string("cudnn:conv2d:") + nameOf<Direction>(found->algo) + (choice.tf32 ? ":tf32" : "");
    return std::unique_ptr<PreparedOp>(std::make_unique<Convolution<Direction>>(
        session, handle, workspace, op, name, std::move(d), *found, problem, *dst));
}

} // namespace

Result<std::unique_ptr<PreparedOp>> prepareCudnnConv(const CudaSession& session, cudnnHandle_t handle,
                                                     SharedWorkspace& workspace, const Op& op,
                                                     const ConvChoice& choice) {
    return std::visit(
        [&]<class T>(const T& one) -> Result<std::unique_ptr<PreparedOp>> {
            if constexpr (std::is_same_v<T, ConvForward>)
                return prepare<Forward>(session, handle, workspace, op, {one.params, one.src}, choice);
            else if constexpr (std::is_same_v<T, ConvBackwardData>)
                return prepare<BackwardData>(session, handle, workspace, op, {one.params, one.src}, choice);
            else if constexpr (std::is_same_v<T, ConvBackwardWeights>)
                return prepare<BackwardWeights>(session, handle, workspace, op, {one.params, one.src},
                                                choice);
            else
                return Error{ErrorCode::TargetUnavailable, "no convolution", "cudnn " + opName(op), {}, {}};
        },
        op);
}

} // namespace heteroscope::compute::nvidia
