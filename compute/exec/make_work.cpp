// SPDX-License-Identifier: Apache-2.0
// From a point to its operations.
#include "compute/base/activity.h"
#include "compute/exec/inference_work.h"
#include "compute/exec/network_work.h"
#include "compute/exec/op_work.h"
#include "compute/exec/training_work.h"
#include "compute/exec/window_work.h"

namespace heteroscope::compute {
namespace {

std::unique_ptr<Work> makeImagePooling(const PoolingSpec& pooling, const PointData& data, Session& session) {
    const PoolForward forward{pooling.params, data.srcShape};
    if (!pooling.backward)
        return std::make_unique<OpWork>(session,
                                        std::vector<OpStep>{{activity_step::kForward, forward, {0}, 1}},
                                        std::vector<const std::vector<float>*>{&data.src},
                                        std::vector<OpResult>{{"output", data.dstShape}});
    const PoolBackward backward{pooling.params, data.srcShape};
    return std::make_unique<OpWork>(
        session,
        std::vector<OpStep>{{activity_step::kForward, forward, {0}, 2},
                            {activity_step::kBackward, backward, {0, 1, 2}, 3}},
        std::vector<const std::vector<float>*>{&data.src, &data.dstGrad},
        std::vector<OpResult>{{"output", data.dstShape}, {"input.grad", data.srcShape}});
}

std::unique_ptr<Work> makeMatmul(const MatmulSpec& matmul, const PointData& data, Session& session) {
    return std::make_unique<OpWork>(
        session, std::vector<OpStep>{{"gemm", Gemm{matmul.m, matmul.n, matmul.k}, {0, 1}, 2}},
        std::vector<const std::vector<float>*>{&data.src, &data.right},
        std::vector<OpResult>{{"output", data.dstShape}});
}

std::vector<Op> networkOps(const NetworkExperiment& experiment) {
    std::vector<Op> ops;
    const auto plan = planNetwork(experiment.network, networkRequest(experiment), planOptions(experiment));
    if (plan)
        for (const PlanStep& step : plan->steps)
            ops.push_back(step.op);
    return ops;
}

std::unique_ptr<Work> makeNetworkWork(const NetworkExperiment& experiment, const PointData& data,
                                      Session& session) {
    if (experiment.trainsOnDataset())
        return std::make_unique<TrainingWork>(experiment, data, session);
    if (experiment.infersDataset())
        return std::make_unique<InferenceWork>(experiment, data, session);
    return std::make_unique<NetworkWork>(experiment, session);
}

} // namespace

std::vector<Op> workOps(const ExperimentSpec& pointSpec, const Shape4& srcShape) {
    if (pointSpec.kind == ExperimentKind::Matmul)
        return {Gemm{pointSpec.matmul.m, pointSpec.matmul.n, pointSpec.matmul.k}};
    if (pointSpec.kind == ExperimentKind::Network)
        return networkOps(pointSpec.network);
    const PoolingSpec& pooling = pointSpec.pooling;
    if (pooling.strategy == Strategy::Window)
        return {windowProduct(pooling)};
    std::vector<Op> ops{PoolForward{pooling.params, srcShape}};
    if (pooling.backward)
        ops.push_back(PoolBackward{pooling.params, srcShape});
    return ops;
}

WorkPurpose purposeOf(const ExperimentSpec& pointSpec, const Shape4& srcShape) {
    if (pointSpec.kind == ExperimentKind::Network) {
        const NetworkExperiment& network = pointSpec.network;
        return {network.task == Task::Train ? activity_step::kTraining : activity_step::kInference,
                "batch " + std::to_string(network.batch())};
    }
    const Op op = pointSpec.kind == ExperimentKind::Matmul
                      ? Op(Gemm{pointSpec.matmul.m, pointSpec.matmul.n, pointSpec.matmul.k})
                      : Op(PoolForward{pointSpec.pooling.params, srcShape});
    return {opName(op), opDetail(op)};
}

std::unique_ptr<Work> makeWork(const ExperimentSpec& pointSpec, const PointData& data, Session& session) {
    if (pointSpec.kind == ExperimentKind::Matmul)
        return makeMatmul(pointSpec.matmul, data, session);
    if (pointSpec.kind == ExperimentKind::Network)
        return makeNetworkWork(pointSpec.network, data, session);
    if (pointSpec.pooling.strategy == Strategy::Window)
        return std::make_unique<WindowWork>(pointSpec.pooling, data, session);
    return makeImagePooling(pointSpec.pooling, data, session);
}

} // namespace heteroscope::compute
