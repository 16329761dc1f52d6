// SPDX-License-Identifier: Apache-2.0
// Layouts of images and weights: which a sequence of operations keeps its images in, how an implementation
// wants its operands, and what people call a layout. Plain values; any thread.
#pragma once

#include "compute/core/backend.h"

#include <oneapi/dnnl/dnnl.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heteroscope::compute::onednn {

/// NCHW, NHWC, or NCHW with 16 channels of a pixel together (oneDNN's nChw16c).
enum class Order { Plain, ChannelsLast, Blocked };

inline constexpr std::int64_t kBlock = 16;      ///< channels
inline constexpr std::int64_t kFewChannels = 3; ///< as an image has

/// What a sequence keeps its images in.
enum class Keeps {
    Nothing,      ///< every result as documented
    ChannelsLast, ///< all of them
    Blocked       ///< those of whole blocks; up to 3 channels plain, as first convolutions like them
};

struct LayoutPolicy {
    Keeps keeps = Keeps::Nothing;
    bool trains = false; ///< weights change from step to step
    bool keepsLayouts() const { return keeps != Keeps::Nothing; }
    Order orderOf(const Shape4& images) const;
};

/// Blocks where gradients are computed, all convolutions fill blocks of channels (but the first, that reads
/// an image's) and the processor has the instructions that make blocks the fastest order; else channels last.
LayoutPolicy policyOf(const OpSequence& sequence);

dnnl::memory::desc imageDesc(const Shape4& images, Order order);
/// Row-major.
dnnl::memory::desc plainDesc(const dnnl::memory::dims& dims);
/// With what pads it.
inline std::int64_t floatsOf(const dnnl::memory::desc& desc) {
    return static_cast<std::int64_t>(desc.get_size() / sizeof(float));
}
/// ":nhwc", ":nChw16c", or nothing.
const char* orderName(Order order);
/// "nhwc", "OIhw16i16o". `letters`: of the dimensions, where there are as many.
std::string layoutName(const dnnl::memory::desc& desc, const std::string& letters);

/// Another layout than the documented one; nothing: the documented one.
using Layout = std::optional<dnnl::memory::desc>;

/// How an implementation reads or writes an operand.
struct OperandLayout {
    enum class Kind {
        Plain, ///< as documented
        Given, ///< as `wanted`
        Any,   ///< like all others of this kind
        Unread ///< given and not looked at
    };
    Kind kind = Kind::Plain;
    dnnl::memory::desc plain{}, wanted{}; ///< Given: as documented, and as the primitive takes it
    std::string letters = "nchw";         ///< of its dimensions
};

/// Operands beyond these are plain.
struct OpLayouts {
    std::vector<OperandLayout> src, dst;
};

/// Plainly where `wanted` is the same memory: with one channel or one pixel all orders are.
OperandLayout operandIn(const dnnl::memory::desc& plain, const dnnl::memory::desc& wanted,
                        const std::string& letters = "nchw");
OperandLayout imagesIn(const Shape4& images, Order order);
/// The layout, in one form for all that are the same memory.
Layout layoutOf(const OperandLayout& operand);
bool isReordered(const OpLayouts& layouts);
/// Of the copies in these layouts that operands in plain memory need.
std::size_t reorderedBytes(const OpLayouts& layouts);

} // namespace heteroscope::compute::onednn
