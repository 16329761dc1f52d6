// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/support/frame_mutation.h"

#include "compute/base/run_note.h"
#include "compute/base/stop_rule.h"
#include "profiling/stream/cbor_check.h"
#include "profiling/stream/crc32c.h"
#include "profiling/stream/frame.h"

#include <zstd.h>

#include <algorithm>
#include <cstring>

namespace heteroscope::fuzz {
namespace {

using namespace heteroscope::profiling;

constexpr std::size_t kMostCbor = 1 << 18;
constexpr std::uint8_t kKinds = 20; ///< one more than there are, so that readers meet an unknown one

/// Of rules that ended the sampling, and of notes on the environment.
void addCodes(JsonWords& words) {
    for (const char* key : {"stoppedBy", "rules", "code", "processes", "sampled", "ended", "sentence",
                            "relative_width", "time_limit_s", "study_time_limit_s", "samples_asked", "epochs",
                            "note_codes", "cause", "load_average", "cores"})
        words.keys.emplace_back(key);
    for (const std::string_view code : kStopCodes)
        words.values.emplace_back(code);
    for (const std::string_view code : kNoteCodes)
        words.values.emplace_back(code);
    for (const Json& value :
         {debugBuildNote(), loadAverageNote(2.5, 2), fewProcessesNote(1, 3, few_processes::kTrainedOnce),
          stoppedByEpochs(5, 3),
          stoppedInProcesses({stoppedByTimeLimit({2, 6, 3, 50}), stoppedByIntervalWidth(0.017, 9)},
                             {3, 3, 2, false})})
        words.values.push_back(value);
}

JsonWords collectFrameWords() {
    JsonWords words;
    words.keys = {"first",       "texts",
                  "args",        "firstArgs",
                  "tracks",      "count",
                  "track",       "start",
                  "duration",    "name",
                  "category",    "depth",
                  "run",         "what",
                  "status",      "reason",
                  "metrics",     "h2d",
                  "d2h",         "bytes",
                  "ms",          "deviceMs",
                  "wallMs",      "point",
                  "target",      "traced",
                  "warmup",      "loss",
                  "accuracy",    "classes",
                  "counts",      "samples",
                  "pairs",       "kernel_counters",
                  "value",       "device",
                  "threads",     "stepMs",
                  "part",        "epoch",
                  "notes",       "maxAbsError",
                  "repetitions", "implementations"};
    words.values = {Json(nullptr),
                    true,
                    false,
                    "",
                    "ok",
                    "failed",
                    "op",
                    "kernel",
                    "copy host to device",
                    "layer forward",
                    "sample",
                    "cpu/sequential",
                    "cpu/openmp?threads=2",
                    "cuda:0/cudnn",
                    "validation",
                    "steps",
                    "evaluation",
                    Json::array(),
                    Json::object(),
                    Json::binary({0, 0, 0, 0, 0, 0, 0, 0}),
                    Json{{"/network", "Model 1"}},
                    Json{{"/pooling/input/size", 64}}};
    addCodes(words);
    return words;
}

const JsonWords& frameWords() {
    static const JsonWords words = collectFrameWords();
    return words;
}

std::optional<Bytes> decompressed(std::span<const std::uint8_t> bytes) {
    const auto size = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
    if (size > kMostCbor) // the two error values are larger, too
        return std::nullopt;
    Bytes out(size);
    const std::size_t got = ZSTD_decompress(out.data(), out.size(), bytes.data(), bytes.size());
    return ZSTD_isError(got) || got != size ? std::nullopt : std::optional(std::move(out));
}

Bytes compressedBytes(const Bytes& bytes) {
    Bytes out(ZSTD_compressBound(bytes.size()));
    out.resize(ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), 1));
    return out;
}

/// The frame at a place and the place after it; nothing where there is none.
std::optional<RawFrame> takeFrame(std::span<const std::uint8_t> file, std::size_t& at) {
    std::uint32_t length = 0;
    if (at + kFrameHeaderBytes > file.size())
        return std::nullopt;
    std::memcpy(&length, file.data() + at, sizeof length);
    if (length > file.size() - at - kFrameHeaderBytes)
        return std::nullopt;
    RawFrame frame{file[at + 4], (file[at + 5] & kCompressed) != 0, {}};
    const auto payload = file.subspan(at + kFrameHeaderBytes, length);
    at += kFrameHeaderBytes + length;
    if (!frame.compressed)
        frame.cbor.assign(payload.begin(), payload.end());
    else if (auto inside = decompressed(payload))
        frame.cbor = std::move(*inside);
    return frame;
}

void changeCbor(RawFrame& frame, Random& random) {
    if (!checkCbor(frame.cbor) || random.oneIn(6)) {
        frame.cbor = mutatedBytes(std::move(frame.cbor), kMostCbor);
        return;
    }
    Json map = Json::from_cbor(frame.cbor, true, false);
    if (map.is_discarded())
        return;
    for (std::size_t count = 1 + random.below(3); count > 0; --count)
        mutateJson(map, frameWords(), random);
    frame.cbor.clear();
    Json::to_cbor(map, frame.cbor);
}

void changeFrames(std::vector<RawFrame>& frames, Random& random) {
    const std::size_t place = random.below(frames.size());
    const auto at = frames.begin() + static_cast<std::ptrdiff_t>(place);
    switch (random.below(12)) {
    case 0:
        frames.erase(at);
        return;
    case 1:
        frames.resize(place + 1);
        return;
    case 2: {
        const RawFrame copy = frames[place];
        frames.insert(frames.begin() + static_cast<std::ptrdiff_t>(random.below(frames.size() + 1)), copy);
        return;
    }
    case 3:
        std::iter_swap(at, frames.begin() + static_cast<std::ptrdiff_t>(random.below(frames.size())));
        return;
    case 4:
        frames[place].kind = static_cast<std::uint8_t>(random.below(kKinds));
        return;
    case 5:
        frames[place].compressed = !frames[place].compressed;
        return;
    default:
        changeCbor(frames[place], random);
    }
}

std::size_t handOver(const std::vector<RawFrame>& frames, std::uint8_t* data, std::size_t mostBytes) {
    const Bytes file = joinFrames(frames);
    if (file.size() > mostBytes)
        return 0;
    std::memcpy(data, file.data(), file.size());
    return file.size();
}

} // namespace

std::vector<RawFrame> splitFrames(std::span<const std::uint8_t> file) {
    std::vector<RawFrame> frames;
    std::size_t at = kFileHeaderBytes;
    while (auto frame = takeFrame(file, at))
        frames.push_back(std::move(*frame));
    return frames;
}

Bytes joinFrames(const std::vector<RawFrame>& frames) {
    Bytes file(kFileHeaderBytes);
    std::memcpy(file.data(), kMagic, sizeof kMagic);
    std::memcpy(file.data() + sizeof kMagic, &kFormatMajor, sizeof kFormatMajor);
    for (const RawFrame& frame : frames) {
        const Bytes payload = frame.compressed ? compressedBytes(frame.cbor) : frame.cbor;
        const auto length = static_cast<std::uint32_t>(payload.size());
        const std::uint32_t crc = crc32c(payload);
        const std::size_t at = file.size();
        file.resize(at + kFrameHeaderBytes);
        std::memcpy(file.data() + at, &length, sizeof length);
        file[at + 4] = frame.kind;
        file[at + 5] = frame.compressed ? kCompressed : 0;
        std::memcpy(file.data() + at + 8, &crc, sizeof crc);
        file.insert(file.end(), payload.begin(), payload.end());
    }
    return file;
}

std::size_t mutateRunFile(std::uint8_t* data, std::size_t size, std::size_t mostBytes, unsigned seed) {
    Random random(seed);
    auto frames = splitFrames({data, size});
    if (frames.empty() || random.oneIn(20))
        return LLVMFuzzerMutate(data, size, mostBytes);
    for (std::size_t count = 1 + random.below(3); count > 0 && !frames.empty(); --count)
        changeFrames(frames, random);
    const std::size_t written = handOver(frames, data, mostBytes);
    return written > 0 ? written : LLVMFuzzerMutate(data, size, mostBytes);
}

std::size_t crossRunFiles(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b, std::uint8_t* out,
                          std::size_t mostBytes, unsigned seed) {
    Random random(seed);
    auto frames = splitFrames(a);
    const auto others = splitFrames(b);
    if (others.empty())
        return 0;
    const std::size_t first = random.below(others.size());
    const std::size_t count = 1 + random.below(std::min<std::size_t>(others.size() - first, 4));
    const auto from = others.begin() + static_cast<std::ptrdiff_t>(first);
    frames.insert(frames.begin() + static_cast<std::ptrdiff_t>(random.below(frames.size() + 1)), from,
                  from + static_cast<std::ptrdiff_t>(count));
    return handOver(frames, out, mostBytes);
}

} // namespace heteroscope::fuzz
