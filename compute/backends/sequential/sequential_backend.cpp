// SPDX-License-Identifier: Apache-2.0
// The op table of the sequential implementation: it does everything.
#include "compute/backends/sequential/sequential_backend.h"

#include "compute/backends/sequential/sequential_ops.h"
#include "compute/base/clock.h"
#include "compute/core/host_session.h"
#include "compute/core/target_options.h"

namespace heteroscope::compute {
namespace {

/// "sequential:conv2d": the first part of the operation's name, one for forward and backward.
std::string implementationName(const Op& op) {
    const std::string name = opName(op);
    const bool pooling = std::holds_alternative<PoolForward>(op) || std::holds_alternative<PoolBackward>(op);
    return "sequential:" + (pooling ? "pool" : name.substr(0, name.find('.')));
}

class SequentialOp final : public HostOp {
  public:
    SequentialOp(const Op& op, std::string implementation)
        : HostOp(op, std::move(implementation)), m_op(op) {}

  protected:
    Status execute(const HostOperands& operands, OpObserver* observer) override {
        const std::int64_t start = steadyNowNs();
        std::visit([&](const auto& op) { sequential::compute(op, operands); }, m_op);
        if (observer != nullptr)
            observer->threadShare(0, start, steadyNowNs());
        return {};
    }

  private:
    Op m_op;
};

class SequentialSession final : public HostSession {
  public:
    SequentialSession() : HostSession("sequential", 1) {}

  protected:
    void visitCandidates(const Op& op, const CandidateVisitor& visit) const override {
        const std::string name = implementationName(op);
        visit({"loops", name, {}, {}, [&op, name]() -> Result<std::unique_ptr<PreparedOp>> {
                   return std::unique_ptr<PreparedOp>(std::make_unique<SequentialOp>(op, name));
               }});
    }
};

class SequentialBackend final : public Backend {
  public:
    std::string_view id() const override { return "sequential"; }
    std::string_view deviceId() const override { return "cpu"; }

    ImplementationInfo describe() const override {
        return {"sequential",
                {},
                {},
                {},
                "Plain loops on one core: what every other implementation is compared with."};
    }

    Result<std::unique_ptr<Session>> open(const Target& target) override {
        if (const Status status = checkOptionNames(target, describe().options); !status)
            return status.error();
        return std::unique_ptr<Session>(std::make_unique<SequentialSession>());
    }
};

} // namespace

std::unique_ptr<Backend> makeSequentialBackend() {
    return std::make_unique<SequentialBackend>();
}

} // namespace heteroscope::compute
