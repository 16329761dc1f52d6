// SPDX-License-Identifier: Apache-2.0
#include "profiling/trace/reclaim.h"

namespace heteroscope::profiling {

Reclaimer::Reading::Reading(const Reclaimer& owner) {
    while (true) {
        const std::uint64_t epoch = owner.m_epoch.load();
        m_count = &owner.m_slots[epoch & 1].readers;
        m_count->fetch_add(1);
        if (owner.m_epoch.load() == epoch)
            return;
        m_count->fetch_sub(1); // the writer moved on in between: count in the new epoch instead
    }
}

Reclaimer::Reading::~Reading() {
    m_count->fetch_sub(1);
}

void Reclaimer::collect() {
    const std::uint64_t epoch = m_epoch.load();
    if (m_slots[(epoch + 1) & 1].readers.load() != 0)
        return; // a reader of the previous epoch is still at work
    m_waiting.clear();
    if (m_retired.empty())
        return;
    std::swap(m_waiting, m_retired);
    m_epoch.store(epoch + 1);
}

} // namespace heteroscope::profiling
