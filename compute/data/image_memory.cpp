// SPDX-License-Identifier: Apache-2.0
#include "compute/data/image_memory.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <utility>

namespace heteroscope::compute {
namespace {

/// Before each block; its size keeps the block aligned as malloc does.
struct alignas(std::max_align_t) BlockHead {
    std::size_t bytes;
};

thread_local ImageMemory* current = nullptr;

BlockHead* headOf(void* block) {
    return static_cast<BlockHead*>(block) - 1;
}

} // namespace

ImageMemory::ImageMemory(MemoryBudget& budget, std::string name) : m_budget(budget), m_name(std::move(name)) {
    current = this;
}

ImageMemory::~ImageMemory() {
    current = nullptr;
}

bool ImageMemory::take(std::size_t bytes) {
    const Status status = m_budget.charge(static_cast<std::int64_t>(bytes), "decoding the image", m_name);
    if (!status && !m_refusal)
        m_refusal = status.error();
    return status.ok();
}

void* imageMalloc(std::size_t bytes) {
    if (bytes > std::size_t{std::numeric_limits<std::int32_t>::max()} * 4 ||
        (current && !current->take(bytes)))
        return nullptr;
    auto* head = static_cast<BlockHead*>(std::calloc(1, sizeof(BlockHead) + bytes));
    if (!head) {
        if (current)
            current->giveBack(bytes);
        return nullptr;
    }
    head->bytes = bytes;
    return head + 1;
}

void* imageRealloc(void* block, std::size_t bytes) {
    void* const larger = imageMalloc(bytes);
    if (larger && block) {
        std::memcpy(larger, block, std::min(headOf(block)->bytes, bytes));
        imageFree(block);
    }
    return larger;
}

void imageFree(void* block) {
    if (!block)
        return;
    BlockHead* const head = headOf(block);
    if (current)
        current->giveBack(head->bytes);
    std::free(head);
}

} // namespace heteroscope::compute
