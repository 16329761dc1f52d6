// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/compute/onednn_backward.h"

#include <oneapi/dnnl/dnnl.hpp>

#include <omp.h>

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

} // namespace heteroscope::bench
