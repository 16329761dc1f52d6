// SPDX-License-Identifier: Apache-2.0
#include "compute/backends/onednn/layouts.h"

#include <algorithm>
#include <utility>

namespace heteroscope::compute::onednn {
namespace {

using dnnl::memory;

std::int64_t elementsOf(const Shape4& s) {
    return s.n * s.c * s.h * s.w;
}

/// Where two orders are the same memory, the first of them: with one channel or one pixel all are, with one
/// block of channels the last two.
Images simplest(Images images) {
    const Shape4& s = images.shape;
    if (s.c == 1 || s.h * s.w == 1)
        images.order = Order::Plain;
    else if (images.order == Order::Blocked && s.c == kBlock)
        images.order = Order::ChannelsLast;
    return images;
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

memory::desc imageDesc(const Shape4& s, Order order) {
    using enum memory::format_tag;
    const auto tag = order == Order::Plain ? nchw : order == Order::ChannelsLast ? nhwc : nChw16c;
    return {{s.n, s.c, s.h, s.w}, memory::data_type::f32, tag};
}

const char* orderName(Order order) {
    return order == Order::Plain ? "" : order == Order::ChannelsLast ? ":nhwc" : ":nChw16c";
}

std::unique_ptr<PreparedOp> onPlainMemory(Layouts& layouts, std::unique_ptr<PreparedOp> op) {
    return std::make_unique<PlainOp>(layouts, std::move(op));
}

void Layouts::keep(Keeps what, bool trains, int threads) {
    m_keeps = what;
    m_trains = trains;
    m_threads = threads;
}

Order Layouts::orderOf(const Shape4& images) const {
    if (m_keeps == Keeps::Nothing)
        return Order::Plain;
    if (m_keeps == Keeps::ChannelsLast)
        return Order::ChannelsLast;
    if (images.c % kBlock == 0)
        return Order::Blocked;
    return images.c <= kFewChannels ? Order::Plain : Order::ChannelsLast;
}

/// The first part that ends after `at`.
Layouts::Parts::const_iterator Layouts::firstBeyond(const float* at) const {
    auto part = m_parts.upper_bound(at);
    if (part != m_parts.begin() && std::prev(part)->second.end > at)
        --part;
    return part;
}

void Layouts::wrote(const float* at, std::int64_t elements, std::optional<Images> images) {
    if (!keeps() || elements <= 0)
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
    if (images)
        images = simplest(*images);
    if (images && images->order == Order::Plain)
        images.reset();
    m_parts[at] = {end, ++m_stamp, images};
}

const Layouts::Turn& Layouts::turnOf(const Images& from, Order to) {
    const Shape4& s = from.shape;
    const auto [found, isNew] = m_turns.try_emplace(
        {s.n, s.c, s.h, s.w, static_cast<std::int64_t>(from.order), static_cast<std::int64_t>(to)});
    Turn& turn = found->second;
    if (!isNew)
        return turn;
    turn.before = imageDesc(from.shape, from.order);
    turn.after = imageDesc(from.shape, to);
    turn.all = {{elementsOf(from.shape)}, memory::data_type::f32, memory::format_tag::a};
    using Description = dnnl::reorder::primitive_desc;
    turn.there = dnnl::reorder(Description(m_engine, turn.before, m_engine, turn.after));
    turn.back = dnnl::reorder(Description(m_engine, turn.all, m_engine, turn.all));
    return turn;
}

void Layouts::turn(const float* at, const Images& from, Order to) {
    const ThreadScope threads(m_threads);
    m_copy.resize(std::max(m_copy.size(), static_cast<std::size_t>(elementsOf(from.shape))));
    auto* values = const_cast<float*>(at); // they stay the same, in another order
    const Turn& turn = turnOf(from, to);
    memory before(turn.before, m_engine, values), after(turn.after, m_engine, m_copy.data());
    turn.there.execute(m_stream, before, after);
    memory copied(turn.all, m_engine, m_copy.data()), result(turn.all, m_engine, values);
    turn.back.execute(m_stream, copied, result);
    m_stream.wait();
}

void Layouts::makePlain(const float* at, std::int64_t elements) {
    const float* end = at + elements;
    for (auto it = firstBeyond(at); it != m_parts.end() && it->first < end; ++it) {
        Part& part = m_parts[it->first];
        if (!part.images)
            continue;
        turn(it->first, *part.images, Order::Plain);
        part.images.reset();
    }
}

void Layouts::make(const float* at, const Images& images) {
    const std::int64_t elements = elementsOf(images.shape);
    const Images wanted = simplest(images);
    auto found = imagesAt(at, elements);
    if (!keeps() || found == wanted)
        return;
    if (!found || found->shape != wanted.shape) {
        makePlain(at, elements);
        found = Images{wanted.shape, Order::Plain};
    }
    if (found->order == wanted.order)
        return;
    const std::uint64_t written = stamp(at, elements);
    turn(at, *found, wanted.order);
    wrote(at, elements, wanted);
    m_parts[at].stamp = written; // what lies there is as old as before
}

std::optional<Images> Layouts::imagesAt(const float* at, std::int64_t elements) const {
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
