// SPDX-License-Identifier: Apache-2.0
// Networks and their weights from and to ONNX files: opset 7 to 18, float32, what the layer catalogue can
// express; everything else is refused with the node, its operator and what is allowed. No header of libonnx
// reaches the users of this one. Pure but for the file functions; any thread.
#pragma once

#include "compute/base/memory_budget.h"
#include "compute/base/npy.h"
#include "compute/base/output_file.h"
#include "compute/base/result.h"
#include "compute/model/network_spec.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace heteroscope::compute {

/// What a file may hold; checked on its bytes before anything is built from them.
struct OnnxLimits {
    static constexpr std::size_t kMaxFileBytes = std::size_t{1} << 31; ///< what the format itself allows
    /// All of the file but the numbers of its tensors.
    static constexpr std::size_t kMaxStructureBytes = std::size_t{32} << 20;
    static constexpr std::size_t kMaxNodes = 20000;
    static constexpr std::size_t kMaxTensors = 65536;
};

inline constexpr std::int64_t kOldestOnnxOpset = 7, kNewestOnnxOpset = 23;

struct OnnxModel {
    NetworkSpec network;
    NamedArrays weights;            ///< "<layer>.weight" ..., laid out as the layers want them
    std::int64_t batch = 0;         ///< of the file's input; 0: any
    std::string producer;           ///< "pytorch 1.13.0"
    std::vector<std::string> notes; ///< what was left out, a sentence each
};

struct OnnxReadOptions {
    /// Instead of the file's: [channels, height, width] or [features]; empty: the file's.
    std::vector<std::int64_t> inputShape;
};

struct OnnxWriteOptions {
    std::int64_t batch = 0; ///< of input and output; 0: any, as the dimension "batch"
    std::string name = "network";
    OutputRules rules{}; ///< of writeOnnx
};

/// Whether this build can read and write such files; the reason when it cannot.
std::string onnxUnavailableReason();

/// Errors: BadInput with `name` and node, OutOfMemory of the process's memory limit, TargetUnavailable in a
/// build without libonnx.
Result<OnnxModel> parseOnnx(std::span<const std::byte> bytes, const std::string& name,
                            const OnnxReadOptions& options = {});
Result<OnnxModel> readOnnx(const std::filesystem::path& file, const OnnxReadOptions& options = {});

/// The network for inference, in the oldest operator set from 13 on that has its layers. `weights` holds
/// every parameter and state of every layer. Errors: BadInput with the layer that ONNX cannot express or the
/// tensor that is missing.
Result<std::string> onnxBytes(const NetworkSpec& network, const NamedArrays& weights,
                              const OnnxWriteOptions& options = {});
/// Replaces the file only when everything was written and is on the disk. Errors also: OutputFile's, Io.
Status writeOnnx(const std::filesystem::path& file, const NetworkSpec& network, const NamedArrays& weights,
                 const OnnxWriteOptions& options = {});

} // namespace heteroscope::compute
