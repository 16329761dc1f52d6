// SPDX-License-Identifier: Apache-2.0
// Fills the batches of a training on a thread of its own, transforms and all, while steps run. Used from one
// thread; the dataset outlives it.
#pragma once

#include "compute/core/op_observer.h"
#include "compute/data/dataset.h"

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

namespace heteroscope::compute {

struct Batch {
    std::vector<float> images, targets;
};

/// Gathers the examples `which`; random transforms draw by dataset seed, `epoch` and number of the example.
void fillBatch(const Dataset& dataset, std::span<const std::int64_t> which, std::int64_t epoch, Batch& batch);

class BatchFeeder {
  public:
    BatchFeeder(const Dataset& dataset, std::int64_t batch);
    ~BatchFeeder();
    BatchFeeder(const BatchFeeder&) = delete;
    BatchFeeder& operator=(const BatchFeeder&) = delete;

    /// From now on the batches of `order`, one after the other; whole ones only. What was begun before is
    /// given up.
    void begin(std::span<const std::int64_t> order, std::int64_t epoch);
    /// The next batch, valid until the call after. Where it is not ready the observer sees the operation
    /// "wait for data".
    const Batch& next(OpObserver* observer);

  private:
    void fill();

    const Dataset& m_dataset;
    std::size_t m_batch;
    Batch m_slots[kBatchesAhead];
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::vector<std::int64_t> m_order; ///< guarded, as all that follows
    std::int64_t m_epoch = 0;
    std::uint64_t m_round = 0;             ///< how often begin() was called
    std::size_t m_filled = 0, m_taken = 0; ///< batches of the order
    bool m_filling = false, m_over = false;
    std::thread m_thread; ///< last: it uses all of the above
};

} // namespace heteroscope::compute
