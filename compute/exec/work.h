// SPDX-License-Identifier: Apache-2.0
// What a run does on a session: buffers, operations, repetitions, outputs. The session and the data outlive
// the work. One thread.
#pragma once

#include "compute/base/json.h"
#include "compute/core/backend.h"
#include "compute/exec/kept_training.h"
#include "compute/exec/point_data.h"
#include "compute/experiment/study_observer.h"

#include <atomic>
#include <memory>
#include <string>
#include <vector>

namespace heteroscope::compute {

struct OutputTensor {
    std::string name; ///< "output", "input.grad"
    Shape4 shape;
    std::vector<float> values;
    /// Elements are sums whose terms may cancel, and then hold little but their rounding: the errors of those
    /// smaller than this share of the largest are relative to that much of it. 0: each to itself.
    double errorFloor = 0;
};

/// Of sums of many layers, of which a small one says nothing, and of sums of one operation.
inline constexpr double kNetworkErrorFloor = 1.0, kSumErrorFloor = 0.01;

/// Copies that belong to every repetition (the window strategy's; the image strategy copies once, before).
struct WorkTransfers {
    TransferTotals h2d, d2h;
};

struct RepeatContext {
    OpObserver* observer = nullptr;          ///< nullptr: untraced
    const std::atomic<bool>* stop = nullptr; ///< looked at between repetitions, and between windows
    WorkTransfers* transfers = nullptr;      ///< filled per repetition when given
    StudyObserver* study = nullptr;          ///< hears what a training says; nullptr: nobody does
    int run = 0;                             ///< that it says it of

    bool stopped() const { return stop && stop->load(std::memory_order_relaxed); }
};

class Work {
  public:
    virtual ~Work() = default;

    /// Allocates and uploads the operands.
    virtual Status allocate() = 0;
    /// Binds the operations to implementations. Before or after allocate().
    virtual Status prepare() = 0;
    /// Does everything that often and waits for it. Cancelled when stopped on the way.
    virtual Status repeat(int repetitions, const RepeatContext& context) = 0;
    /// The first execution, after which outputs() are compared.
    virtual Status firstUse(const RepeatContext& context) { return repeat(1, context); }
    /// Repetitions build on one another: no warm-up, one repetition a sample, until stoppedBy() says why it
    /// is enough.
    virtual bool isProgressive() const { return false; }
    virtual Json stoppedBy() const { return nullptr; } ///< as in stop_rule.h; null while it goes on
    /// Before prepare(): where a progressive work keeps its states, and whether it goes on from there.
    virtual void keepState(const KeptStates&) {}
    /// After each timed sample, untimed. What it says goes to the log.
    virtual Result<std::string> afterSample(const RepeatContext&) { return std::string(); }
    /// How much of a repetition a traced one does, where a whole one would be too long.
    virtual double tracedShare() const { return 1.0; }
    /// How often a repetition does what workOps() lists.
    virtual double opsPerRepetition() const { return 1.0; }
    /// What is measured once beside the samples, untraced, for metrics().
    virtual Status measureExtras(const RepeatContext&) { return {}; }
    /// Figures of the whole run, by name with the unit.
    virtual Json metrics() const { return Json::object(); }
    /// Names of the parts that can be timed alone, e.g. "forward", "backward"; empty when there is one part.
    virtual std::vector<std::string> parts() const { return {}; }
    virtual Status repeatPart(std::size_t /*part*/, int /*repetitions*/, const RepeatContext&) { return {}; }
    /// The results of the last repetition, copied to the host.
    virtual Result<std::vector<OutputTensor>> outputs() = 0;
    /// Names of what runs, joined by ", ".
    virtual std::string implementation() const = 0;
};

/// The ops that a point needs, to ask a session whether it supports them.
std::vector<Op> workOps(const ExperimentSpec& pointSpec, const Shape4& srcShape);

/// What a work is for, as traces name it: "maxpool.forward", "training".
struct WorkPurpose {
    std::string name, detail;
};

/// What the point computes, whatever the strategy: the op that phases of a run are named after.
WorkPurpose purposeOf(const ExperimentSpec& pointSpec, const Shape4& srcShape);

std::unique_ptr<Work> makeWork(const ExperimentSpec& pointSpec, const PointData& data, Session& session);

/// Shared by the kinds of work: allocates a buffer and fills it.
Result<std::unique_ptr<DeviceBuffer>> uploadedBuffer(Session& session, const std::vector<float>& values);
/// As operations take them; the buffers stay with their owners.
std::vector<DeviceBuffer*> bufferPointers(const std::vector<std::unique_ptr<DeviceBuffer>>& buffers);

Error stoppedError();

} // namespace heteroscope::compute
