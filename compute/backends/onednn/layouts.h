// SPDX-License-Identifier: Apache-2.0
// Which memory of a session holds images channels last, as the library is fastest with, instead of NCHW; and
// when memory was last written. Within a network results stay as they are computed until somebody wants them
// otherwise. One thread at a time.
#pragma once

#include "compute/core/backend.h"

#include <oneapi/dnnl/dnnl.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <omp.h>
#include <optional>
#include <vector>

namespace heteroscope::compute::onednn {

/// oneDNN's own threads are OpenMP's: this sets how many the calling thread's regions get, and undoes it.
class ThreadScope {
  public:
    explicit ThreadScope(int threads) : m_before(omp_get_max_threads()) { omp_set_num_threads(threads); }
    ~ThreadScope() { omp_set_num_threads(m_before); }
    ThreadScope(const ThreadScope&) = delete;
    ThreadScope& operator=(const ThreadScope&) = delete;

  private:
    int m_before;
};

/// Elements are floats. Nothing is noted before keep().
class Layouts {
  public:
    /// From here on; `threads` lay memory out again.
    void keep(int threads) {
        m_keeps = true;
        m_threads = threads;
    }
    bool keeps() const { return m_keeps; }

    /// The memory was written: `images` channels last, or plainly.
    void wrote(const float* at, std::int64_t elements, std::optional<Shape4> images = {});
    /// Lays memory out again where it is not as wanted. May throw dnnl::error.
    void makePlain(const float* at, std::int64_t elements);
    void makeChannelsLast(const float* at, const Shape4& images);
    /// The images that lie there channels last.
    std::optional<Shape4> channelsLast(const float* at, std::int64_t elements) const;
    /// Another number whenever any of the memory was written in between.
    std::uint64_t stamp(const float* at, std::int64_t elements) const;

  private:
    struct Part {
        const float* end;
        std::uint64_t stamp;
        std::optional<Shape4> images;
    };
    using Parts = std::map<const float*, Part>;

    Parts::const_iterator firstBeyond(const float* at) const;
    void turn(const float* at, const Shape4& images, bool channelsLast);

    bool m_keeps = false;
    int m_threads = 1;
    std::uint64_t m_stamp = 0;
    Parts m_parts; ///< by where they begin; they do not overlap
    dnnl::engine m_engine{dnnl::engine::kind::cpu, 0};
    dnnl::stream m_stream{m_engine};
    std::vector<float> m_copy;
};

/// NCHW, or channels last.
dnnl::memory::desc imageDesc(const Shape4& images, bool channelsLast);

/// An op that knows nothing of layouts, given plain memory.
std::unique_ptr<PreparedOp> onPlainMemory(Layouts& layouts, std::unique_ptr<PreparedOp> op);

} // namespace heteroscope::compute::onednn
