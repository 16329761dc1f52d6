// SPDX-License-Identifier: Apache-2.0
// Pooling window by window: upload the window, multiply it with the identity filter, download the product,
// take its maximum on the host. Works on every backend. One thread.
#pragma once

#include "compute/exec/work.h"

namespace heteroscope::compute {

/// The product that every window goes through: kernel times identity, by the kernel the experiment names.
Gemm windowProduct(const PoolingSpec& pooling);

class WindowWork : public Work {
  public:
    WindowWork(const PoolingSpec& pooling, const PointData& data, Session& session);

    Status allocate() override;
    Status prepare() override;
    Status repeat(int repetitions, const RepeatContext& context) override;
    Result<std::vector<OutputTensor>> outputs() override;
    std::string implementation() const override;

    /// Windows of one repetition that a trace shows: more would fill it with millions of equal spans. The
    /// observer is told how many are left out.
    static constexpr std::int64_t kTracedWindows = 20000;

  private:
    struct Clocks;
    Status repeatOnce(const RepeatContext& context, Clocks& clocks);
    Status window(std::int64_t index, OpObserver* observer, Clocks* clocks);
    Status copyIn(OpObserver* observer);
    Status copyOut(OpObserver* observer);
    Status upload(DeviceBuffer& dst, const std::vector<float>& values, const char* phase,
                  OpObserver* observer);
    void gather(std::int64_t index);

    const PoolingSpec& m_pooling;
    const PointData& m_data;
    Session& m_session;
    const std::string m_op, m_detail; ///< of the pooling, which the phases are of
    std::vector<float> m_filter;      ///< identity, w x w
    std::vector<float> m_window;      ///< h x w, padding as zeros
    std::vector<float> m_product;     ///< h x w
    std::vector<float> m_output;
    std::unique_ptr<DeviceBuffer> m_deviceWindow, m_deviceFilter, m_deviceProduct;
    std::unique_ptr<PreparedOp> m_gemm;
};

} // namespace heteroscope::compute
