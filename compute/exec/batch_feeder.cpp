// SPDX-License-Identifier: Apache-2.0
#include "compute/exec/batch_feeder.h"

#include "compute/data/transforms.h"

#include <algorithm>
#include <cassert>
#include <string>

namespace heteroscope::compute {

void fillBatch(const Dataset& dataset, std::span<const std::int64_t> which, std::int64_t epoch,
               Batch& batch) {
    const auto image = static_cast<std::size_t>(*dataset.image.elements());
    const auto target = static_cast<std::size_t>(dataset.targetElements);
    batch.images.resize(which.size() * image);
    batch.targets.resize(which.size() * target);
    for (std::size_t i = 0; i < which.size(); ++i) {
        const auto index = static_cast<std::size_t>(which[i]);
        const auto values = std::span(batch.images).subspan(i * image, image);
        std::copy_n(dataset.training.images.data() + index * image, image, values.data());
        std::copy_n(dataset.training.targets.data() + index * target, target,
                    batch.targets.data() + i * target);
        applyTransforms(dataset.augmentations, dataset.image, {dataset.seed, epoch, which[i]}, values);
    }
}

BatchFeeder::BatchFeeder(const Dataset& dataset, std::int64_t batch)
    : m_dataset(dataset), m_batch(static_cast<std::size_t>(batch)), m_thread([this] { fill(); }) {}

BatchFeeder::~BatchFeeder() {
    {
        const std::lock_guard lock(m_mutex);
        m_over = true;
    }
    m_changed.notify_all();
    m_thread.join();
}

void BatchFeeder::begin(std::span<const std::int64_t> order, std::int64_t epoch) {
    std::unique_lock lock(m_mutex);
    ++m_round; // the batch that is being filled belongs to nobody
    m_changed.wait(lock, [this] { return !m_filling; });
    m_order.assign(order.begin(), order.end());
    m_epoch = epoch;
    m_filled = m_taken = 0;
    lock.unlock();
    m_changed.notify_all();
}

const Batch& BatchFeeder::next(OpObserver* observer) {
    std::unique_lock lock(m_mutex);
    assert((m_taken + 1) * m_batch <= m_order.size());
    const std::size_t mine = m_taken++; // frees the batch before
    m_changed.notify_all();
    const auto ready = [&] { return m_filled > mine; };
    if (!ready()) {
        if (observer != nullptr) {
            lock.unlock(); // an observer may take its time
            observer->opBegin({"wait for data", "batch " + std::to_string(mine + 1), "prefetch"});
            lock.lock();
        }
        m_changed.wait(lock, ready);
        if (observer != nullptr)
            observer->opEnd();
    }
    return m_slots[mine % kBatchesAhead];
}

void BatchFeeder::fill() {
    std::unique_lock lock(m_mutex);
    for (;;) {
        // The slot of batch m_filled is free when the batch kBatchesAhead before it has been given back.
        m_changed.wait(lock, [this] {
            const bool more = (m_filled + 1) * m_batch <= m_order.size();
            return m_over || (more && m_filled < m_taken + kBatchesAhead - 1);
        });
        if (m_over)
            return;
        const std::uint64_t round = m_round;
        const std::size_t mine = m_filled;
        const std::vector<std::int64_t> which(m_order.begin() + static_cast<std::ptrdiff_t>(mine * m_batch),
                                              m_order.begin() +
                                                  static_cast<std::ptrdiff_t>((mine + 1) * m_batch));
        const std::int64_t epoch = m_epoch;
        m_filling = true;
        lock.unlock();
        fillBatch(m_dataset, which, epoch, m_slots[mine % kBatchesAhead]);
        lock.lock();
        m_filling = false;
        if (round == m_round)
            ++m_filled;
        m_changed.notify_all();
    }
}

} // namespace heteroscope::compute
