// SPDX-License-Identifier: Apache-2.0
// What normalisations of batches and of layers share, forward and backward: memories that are given their
// pointers at each run, and the variance between the library's primitive and a loop of ours.
#pragma once

#include "compute/backends/onednn/onednn_ops.h"

#include <cstddef>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace heteroscope::compute::onednn {

class NormOp : public HostOp {
  protected:
    /// `data`: how the primitive is told that the images lie; `statistics`: how many means there are.
    NormOp(Context& context, const Op& op, std::string implementation, const Shape4& src,
           const dnnl::memory::desc& data, std::int64_t statistics, const dnnl::memory::desc& scratch)
        : HostOp(op, std::move(implementation)),
          m_src(src),
          m_variance(static_cast<std::size_t>(statistics)),
          m_name(opName(op)),
          m_context(context),
          m_data(data) {
        m_call[DNNL_ARG_SCRATCHPAD] = dnnl::memory(scratch, context.engine);
    }

    void set(int argument, const dnnl::memory::desc& layout, const float* values) {
        m_call[argument] = dnnl::memory(layout, m_context.engine, writable(values));
    }
    void setImages(int argument, const float* values) { set(argument, m_data, values); }

    /// The variance whose 1 / sqrt is given, with nothing added to it.
    void setVariance(const float* scales) {
        for (std::size_t i = 0; i < m_variance.size(); ++i) {
            const auto scale = static_cast<double>(scales[i]);
            m_variance[i] = static_cast<float>(1.0 / (scale * scale));
        }
    }

    Status submit(const dnnl::primitive& primitive) {
        try {
            const ThreadScope threads(m_context.threads);
            primitive.execute(m_context.stream, m_call);
            m_context.stream.wait();
        } catch (const dnnl::error& error) {
            return failure(m_name, error);
        }
        return {};
    }

    Shape4 m_src;
    std::vector<float> m_variance;

  private:
    std::string m_name;
    Context& m_context;
    dnnl::memory::desc m_data;
    std::unordered_map<int, dnnl::memory> m_call;
};

/// Of the operation: the first `images` inputs and the first output are images.
inline OpLayouts normLayouts(const Shape4& src, Order order, std::size_t images) {
    return {std::vector<OperandLayout>(images, imagesIn(src, order)), {imagesIn(src, order)}};
}

} // namespace heteroscope::compute::onednn
