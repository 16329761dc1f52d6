// SPDX-License-Identifier: Apache-2.0
// An experiment as typed values. The JSON form is the contract (DESIGN 5.1 / resources/help); spec_json.h
// converts. Plain values; any thread. The window uses this header too, so nothing here knows of backends.
#pragma once

#include "compute/base/json.h"
#include "compute/base/npy.h"
#include "compute/core/op.h"
#include "compute/core/target.h"
#include "compute/experiment/spec/data_spec.h"
#include "compute/model/learning_rate.h"
#include "compute/model/network_plan.h"
#include "compute/model/network_spec.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace heteroscope::compute {

enum class ExperimentKind { Pooling, Matmul, Network };

enum class InputSource { Random, Manual, Image, Npy };

/// Where the input of a pooling experiment comes from.
struct InputSpec {
    InputSource source = InputSource::Random;
    std::int64_t height = 1024, width = 1024; ///< JSON "size": N or [h, w]; images and npy bring their own
    std::int64_t channels = 1, batch = 1;
    std::int64_t low = 0, high = 9; ///< random integers, both included
    std::uint32_t seed = 35; ///< NumPy's legacy generator: np.random.seed(seed); randint(low, high + 1)
    std::vector<std::vector<double>> values; ///< manual: rows of equal length
    std::string path;                        ///< image, npy: relative to the experiment file
    bool grey = true;                        ///< image: JSON "color": "grey" | "rgb"
};

enum class Strategy { Image, Window };
enum class WindowMultiply { Guarded, Loops, Tiled };
enum class WindowFilter { Transferred, Constant };

struct PoolingSpec {
    PoolParams params;
    Strategy strategy = Strategy::Image;
    WindowMultiply windowMultiply = WindowMultiply::Guarded;
    WindowFilter windowFilter = WindowFilter::Transferred;
    bool backward =
        false; ///< also compute the gradient (of the output's sum weighted by a seeded random tensor)
    InputSpec input;
};

enum class MatmulRight { Random, Identity };

struct MatmulSpec {
    std::int64_t m = 512, n = 512, k = 512;
    MatmulRight right = MatmulRight::Random;
    std::uint32_t seed = 35;
};

enum class Task { Train, Infer };

enum class Initialization { HeNormal, HeUniform, XavierNormal, XavierUniform, Constant };

struct TrainingSpec {
    LossKind loss = LossKind::SoftmaxCrossEntropy;
    std::int64_t batch = 32;
    Initialization initialization = Initialization::HeNormal;
    double constant = 0.01; ///< of Initialization::Constant
    std::uint32_t seed = 1;
    OptimizerSpec optimizer;
    double learningRate = 0.01;
    ScheduleSpec schedule;         ///< with a dataset
    bool findLearningRate = false; ///< with a dataset: try rates instead of training
    bool gradientNorm = false;     ///< with a dataset: of all parameters, told of each step
    int epochs = 5;                ///< with a dataset
    /// Initial values by name ("conv1.weight"), read from NetworkExperiment::weights; what is not there is
    /// drawn.
    std::shared_ptr<const NamedArrays> weights;
    int patience = 0; ///< epochs without a better validation loss that end the training; 0: none do
};

struct NetworkExperiment {
    Task task = Task::Train;
    NetworkSpec network;
    std::string weights; ///< .npz or .onnx file relative to the experiment file; empty: none
    std::string onnx;    ///< the file that the layers were read from, likewise
    std::int64_t inferenceBatch = 1;
    TrainingSpec training;
    DataSpec data;

    /// Whether a repetition is an epoch over a dataset; else it is a step on one made-up batch.
    bool trainsOnDataset() const { return task == Task::Train && data.isDataset(); }
    /// Whether a repetition is an inference of every example of the dataset; else it is one made-up batch.
    bool infersDataset() const { return task == Task::Infer && data.isDataset(); }
    std::int64_t batch() const { return task == Task::Train ? training.batch : inferenceBatch; }
};

/// What a network experiment computes.
NetworkRequest networkRequest(const NetworkExperiment& experiment);
PlanOptions planOptions(const NetworkExperiment& experiment);
/// Of what measures a training beside it, or infers the last examples of a dataset.
PlanOptions measuringOptions(const NetworkExperiment& experiment);
/// How many examples the parts of a dataset have; an inference has a test part alone.
struct ExampleCounts {
    std::int64_t training = 0, validation = 0, test = 0;
    bool exact = true; ///< else estimated from the beginning of a file
};
/// The batches of the plans by measuringOptions(): a whole one where a training measures, and those that are
/// not full at the end of a part; where the numbers are not known, as many and as large as there can be.
std::vector<std::int64_t> batchesBeside(const NetworkExperiment& experiment,
                                        const std::optional<ExampleCounts>& examples);

enum class Preset { Quick, Standard, Thesis };

/// What the caches hold when a repetition begins: what the one before it left there, or nothing of it.
enum class CacheState { Warm, Flush };

struct SamplingSpec {
    Preset preset = Preset::Standard;
    std::optional<int> samples;         ///< fixed number; overrides the preset's rule
    std::optional<double> timeLimitS;   ///< per run
    std::optional<int> processes;       ///< fresh ones that take the samples; overrides the preset's number
    std::optional<double> warmupLimitS; ///< of a run in each process; kWarmUpLimitS
    CacheState cache = CacheState::Warm;
    int quietWaitS = 0; ///< for other programs to be done; of a run in each process
};

/// One axis: a JSON pointer into the experiment and the values it takes.
struct Axis {
    std::string pointer;
    std::vector<Json> values;
};

struct ExperimentSpec {
    ExperimentKind kind = ExperimentKind::Pooling;
    std::string name;
    std::string notes;
    PoolingSpec pooling;       ///< valid when kind == Pooling
    MatmulSpec matmul;         ///< valid when kind == Matmul
    NetworkExperiment network; ///< valid when kind == Network
    std::vector<Target> targets;
    std::vector<Axis> axes;
    SamplingSpec sampling;
    Json document;         ///< the file as given: what axes point into
    std::string directory; ///< folder of the file, for relative paths; may be empty
};

/// One point of a study: axis values and the experiment with them put in (axes empty).
struct ExperimentPoint {
    Json values; ///< object: axis pointer -> value; empty object when there is no axis
    ExperimentSpec spec;
};

} // namespace heteroscope::compute
