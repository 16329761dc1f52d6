// SPDX-License-Identifier: Apache-2.0
// Which memory of a session holds images in an order that the library is faster with than NCHW, and when
// memory was last written. Within a network results stay as they are computed until somebody wants them
// otherwise. One thread at a time.
#pragma once

#include "compute/core/backend.h"

#include <oneapi/dnnl/dnnl.hpp>

#include <array>
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

/// NCHW, NHWC, or NCHW with 16 channels of a pixel together (oneDNN's nChw16c).
enum class Order { Plain, ChannelsLast, Blocked };

inline constexpr std::int64_t kBlock = 16;      ///< channels
inline constexpr std::int64_t kFewChannels = 3; ///< as an image has

struct Images {
    Shape4 shape;
    Order order = Order::Plain;
    bool operator==(const Images&) const = default;
};

/// What a network keeps its images in.
enum class Keeps {
    Nothing,      ///< every result as documented
    ChannelsLast, ///< all of them
    Blocked       ///< those of whole blocks; up to 3 channels plain, as first convolutions like them
};

/// Elements are floats. Nothing is noted before keep().
class Layouts {
  public:
    /// From here on; `threads` lay memory out again. `trains`: weights change from step to step.
    void keep(Keeps what, bool trains, int threads);
    bool keeps() const { return m_keeps != Keeps::Nothing; }
    bool trains() const { return m_trains; }
    /// How images of that shape are kept.
    Order orderOf(const Shape4& images) const;

    /// The memory was written: `images`, or plainly.
    void wrote(const float* at, std::int64_t elements, std::optional<Images> images = {});
    /// Lays memory out again where it is not as wanted. May throw dnnl::error.
    void makePlain(const float* at, std::int64_t elements);
    void make(const float* at, const Images& images);
    /// The images that lie there in another order than the plain one.
    std::optional<Images> imagesAt(const float* at, std::int64_t elements) const;
    /// Another number whenever any of the memory was written in between.
    std::uint64_t stamp(const float* at, std::int64_t elements) const;

  private:
    struct Part {
        const float* end;
        std::uint64_t stamp;
        std::optional<Images> images;
    };
    using Parts = std::map<const float*, Part>;
    /// Into the copy in another order, and back as it is; made once, as that takes longer than small images
    /// do.
    struct Turn {
        dnnl::memory::desc before, after, all;
        dnnl::reorder there, back;
    };

    Parts::const_iterator firstBeyond(const float* at) const;
    void turn(const float* at, const Images& from, Order to);
    const Turn& turnOf(const Images& from, Order to);

    Keeps m_keeps = Keeps::Nothing;
    bool m_trains = false;
    int m_threads = 1;
    std::uint64_t m_stamp = 0;
    Parts m_parts; ///< by where they begin; they do not overlap
    dnnl::engine m_engine{dnnl::engine::kind::cpu, 0};
    dnnl::stream m_stream{m_engine};
    std::map<std::array<std::int64_t, 6>, Turn> m_turns; ///< by shape and both orders
    std::vector<float> m_copy;
};

dnnl::memory::desc imageDesc(const Shape4& images, Order order);
/// ":nhwc", ":nChw16c", or nothing.
const char* orderName(Order order);

/// An op that knows nothing of layouts, given plain memory.
std::unique_ptr<PreparedOp> onPlainMemory(Layouts& layouts, std::unique_ptr<PreparedOp> op);

} // namespace heteroscope::compute::onednn
