// SPDX-License-Identifier: Apache-2.0
// The window strategy.
#include "compute/exec/window_work.h"

#include "compute/base/activity.h"
#include "compute/base/clock.h"
#include "compute/experiment/spec/enum_text.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace heteroscope::compute {
namespace {

constexpr std::int64_t kTimedEvery = 16;       // windows whose copies are timed: reading the clock costs too
constexpr std::int64_t kStopCheckEvery = 1024; // windows

std::vector<float> identityFilter(std::int64_t size) {
    std::vector<float> filter(static_cast<std::size_t>(size * size), 0.0f);
    for (std::int64_t i = 0; i < size; ++i)
        filter[static_cast<std::size_t>(i * size + i)] = 1.0f;
    return filter;
}

std::int64_t bytesOf(const std::vector<float>& values) {
    return static_cast<std::int64_t>(values.size() * sizeof(float));
}

/// What two readings of the clock cost: the smallest of many, since it is taken off each measured copy.
std::int64_t clockCostNs() {
    static const std::int64_t cost = [] {
        std::int64_t best = 1000;
        for (int i = 0; i < 1000; ++i) {
            const std::int64_t start = steadyNowNs();
            best = std::min(best, steadyNowNs() - start);
        }
        return best;
    }();
    return cost;
}

/// The first NaN, else the largest: as max pooling does it.
float maximum(const std::vector<float>& values) {
    float best = values.front();
    for (const float value : values)
        if (std::isnan(value) || value > best) {
            best = value;
            if (std::isnan(value))
                break;
        }
    return best;
}

} // namespace

/// Time of the copies, from the windows that were timed.
struct WindowWork::Clocks {
    std::int64_t timedWindows = 0, copyInNs = 0, copyOutNs = 0;

    bool pinned = false;

    TransferTotals totals(std::int64_t count, std::int64_t bytes, std::int64_t timedNs,
                          std::int64_t windows) const {
        TransferTotals total;
        total.count = count;
        total.bytes = bytes;
        total.pinnedBytes = pinned ? bytes : 0;
        const double timed = static_cast<double>(std::max<std::int64_t>(timedWindows, 1));
        total.ms = static_cast<double>(timedNs) * 1e-6 * static_cast<double>(windows) / timed;
        return total;
    }
};

Gemm windowProduct(const PoolingSpec& pooling) {
    const Extent2d kernel = pooling.params.kernel;
    return {kernel.h, kernel.w, kernel.w, std::string(enumText(pooling.windowMultiply))};
}

WindowWork::WindowWork(const PoolingSpec& pooling, const PointData& data, Session& session)
    : m_pooling(pooling),
      m_data(data),
      m_session(session),
      m_op(opName(PoolForward{pooling.params, data.srcShape})),
      m_detail(opDetail(PoolForward{pooling.params, data.srcShape})),
      m_filter(identityFilter(pooling.params.kernel.w)),
      m_window(static_cast<std::size_t>(pooling.params.kernel.h * pooling.params.kernel.w)),
      m_product(m_window.size()),
      m_output(static_cast<std::size_t>(data.dstShape.elements().value_or(0))) {}

Status WindowWork::allocate() {
    auto window = uploadedBuffer(m_session, m_window);
    auto filter = uploadedBuffer(m_session, m_filter);
    auto product = uploadedBuffer(m_session, m_product);
    for (const auto* buffer : {&window, &filter, &product})
        if (!*buffer)
            return buffer->error();
    m_deviceWindow = std::move(*window);
    m_deviceFilter = std::move(*filter);
    m_deviceProduct = std::move(*product);
    return {};
}

Status WindowWork::prepare() {
    setActivityStep(opName(windowProduct(m_pooling)));
    auto gemm = m_session.prepare(windowProduct(m_pooling));
    if (!gemm)
        return gemm.error();
    m_gemm = std::move(*gemm);
    return {};
}

/// Copies window `index` (over batch, channels, rows, columns of the output) together, zeros for padding.
void WindowWork::gather(std::int64_t index) {
    const PoolParams& params = m_pooling.params;
    const Shape4& src = m_data.srcShape;
    const std::int64_t column = index % m_data.dstShape.w;
    const std::int64_t row = index / m_data.dstShape.w % m_data.dstShape.h;
    const std::int64_t plane = index / (m_data.dstShape.w * m_data.dstShape.h);
    const std::int64_t top = row * params.stride.h - params.padding.top;
    const std::int64_t left = column * params.stride.w - params.padding.left;
    for (std::int64_t i = 0; i < params.kernel.h; ++i)
        for (std::int64_t j = 0; j < params.kernel.w; ++j) {
            const std::int64_t y = top + i, x = left + j;
            const bool inside = y >= 0 && y < src.h && x >= 0 && x < src.w;
            m_window[static_cast<std::size_t>(i * params.kernel.w + j)] =
                inside ? m_data.src[static_cast<std::size_t>((plane * src.h + y) * src.w + x)] : 0.0f;
        }
}

Status WindowWork::upload(DeviceBuffer& dst, const std::vector<float>& values, const char* phase,
                          OpObserver* observer) {
    const PhaseScope scope(observer, {m_op, m_detail, phase});
    return m_session.upload(dst, values.data(), static_cast<std::size_t>(bytesOf(values)), observer);
}

Status WindowWork::copyIn(OpObserver* observer) {
    if (const Status status = upload(*m_deviceWindow, m_window, "copy in", observer); !status)
        return status;
    if (m_pooling.windowFilter == WindowFilter::Constant)
        return {};
    return upload(*m_deviceFilter, m_filter, "filter", observer);
}

Status WindowWork::copyOut(OpObserver* observer) {
    const PhaseScope scope(observer, {m_op, m_detail, "copy out"});
    return m_session.download(m_product.data(), *m_deviceProduct,
                              static_cast<std::size_t>(bytesOf(m_product)), observer);
}

Status WindowWork::window(std::int64_t index, OpObserver* observer, Clocks* clocks) {
    gather(index);
    const std::int64_t start = clocks ? steadyNowNs() : 0;
    if (const Status status = copyIn(observer); !status)
        return status;
    if (clocks)
        clocks->copyInNs += std::max<std::int64_t>(steadyNowNs() - start - clockCostNs(), 0);
    const std::array<DeviceBuffer*, 2> src{m_deviceWindow.get(), m_deviceFilter.get()};
    DeviceBuffer* dst = m_deviceProduct.get();
    if (const Status status = m_gemm->run(src, {&dst, 1}, observer); !status)
        return status;
    if (clocks) // the copy back would otherwise be charged with the product it waits for
        if (const Status status = m_session.synchronize(); !status)
            return status;
    const std::int64_t back = clocks ? steadyNowNs() : 0;
    if (const Status status = copyOut(observer); !status)
        return status;
    if (clocks) {
        clocks->copyOutNs += std::max<std::int64_t>(steadyNowNs() - back - clockCostNs(), 0);
        ++clocks->timedWindows;
    }
    m_output[static_cast<std::size_t>(index)] = maximum(m_product);
    return {};
}

Status WindowWork::repeatOnce(const RepeatContext& context, Clocks& clocks) {
    const auto windows = static_cast<std::int64_t>(m_output.size());
    const PhaseScope rest(context.observer, {m_op, m_detail, "windows beyond the traced ones"});
    for (std::int64_t index = 0; index < windows; ++index) {
        if (index % kStopCheckEvery == 0 && context.stopped())
            return stoppedError();
        const bool timed = context.transfers && index % kTimedEvery == 0;
        OpObserver* observer = index < kTracedWindows ? context.observer : nullptr;
        if (const Status status = window(index, observer, timed ? &clocks : nullptr); !status)
            return status;
    }
    if (context.observer && windows > kTracedWindows)
        context.observer->windowsNotTraced(windows - kTracedWindows);
    return {};
}

Status WindowWork::repeat(int repetitions, const RepeatContext& context) {
    setActivityStep(opName(windowProduct(m_pooling)));
    Clocks clocks;
    clocks.pinned = m_session.pinnedTransfers();
    for (int i = 0; i < repetitions; ++i)
        if (const Status status = repeatOnce(context, clocks); !status)
            return status;
    if (!context.transfers)
        return m_session.synchronize();
    const auto windows = static_cast<std::int64_t>(m_output.size());
    const bool filterToo = m_pooling.windowFilter == WindowFilter::Transferred;
    const std::int64_t bytesIn = bytesOf(m_window) + (filterToo ? bytesOf(m_filter) : 0);
    context.transfers->h2d =
        clocks.totals(windows * (filterToo ? 2 : 1), windows * bytesIn, clocks.copyInNs, windows);
    context.transfers->d2h = clocks.totals(windows, windows * bytesOf(m_product), clocks.copyOutNs, windows);
    return m_session.synchronize();
}

Result<std::vector<OutputTensor>> WindowWork::outputs() {
    const double errorFloor = m_pooling.params.mode == PoolMode::Max ? 0.0 : kSumErrorFloor;
    std::vector<OutputTensor> tensors; // a list of initial values would copy what it is made of once more
    tensors.push_back({"output", m_data.dstShape, m_output, errorFloor});
    return tensors;
}

std::string WindowWork::implementation() const {
    return m_gemm ? "window:" + m_gemm->implementation() : std::string();
}

} // namespace heteroscope::compute
