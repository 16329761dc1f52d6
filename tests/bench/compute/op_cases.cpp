// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/compute/op_cases.h"

#include "compute/core/host_session.h"
#include "tests/bench/compute/onednn_alone.h"
#include "tests/bench/compute/openblas.h"

#include <cstdio>
#include <cstdlib>
#include <random>

namespace heteroscope::bench {

using namespace compute;

namespace {

[[noreturn]] void fail(const std::string& what) {
    std::fprintf(stderr, "bench_compute: %s\n", what.c_str());
    std::exit(1);
}

} // namespace

DeviceBuffer* Arena::make(std::int64_t elements) {
    auto buffer = allocateHostBuffer(static_cast<std::size_t>(elements) * sizeof(float));
    if (!buffer)
        fail(buffer.error().sentence());
    std::mt19937 random(m_seed++);
    float* values = data(buffer->get());
    for (std::int64_t i = 0; i < elements; ++i)
        values[i] = static_cast<float>(random()) * 0x1p-32F;
    m_buffers.push_back(std::move(*buffer));
    return m_buffers.back().get();
}

OpCases::OpCases(std::vector<std::string> targets, int threads) : m_threads(threads) {
    const BackendRegistry registry = makeBuiltinRegistry();
    for (std::string& target : targets) {
        auto session = registry.open(*parseTarget(target + "?threads=" + std::to_string(threads)));
        if (session)
            m_sessions.push_back({std::move(target), std::move(*session)});
        else
            std::fprintf(stderr, "%s\n", session.error().sentence().c_str());
    }
}

void OpCases::addOp(const std::string& group, const Op& op, std::vector<DeviceBuffer*> src,
                    std::vector<DeviceBuffer*> dst) {
    for (const Opened& opened : m_sessions) {
        if (!opened.session->supports(op).supported)
            continue;
        auto prepared = opened.session->prepare(op);
        if (!prepared)
            fail(prepared.error().sentence());
        m_prepared.emplace_back(std::move(*prepared));
        auto run = [one = m_prepared.back(), src, dst] {
            if (const Status status = one->run(src, dst, nullptr); !status)
                fail(status.error().sentence());
        };
        m_works.push_back({group, m_prepared.back()->implementation(), opMinimumBytes(op), opFlops(op), run});
    }
}

void OpCases::addPooling(const PoolParams& params, const Shape4& src) {
    const std::int64_t inputs = *src.elements();
    const std::int64_t outputs = *poolOutputShape(params, src)->elements();
    DeviceBuffer* const large = m_arena.make(inputs);
    DeviceBuffer* const small = m_arena.make(outputs);
    DeviceBuffer* const smallOut = m_arena.make(outputs);
    DeviceBuffer* const largeOut = m_arena.make(inputs);
    const LimitBuffers buffers{Arena::data(large), Arena::data(largeOut),
                               Arena::data(small), Arena::data(smallOut),
                               inputs / 4,         outputs == inputs};
    const Op forward = PoolForward{params, src};
    const Op backward = PoolBackward{params, src};
    const std::string forwardGroup = opName(forward) + " " + opDetail(forward);
    const std::string backwardGroup = opName(backward) + " " + opDetail(backward);
    addCopyLimits(m_works, forwardGroup, buffers, m_threads);
    addForwardLimits(m_works, forwardGroup, buffers, m_threads);
    addOp(forwardGroup, forward, {large}, {smallOut});
    addBackwardLimits(m_works, backwardGroup, buffers, m_threads);
    addOp(backwardGroup, backward, {large, small}, {largeOut});
    auto alone = onednnBackwardAlone(std::get<PoolBackward>(backward), buffers.large, buffers.small,
                                     buffers.largeOut, m_threads);
    if (alone)
        m_works.push_back({backwardGroup, "onednn, backward alone", opMinimumBytes(backward),
                           opFlops(backward), std::move(alone)});
}

void OpCases::addGemm(std::int64_t n) {
    DeviceBuffer* const a = m_arena.make(n * n);
    DeviceBuffer* const b = m_arena.make(n * n);
    DeviceBuffer* const c = m_arena.make(n * n);
    const Op op = Gemm{n, n, n};
    const std::string group = opName(op) + " " + opDetail(op);
    addOp(group, op, {a, b}, {c});
    std::string why;
    static const SquareGemm openblas = loadOpenblas(m_threads, why);
    if (!openblas) {
        std::fprintf(stderr, "no OpenBLAS: %s\n", why.c_str());
        return;
    }
    m_works.push_back({group, "OpenBLAS", opMinimumBytes(op), opFlops(op),
                       [=] { openblas(n, Arena::data(a), Arena::data(b), Arena::data(c)); }});
}

void OpCases::addConvolution(const ConvParams& params, const Shape4& src) {
    for (const Op& op : {Op(ConvForward{params, src}), Op(ConvBackwardData{params, src}),
                         Op(ConvBackwardWeights{params, src})}) {
        const auto sizes = operandElements(op);
        std::vector<DeviceBuffer*> from, to;
        for (const std::int64_t elements : sizes->src)
            from.push_back(m_arena.make(elements));
        for (const std::int64_t elements : sizes->dst)
            to.push_back(m_arena.make(elements));
        addOp(opName(op) + " " + opDetail(op), op, from, to);
    }
    const ConvForward forward{params, src};
    if (auto alone = onednnConvolutionAlone(forward, m_threads))
        m_works.push_back({opName(forward) + " " + opDetail(forward), "onednn, its own layouts",
                           opMinimumBytes(forward), opFlops(forward), std::move(alone)});
}

} // namespace heteroscope::bench
