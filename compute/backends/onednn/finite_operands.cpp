// SPDX-License-Identifier: Apache-2.0
#include "compute/backends/onednn/finite_operands.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace heteroscope::compute::onednn {
namespace {

constexpr std::uint32_t kExponent = 0x7f800000; ///< all ones: infinity or NaN
constexpr std::int64_t kExamined = 4096;

bool allFinite(const float* values, std::int64_t elements) {
    std::uint32_t found = 0;
#pragma omp simd reduction(| : found)
    for (std::int64_t i = 0; i < elements; ++i)
        found |= (std::bit_cast<std::uint32_t>(values[i]) & kExponent) == kExponent ? 1U : 0U;
    return found == 0;
}

class CheckedOp final : public PreparedOp {
  public:
    CheckedOp(FiniteOperands& operands, std::string name, std::unique_ptr<PreparedOp> op)
        : m_operands(operands), m_name(std::move(name)), m_op(std::move(op)) {}
    const std::string& implementation() const override { return m_op->implementation(); }
    Status run(std::span<DeviceBuffer* const> src, std::span<DeviceBuffer* const> dst,
               OpObserver* observer) override {
        for (DeviceBuffer* buffer : src)
            if (const Status status = m_operands.check(static_cast<const float*>(buffer->hostPointer()),
                                                       elementsIn(*buffer), m_name);
                !status)
                return status;
        for (DeviceBuffer* buffer : dst)
            m_operands.computed(static_cast<const float*>(buffer->hostPointer()), elementsIn(*buffer));
        return m_op->run(src, dst, observer);
    }

  private:
    static std::int64_t elementsIn(const DeviceBuffer& buffer) {
        return static_cast<std::int64_t>(buffer.bytes() / sizeof(float));
    }

    FiniteOperands& m_operands;
    std::string m_name;
    std::unique_ptr<PreparedOp> m_op;
};

/// Whether the library's plain loop compares in a way that NaN does not pass.
bool isClamped(ActivationKind kind) {
    return kind == ActivationKind::Sigmoid || kind == ActivationKind::Gelu ||
           kind == ActivationKind::HardSwish;
}

} // namespace

const char* lossOfNan(const Op& op, std::string_view implementation) {
    const auto* activation = std::get_if<ActivationForward>(&op);
    const auto* derivative = std::get_if<ActivationBackward>(&op);
    const bool isPlain = implementation.find("ref") != std::string_view::npos;
    if (isPlain && activation != nullptr && isClamped(activation->kind))
        return "plain loops of sigmoid, GELU and hard swish turn NaN into a number";
    if (isPlain && derivative != nullptr && isClamped(derivative->kind))
        return "plain derivatives of sigmoid, GELU and hard swish turn NaN into a number";
    if (activation != nullptr &&
        (activation->kind == ActivationKind::Relu || activation->kind == ActivationKind::Relu6))
        return "ReLU turns NaN into 0";
    if (derivative != nullptr &&
        (derivative->kind == ActivationKind::Relu || derivative->kind == ActivationKind::Relu6 ||
         derivative->kind == ActivationKind::LeakyRelu))
        return "derivative of ReLU takes NaN for a positive number";
    if (derivative != nullptr && derivative->kind == ActivationKind::HardSwish)
        return "derivative of hard swish takes NaN for a number";
    const auto* forward = std::get_if<PoolForward>(&op);
    const auto* backward = std::get_if<PoolBackward>(&op);
    const PoolParams* const pool = forward != nullptr    ? &forward->params
                                   : backward != nullptr ? &backward->params
                                                         : nullptr;
    return pool != nullptr && pool->mode == PoolMode::Max ? "max pooling passes over NaN and minus infinity"
                                                          : nullptr;
}

std::int64_t firstNonFinite(const float* values, std::int64_t elements) {
    for (std::int64_t begin = 0; begin < elements; begin += kExamined) {
        const std::int64_t count = std::min(kExamined, elements - begin);
        if (allFinite(values + begin, count))
            continue;
        for (std::int64_t i = begin;; ++i)
            if (!allFinite(values + i, 1))
                return i;
    }
    return -1;
}

void FiniteOperands::require(std::string what) {
    if (!required())
        m_why = std::move(what);
}

void FiniteOperands::computed(const float* at, std::int64_t elements) {
    const float* const end = at + elements;
    for (auto it = m_uploaded.begin(); it != m_uploaded.end() && it->first < end;) {
        const auto [first, last] = *it;
        if (last <= at) {
            ++it;
            continue;
        }
        it = m_uploaded.erase(it);
        if (first < at)
            m_uploaded[first] = at;
        if (last > end)
            m_uploaded[end] = last;
    }
}

void FiniteOperands::uploaded(const float* at, std::int64_t elements) {
    computed(at, elements);
    if (elements > 0)
        m_uploaded[at] = at + elements;
}

Status FiniteOperands::check(const float* at, std::int64_t elements, const std::string& reader) {
    if (!required() || m_uploaded.empty())
        return {};
    const float* const end = at + elements;
    for (const auto& [first, last] : m_uploaded) {
        const float* const from = std::max(first, at);
        const std::int64_t count = std::min(last, end) - from;
        const std::int64_t found = count > 0 ? firstNonFinite(from, count) : -1;
        if (found >= 0)
            return refusal(reader, "values that it reads", from - at + found);
    }
    computed(at, elements); // not again
    return {};
}

Error FiniteOperands::refusal(const std::string& operation, const std::string& values,
                              std::int64_t index) const {
    return Error{ErrorCode::RunFailed,
                 "NaN or an infinity is among the " + values + " (element " + std::to_string(index) +
                     "), and oneDNN's " + m_why,
                 "onednn " + operation, "finite values",
                 "look for what is no number in the data and weights, or for a learning rate that is too "
                 "large; the other implementations keep NaN"};
}

Result<std::unique_ptr<PreparedOp>> checkedOp(FiniteOperands& operands, std::string name, const char* loss,
                                              Result<std::unique_ptr<PreparedOp>> op) {
    if (!op)
        return op;
    if (loss != nullptr)
        operands.require(loss);
    return std::unique_ptr<PreparedOp>(
        std::make_unique<CheckedOp>(operands, std::move(name), std::move(*op)));
}

} // namespace heteroscope::compute::onednn
