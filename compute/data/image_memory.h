// SPDX-License-Identifier: Apache-2.0
// The memory that the image library allocates, charged to a budget. Blocks know their size. While an
// ImageMemory lives, what its thread allocates here is charged to it; without one nothing is.
#pragma once

#include "compute/base/memory_budget.h"

#include <cstddef>
#include <optional>
#include <string>

namespace heteroscope::compute {

class ImageMemory {
  public:
    /// `name` of the file, for messages. The budget outlives this; one at a time on each thread.
    ImageMemory(MemoryBudget& budget, std::string name);
    ~ImageMemory();
    ImageMemory(const ImageMemory&) = delete;
    ImageMemory& operator=(const ImageMemory&) = delete;

    const std::optional<Error>& refusal() const {
        return m_refusal;
    } ///< of the budget: decoding has failed then

    bool take(std::size_t bytes);
    void giveBack(std::size_t bytes) { m_budget.release(static_cast<std::int64_t>(bytes)); }

  private:
    MemoryBudget& m_budget;
    std::string m_name;
    std::optional<Error> m_refusal;
};

// As malloc, realloc and free; null when the budget or the machine refuses. What is new is zero: of a damaged
// picture the decoder may leave places out, which must not hold what lay in memory before.
void* imageMalloc(std::size_t bytes);
void* imageRealloc(void* block, std::size_t bytes);
void imageFree(void* block);

} // namespace heteroscope::compute
