// SPDX-License-Identifier: Apache-2.0
#include "compute/backends/nvidia/cublas/cublas_network.h"

#include "compute/backends/nvidia/cublas/lt_op.h"
#include "compute/backends/nvidia/device/cuda_status.h"
#include "compute/backends/nvidia/kernels/conv/unroll.h"
#include "compute/backends/nvidia/kernels/norm/channel_sums.h"

#include <algorithm>
#include <type_traits>
#include <utility>

namespace heteroscope::compute::nvidia {
namespace {

/// The unrolled images of one round take at most that much, but always one image.
constexpr std::int64_t kMostUnrolled = std::int64_t{256} << 20;

/// Sizes of a convolution as products of one image and group.
struct Unrolled {
    ConvParams params;
    Shape4 src, dst;
    std::int64_t filters, depth, pixels; ///< of a group: filters, weights of a filter; output pixels
    bool plain;                          ///< windows of one element: the input is its own unrolled form

    Unrolled(const ConvParams& p, const Shape4& shape)
        : params(p),
          src(shape),
          dst(convOutputShape(p, shape) ? *convOutputShape(p, shape) : Shape4{}),
          filters(p.filters / p.groups),
          depth(shape.c / p.groups * p.kernel.h * p.kernel.w),
          pixels(dst.h * dst.w),
          plain(p.kernel == Extent2d{1, 1} && p.stride == Extent2d{1, 1} && p.padding == Padding2d{}) {}

    std::int64_t imageFloats() const { return params.groups * depth * pixels; }
    std::int64_t imagesAtOnce() const {
        const std::int64_t bytes = imageFloats() * 4;
        return std::clamp<std::int64_t>(kMostUnrolled / bytes, 1, src.n);
    }
    std::size_t bytes() const {
        return plain ? 0 : static_cast<std::size_t>(imagesAtOnce() * imageFloats() * 4);
    }
    /// How many images' gradients of the weights are kept apart until they are summed; 1: each is added to
    /// the one before.
    std::int64_t sums() const {
        const std::int64_t bytes = weights() * 4;
        return params.groups > 1 ? 1 : std::clamp<std::int64_t>(kMostUnrolled / bytes, 1, imagesAtOnce());
    }
    Shape4 sumShape() const { return {sums(), weights(), 1, 1}; }
    std::size_t sumBytes() const {
        return sums() == 1 ? 0 : static_cast<std::size_t>(sums() * weights() * 4);
    }
    std::int64_t srcImage() const { return src.c * src.h * src.w; }
    std::int64_t dstImage() const { return dst.c * pixels; }
    std::int64_t weights() const { return filters * depth; } ///< of a group
};

class CublasProduct : public CudaOp {
  public:
    CublasProduct(const CudaSession& session, const Op& op, std::string implementation,
                  const CublasHandle& handle, const SharedWorkspace& workspace)
        : CudaOp(session, op, std::move(implementation)), m_handle(handle), m_workspace(workspace) {}

  protected:
    Status run(const RowMajor& product) const {
        const auto handle = m_handle.use();
        if (!handle)
            return handle.error();
        return cublasStatus(multiply(*handle, product), "cublasSgemmStridedBatched", where());
    }
    Status ran(cudaError_t code) const { return cudaStatus(code, "launching " + implementation(), where()); }
    float* scratch() const { return static_cast<float*>(m_workspace.memory(session())); }
    Status addBias(const Shape4& shape, const float* bias, float* values) const {
        return ran(launchAddBias(shape, bias, values, session().stream()));
    }
    Status sumBias(const Shape4& shape, const float* gradient, float* sums) const {
        return ran(launchChannelSums(shape, gradient, sums, m_workspace.memory(session()), session().limits(),
                                     session().stream()));
    }

  private:
    const CublasHandle& m_handle;
    const SharedWorkspace& m_workspace;
};

/// With the bias in a kernel of its own, and in parts where an extent is larger than cuBLAS computes.
template <class DenseOp>
class Dense final : public CublasProduct {
  public:
    Dense(const CudaSession& session, const DenseOp& op, std::string implementation,
          const CublasHandle& handle, const SharedWorkspace& workspace)
        : CublasProduct(session, op, std::move(implementation), handle, workspace), m_op(op) {}

  protected:
    Status launch(const DeviceOperands& o) override {
        constexpr bool kForWeights = std::is_same_v<DenseOp, DenseBackwardWeights>;
        RowMajor product = denseProduct(m_op);
        product.a = o.src[kForWeights ? 1 : 0], product.b = o.src[kForWeights ? 0 : 1], product.c = o.dst[0];
        const Status status = run(product);
        if (!status || !m_op.params.bias)
            return status;
        const Shape4 dst{m_op.batch, m_op.params.units, 1, 1};
        if constexpr (std::is_same_v<DenseOp, DenseForward>)
            return addBias(dst, o.src[2], o.dst[0]);
        return kForWeights ? sumBias(dst, o.src[1], o.dst[1]) : Status{};
    }

  private:
    DenseOp m_op;
};

template <class ConvOp>
class Convolution final : public CublasProduct {
  public:
    Convolution(const CudaSession& session, const ConvOp& op, std::string implementation,
                const CublasHandle& handle, const SharedWorkspace& workspace)
        : CublasProduct(session, op, std::move(implementation), handle, workspace),
          m_op(op),
          m_sizes(op.params, op.src) {}

  protected:
    Status launch(const DeviceOperands& o) override {
        const std::int64_t step = m_sizes.imagesAtOnce();
        for (std::int64_t first = 0; first < m_sizes.src.n; first += step)
            if (const Status status = images(m_op, o, first, std::min(step, m_sizes.src.n - first)); !status)
                return status;
        return finish(m_op, o);
    }

  private:
    /// The images from `first` on, unrolled; of windows of one element as they are.
    Result<const float*> unrolled(const float* src, std::int64_t first, std::int64_t count) const {
        if (m_sizes.plain)
            return src + first * m_sizes.srcImage();
        if (const Status status = ran(
                launchUnroll(m_sizes.params, m_sizes.src, first, count, src, scratch(), session().stream()));
            !status)
            return status.error();
        return static_cast<const float*>(scratch());
    }

    /// With one group a batch of images, else a batch of groups for each image; the product is made for the
    /// pointers of (image, group) zero.
    Status each(RowMajor product, std::int64_t count, const RowMajor& imageStride,
                const RowMajor& groupStride) const {
        const bool oneGroup = m_sizes.params.groups == 1;
        const RowMajor& inner = oneGroup ? imageStride : groupStride;
        product.count = oneGroup ? count : m_sizes.params.groups;
        product.strideA = inner.strideA, product.strideB = inner.strideB, product.strideC = inner.strideC;
        for (std::int64_t image = 0; image < (oneGroup ? 1 : count); ++image) {
            if (const Status status = run(product); !status)
                return status;
            product.a += imageStride.strideA, product.b += imageStride.strideB,
                product.c += imageStride.strideC;
        }
        return {};
    }

    static RowMajor strides(std::int64_t a, std::int64_t b, std::int64_t c) {
        RowMajor result;
        result.strideA = a, result.strideB = b, result.strideC = c;
        return result;
    }

    Status images(const ConvForward&, const DeviceOperands& o, std::int64_t first, std::int64_t count) const {
        const Unrolled& s = m_sizes;
        const auto columns = unrolled(o.src[0], first, count);
        if (!columns)
            return columns.error();
        const RowMajor product{false,   false,    s.filters, s.pixels,
                               s.depth, o.src[1], *columns,  o.dst[0] + first * s.dstImage()};
        return each(product, count, strides(0, s.imageFloats(), s.dstImage()),
                    strides(s.weights(), s.depth * s.pixels, s.filters * s.pixels));
    }

    Status images(const ConvBackwardData&, const DeviceOperands& o, std::int64_t first,
                  std::int64_t count) const {
        const Unrolled& s = m_sizes;
        float* columns = s.plain ? o.dst[0] + first * s.srcImage() : scratch();
        const RowMajor product{
            true, false, s.depth, s.pixels, s.filters, o.src[1], o.src[0] + first * s.dstImage(), columns};
        const Status status = each(product, count, strides(0, s.dstImage(), s.imageFloats()),
                                   strides(s.weights(), s.filters * s.pixels, s.depth * s.pixels));
        if (!status || s.plain)
            return status;
        return ran(launchRollUp(s.params, s.src, first, count, columns, o.dst[0], session().stream()));
    }

    Status images(const ConvBackwardWeights&, const DeviceOperands& o, std::int64_t first,
                  std::int64_t count) const {
        const Unrolled& s = m_sizes;
        const auto columns = unrolled(o.src[0], first, count);
        if (!columns)
            return columns.error();
        RowMajor product{false,    true,    s.filters, s.depth, s.pixels, o.src[1] + first * s.dstImage(),
                         *columns, o.dst[0]};
        const std::int64_t atOnce = s.sums();
        if (atOnce == 1) { // image after image, each added to the one before
            product.count = s.params.groups;
            product.strideA = s.filters * s.pixels, product.strideB = s.depth * s.pixels;
        } else {
            product.strideA = s.dstImage(), product.strideB = s.imageFloats();
            product.c = imageSums();
        }
        product.strideC = s.weights();
        for (std::int64_t image = 0; image < count; image += atOnce) {
            if (atOnce > 1)
                product.count = std::min(atOnce, count - image);
            product.keep = first + image == 0 ? 0.0F : 1.0F;
            if (const Status status = run(product); !status)
                return status;
            product.a += atOnce * s.dstImage(), product.b += atOnce * s.imageFloats();
        }
        return {};
    }
    float* imageSums() const { return scratch() + m_sizes.bytes() / sizeof(float); }

    Status finish(const ConvForward& op, const DeviceOperands& o) const {
        return op.params.bias ? addBias(m_sizes.dst, o.src[2], o.dst[0]) : Status{};
    }
    Status finish(const ConvBackwardData&, const DeviceOperands&) const { return {}; }
    Status finish(const ConvBackwardWeights& op, const DeviceOperands& o) const {
        if (m_sizes.sums() > 1)
            if (const Status status = sumImages(o.dst[0]); !status)
                return status;
        return op.params.bias ? sumBias(m_sizes.dst, o.src[1], o.dst[1]) : Status{};
    }
    Status sumImages(float* gradient) const {
        char* const workspace = reinterpret_cast<char*>(imageSums()) + m_sizes.sumBytes();
        return ran(launchChannelSums(m_sizes.sumShape(), imageSums(), gradient, workspace, session().limits(),
                                     session().stream()));
    }

    ConvOp m_op;
    Unrolled m_sizes;
};

template <class T>
concept ConvolutionOp = requires(const T& op) {
    op.params.groups;
};
template <class T>
concept DenseLayerOp = requires(const T& op) {
    op.params.units;
};

} // namespace

std::string cublasProductName(const Op& op) {
    return std::visit(
        []<class T>(const T&) -> std::string {
            if constexpr (ConvolutionOp<T>)
                return "conv2d:unrolled";
            else if constexpr (DenseLayerOp<T>)
                return "dense";
            else
                return std::is_same_v<T, Gemm> ? "sgemm" : "";
        },
        op);
}

std::size_t cublasProductWorkspace(const Op& op, const DeviceLimits& device) {
    if (!operandElements(op))
        return 0;
    return std::visit(
        [&]<class T>(const T& one) -> std::size_t {
            if constexpr (ConvolutionOp<T>) {
                const Unrolled sizes(one.params, one.src);
                if constexpr (!std::is_same_v<T, ConvBackwardWeights>)
                    return sizes.bytes();
                const std::size_t images =
                    sizes.sums() > 1 ? sizes.sumBytes() + channelSumsWorkspace(sizes.sumShape(), device) : 0;
                return std::max(sizes.bytes() + images,
                                one.params.bias ? channelSumsWorkspace(sizes.dst, device) : 0);
            } else {
                return 0;
            }
        },
        op);
}

Result<std::unique_ptr<PreparedOp>> prepareCublasProduct(const CudaSession& session,
                                                         const CublasHandle& handle,
                                                         SharedWorkspace& workspace, const Op& op,
                                                         const std::string& implementation) {
    const std::size_t bytes = cublasProductWorkspace(op, session.limits());
    if (const Status status = workspace.reserve(session, bytes); !status)
        return status.error();
    return std::visit(
        [&]<class T>(const T& one) -> Result<std::unique_ptr<PreparedOp>> {
            if constexpr (ConvolutionOp<T>)
                return std::unique_ptr<PreparedOp>(
                    std::make_unique<Convolution<T>>(session, one, implementation, handle, workspace));
            else if constexpr (DenseLayerOp<T>)
                return std::unique_ptr<PreparedOp>(
                    std::make_unique<Dense<T>>(session, one, implementation, handle, workspace));
            else
                return Error{ErrorCode::TargetUnavailable, "no product", "cublas " + opName(op), {}, {}};
        },
        op);
}

} // namespace heteroscope::compute::nvidia
