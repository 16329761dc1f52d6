// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/compute/onednn_alone.h"

#include <oneapi/dnnl/dnnl.hpp>

#include <algorithm>
#include <omp.h>
#include <unordered_map>
#include <utility>

namespace heteroscope::bench {

using dnnl::memory;

std::function<void()> onednnBackwardAlone(const compute::PoolBackward& op, const float* src,
                                          const float* dstGrad, float* srcGrad, int threads) {
    omp_set_num_threads(threads);
    const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
    const dnnl::stream stream(engine);
    const auto plain = [](const compute::Shape4& s) {
        return memory::desc({s.n, s.c, s.h, s.w}, memory::data_type::f32, memory::format_tag::nchw);
    };
    const auto& p = op.params;
    const memory::desc large = plain(op.src), small = plain(*compute::poolOutputShape(p, op.src));
    const memory::dims stride{p.stride.h, p.stride.w}, kernel{p.kernel.h, p.kernel.w},
        before{p.padding.top, p.padding.left}, after{p.padding.bottom, p.padding.right};
    const auto max = dnnl::algorithm::pooling_max;
    const dnnl::pooling_forward::primitive_desc forward(
        {dnnl::prop_kind::forward_training, max, large, small, stride, kernel, before, after}, engine);
    const dnnl::pooling_backward::primitive_desc backward({max, large, small, stride, kernel, before, after},
                                                          engine, forward);
    const memory input(large, engine, const_cast<float*>(src)), output(small, engine),
        workspace(forward.workspace_desc(), engine), gradient(small, engine, const_cast<float*>(dstGrad)),
        result(large, engine, srcGrad);
    dnnl::pooling_forward(forward).execute(
        stream, {{DNNL_ARG_SRC, input}, {DNNL_ARG_DST, output}, {DNNL_ARG_WORKSPACE, workspace}});
    return [=, primitive = dnnl::pooling_backward(backward)] {
        primitive.execute(
            stream,
            {{DNNL_ARG_DIFF_DST, gradient}, {DNNL_ARG_DIFF_SRC, result}, {DNNL_ARG_WORKSPACE, workspace}});
    };
}

std::function<void()> onednnConvolutionAlone(const compute::ConvForward& op, int threads) {
    omp_set_num_threads(threads);
    const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
    const dnnl::stream stream(engine);
    const auto any = [](memory::dims dims) {
        return memory::desc(std::move(dims), memory::data_type::f32, memory::format_tag::any);
    };
    const auto& p = op.params;
    const compute::Shape4 out = *compute::convOutputShape(p, op.src);
    const std::int64_t inputs = op.src.c / p.groups, filters = p.filters / p.groups;
    const memory::desc weights = p.groups == 1 ? any({filters, inputs, p.kernel.h, p.kernel.w})
                                               : any({p.groups, filters, inputs, p.kernel.h, p.kernel.w});
    const memory::desc bias = p.bias ? any({p.filters}) : memory::desc();
    const dnnl::convolution_forward::primitive_desc description(
        {dnnl::prop_kind::forward_inference,
         dnnl::algorithm::convolution_direct,
         any({op.src.n, op.src.c, op.src.h, op.src.w}),
         weights,
         bias,
         any({out.n, out.c, out.h, out.w}),
         {p.stride.h, p.stride.w},
         {p.dilation.h - 1, p.dilation.w - 1},
         {p.padding.top, p.padding.left},
         {p.padding.bottom, p.padding.right}},
        engine);
    const auto filled = [&](const memory::desc& layout) {
        memory values(layout, engine);
        auto* first = static_cast<float*>(values.get_data_handle());
        std::fill_n(first, layout.get_size() / sizeof(float), 0.5F); // no denormals, whose arithmetic is slow
        return values;
    };
    std::unordered_map<int, memory> arguments{{DNNL_ARG_SRC, filled(description.src_desc())},
                                              {DNNL_ARG_WEIGHTS, filled(description.weights_desc())},
                                              {DNNL_ARG_DST, filled(description.dst_desc())}};
    if (p.bias)
        arguments[DNNL_ARG_BIAS] = filled(description.bias_desc());
    return [=, primitive = dnnl::convolution_forward(description)] { primitive.execute(stream, arguments); };
}

} // namespace heteroscope::bench
