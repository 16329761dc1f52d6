// SPDX-License-Identifier: Apache-2.0
// The library's implementations of an operation, in its order.
#pragma once

#include <oneapi/dnnl/dnnl.hpp>

#include <memory>
#include <utility>

namespace heteroscope::compute::onednn {

/// oneDNN 2.6 goes on to the next implementation with the operation's description and the forward pass that
/// it was given (primitive_desc_iterator_t has pointers to them): both are kept here. Empty when there is
/// none, where that is allowed; else the constructors throw dnnl::error.
template <class Primitive>
class PrimitiveList {
  public:
    using Operation = typename Primitive::desc;
    using Description = typename Primitive::primitive_desc;

    PrimitiveList() = default;
    PrimitiveList(Operation operation, const dnnl::primitive_attr& attributes, const dnnl::engine& engine,
                  bool mayBeEmpty = false)
        : m_operation(std::make_shared<Operation>(std::move(operation))),
          m_description(*m_operation, attributes, engine, mayBeEmpty) {}
    /// A gradient. `forward`: not empty.
    template <class Forward>
    PrimitiveList(Operation operation, const dnnl::primitive_attr& attributes, const dnnl::engine& engine,
                  const PrimitiveList<Forward>& forward, bool mayBeEmpty = false)
        : m_operation(std::make_shared<Operation>(std::move(operation))),
          m_forward(std::make_shared<PrimitiveList<Forward>>(forward)),
          m_description(*m_operation, attributes, engine, *forward, mayBeEmpty) {}

    explicit operator bool() const { return m_operation != nullptr && static_cast<bool>(m_description); }
    const Description& operator*() const { return m_description; }
    const Description* operator->() const { return &m_description; }
    /// False when this was the last one; it stays as it is then.
    bool next() { return m_description.next_impl(); }

  private:
    std::shared_ptr<Operation> m_operation;
    std::shared_ptr<const void> m_forward; ///< shares what `forward` describes
    Description m_description;
};

} // namespace heteroscope::compute::onednn
