// SPDX-License-Identifier: Apache-2.0
// The operations of loop_ops.h as prepared ones.
#include "compute/backends/openmp/loop_ops.h"
#include "compute/backends/openmp/openmp_ops.h"

#include <algorithm>

namespace heteroscope::compute::openmp {
namespace {

/// Below this many bytes one thread is as fast as a team.
constexpr double kTeamBytes = 128.0 * 1024;

template <class One>
class LoopOp final : public HostOp {
  public:
    LoopOp(const One& op, const Settings& settings)
        : HostOp(op, implementationName(loopName(op), settings.simd)),
          m_op(op),
          m_threads(opMinimumBytes(op) < kTeamBytes ? 1 : settings.threads),
          m_loops(kernelsFor(settings.simd).loops) {}

  protected:
    Status execute(const HostOperands& operands, OpObserver* observer) override {
        compute(m_op, operands, Crew{m_threads, observer, m_loops});
        return {};
    }

  private:
    One m_op;
    int m_threads;
    const LoopKernels& m_loops;
};

struct Maker {
    const Settings& settings;

    template <class One>
    std::unique_ptr<PreparedOp> operator()(const One& op) const {
        if constexpr (LoopOperation<One>)
            return std::make_unique<LoopOp<One>>(op, settings);
        else
            return nullptr;
    }
};

} // namespace

bool isLoop(const Op& op) {
    return std::visit([]<class One>(const One&) { return LoopOperation<One>; }, op);
}

std::string loopName(const Op& op) {
    std::string name = opName(op);
    name.erase(std::min(name.find('.'), name.size()));
    std::replace(name.begin(), name.end(), ' ', '_');
    return name;
}

Result<std::unique_ptr<PreparedOp>> prepareLoop(const Op& op, const Settings& settings) {
    return std::visit(Maker{settings}, op);
}

} // namespace heteroscope::compute::openmp
