// SPDX-License-Identifier: Apache-2.0
#include "compute/backends/onednn/layouts.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace heteroscope::compute::onednn {
namespace {

using dnnl::memory;

std::int64_t elementsOf(const Shape4& s) {
    return s.n * s.c * s.h * s.w;
}

/// With one channel or one pixel both layouts are the same.
bool sameInBoth(const Shape4& s) {
    return s.c == 1 || s.h * s.w == 1;
}

const float* floats(DeviceBuffer& buffer) {
    return static_cast<const float*>(buffer.hostPointer());
}

std::int64_t elementsIn(const DeviceBuffer& buffer) {
    return static_cast<std::int64_t>(buffer.bytes() / sizeof(float));
}

class PlainOp final : public PreparedOp {
  public:
    PlainOp(Layouts& layouts, std::unique_ptr<PreparedOp> op) : m_layouts(layouts), m_op(std::move(op)) {}
    const std::string& implementation() const override { return m_op->implementation(); }
    Status run(std::span<DeviceBuffer* const> src, std::span<DeviceBuffer* const> dst,
               OpObserver* observer) override {
        try {
            for (DeviceBuffer* buffer : src)
                m_layouts.makePlain(floats(*buffer), elementsIn(*buffer));
        } catch (const dnnl::error& error) {
            return Error{ErrorCode::RunFailed, "oneDNN: " + std::string(error.what()), "layout", {}, {}};
        }
        const Status status = m_op->run(src, dst, observer);
        for (DeviceBuffer* buffer : dst)
            m_layouts.wrote(floats(*buffer), elementsIn(*buffer));
        return status;
    }

  private:
    Layouts& m_layouts;
    std::unique_ptr<PreparedOp> m_op;
};

} // namespace

memory::desc imageDesc(const Shape4& s, bool channelsLast) {
    return {{s.n, s.c, s.h, s.w},
            memory::data_type::f32,
            channelsLast ? memory::format_tag::nhwc : memory::format_tag::nchw};
}

std::unique_ptr<PreparedOp> onPlainMemory(Layouts& layouts, std::unique_ptr<PreparedOp> op) {
    return std::make_unique<PlainOp>(layouts, std::move(op));
}

/// The first part that ends after `at`.
Layouts::Parts::const_iterator Layouts::firstBeyond(const float* at) const {
    auto part = m_parts.upper_bound(at);
    if (part != m_parts.begin() && std::prev(part)->second.end > at)
        --part;
    return part;
}

void Layouts::wrote(const float* at, std::int64_t elements, std::optional<Shape4> images) {
    if (!m_keeps || elements <= 0)
        return;
    const float* end = at + elements;
    for (auto it = firstBeyond(at); it != m_parts.end() && it->first < end;) {
        const float* first = it->first;
        const Part part = it->second;
        it = m_parts.erase(it);
        if (first < at)
            m_parts.insert({first, {at, part.stamp, {}}});
        if (part.end > end)
            it = m_parts.insert({end, {part.end, part.stamp, {}}}).first;
    }
    if (images && sameInBoth(*images))
        images.reset();
    m_parts[at] = {end, ++m_stamp, images};
}

void Layouts::turn(const float* at, const Shape4& images, bool channelsLast) {
    const ThreadScope threads(m_threads);
    const std::int64_t elements = elementsOf(images);
    m_copy.resize(std::max(m_copy.size(), static_cast<std::size_t>(elements)));
    auto* from = const_cast<float*>(at); // the same values, laid out otherwise
    memory before(imageDesc(images, !channelsLast), m_engine, from);
    memory after(imageDesc(images, channelsLast), m_engine, m_copy.data());
    dnnl::reorder(before, after).execute(m_stream, before, after);
    m_stream.wait();
    std::memcpy(from, m_copy.data(), static_cast<std::size_t>(elements) * sizeof(float));
}

void Layouts::makePlain(const float* at, std::int64_t elements) {
    const float* end = at + elements;
    for (auto it = firstBeyond(at); it != m_parts.end() && it->first < end; ++it) {
        Part& part = m_parts[it->first];
        if (!part.images)
            continue;
        turn(it->first, *part.images, false);
        part.images.reset();
    }
}

void Layouts::makeChannelsLast(const float* at, const Shape4& images) {
    const std::int64_t elements = elementsOf(images);
    if (!m_keeps || channelsLast(at, elements) == images)
        return;
    makePlain(at, elements);
    if (sameInBoth(images))
        return;
    turn(at, images, true);
    wrote(at, elements, images);
}

std::optional<Shape4> Layouts::channelsLast(const float* at, std::int64_t elements) const {
    const auto part = m_parts.find(at);
    if (part == m_parts.end() || part->second.end != at + elements)
        return {};
    return part->second.images;
}

std::uint64_t Layouts::stamp(const float* at, std::int64_t elements) const {
    std::uint64_t latest = 0;
    for (auto it = firstBeyond(at); it != m_parts.end() && it->first < at + elements; ++it)
        latest = std::max(latest, it->second.stamp);
    return latest;
}

} // namespace heteroscope::compute::onednn
