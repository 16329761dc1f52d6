// SPDX-License-Identifier: Apache-2.0
#include "tests/support/idx_files.h"

#include <atomic>
#include <random>
#include <stdexcept>
#include <unistd.h>
#include <zlib.h>

namespace heteroscope::compute {
namespace {

constexpr std::uint32_t kSide = 4;

std::filesystem::path newFolder() {
    static std::atomic<int> number{0};
    return std::filesystem::temp_directory_path() /
           ("heteroscope_idx_" + std::to_string(::getpid()) + "_" + std::to_string(number++));
}

} // namespace

TemporaryIdx::TemporaryIdx() : m_folder(newFolder()) {
    std::filesystem::create_directories(m_folder);
}

TemporaryIdx::~TemporaryIdx() {
    std::error_code ignored;
    std::filesystem::remove_all(m_folder, ignored);
}

std::string TemporaryIdx::writeBytes(const std::string& name, const std::vector<std::uint8_t>& bytes,
                                     bool compressed) {
    const std::string path = (m_folder / name).string();
    gzFile file = gzopen(path.c_str(), compressed ? "wb" : "wbT"); // T: as it is
    if (file == nullptr)
        throw std::runtime_error("cannot write " + path);
    const bool written =
        bytes.empty() || gzwrite(file, bytes.data(), static_cast<unsigned>(bytes.size())) > 0;
    if (gzclose(file) != Z_OK || !written)
        throw std::runtime_error("cannot write " + path);
    return path;
}

std::string TemporaryIdx::write(const std::string& name, const std::vector<std::uint32_t>& dims,
                                const std::vector<std::uint8_t>& values, bool compressed) {
    std::vector<std::uint8_t> bytes{0, 0, 8, static_cast<std::uint8_t>(dims.size())};
    for (const std::uint32_t dim : dims)
        for (int shift = 24; shift >= 0; shift -= 8)
            bytes.push_back(static_cast<std::uint8_t>(dim >> shift));
    bytes.insert(bytes.end(), values.begin(), values.end());
    return writeBytes(name, bytes, compressed);
}

void TemporaryIdx::writePart(const std::string& name, int count, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::vector<std::uint8_t> images, labels;
    for (int i = 0; i < count; ++i) {
        labels.push_back(static_cast<std::uint8_t>(random() % 2));
        for (std::uint32_t pixel = 0; pixel < kSide * kSide; ++pixel) {
            const bool bright = (pixel < kSide * kSide / 2) == (labels.back() == 0);
            images.push_back(static_cast<std::uint8_t>((bright ? 120 : 0) + random() % 100));
        }
    }
    images[0] = 0;
    write(name + "_images", {static_cast<std::uint32_t>(count), kSide, kSide}, images, true);
    write(name + "_labels", {static_cast<std::uint32_t>(count)}, labels);
}

Json TemporaryIdx::trainingExperiment(int training, int test) {
    writePart("train", training, 1);
    writePart("test", test, 2);
    const auto path = [this](const char* name) { return (m_folder / name).string(); };
    return {{"heteroscope", 1},
            {"kind", "network"},
            {"name", "two classes"},
            {"task", "train"},
            {"network",
             {{"input", {{"shape", {1, kSide, kSide}}}},
              {"layers",
               {{{"type", "conv2d"}, {"filters", 3}, {"padding", 1}},
                {{"type", "relu"}},
                {{"type", "dense"}, {"units", 2}}}}}},
            {"training",
             {{"batch", 5}, {"epochs", 4}, {"optimizer", {{"type", "adam"}, {"learning_rate", 0.02}}}}},
            {"data",
             {{"source", "idx"},
              {"images", path("train_images")},
              {"labels", path("train_labels")},
              {"test_images", path("test_images")},
              {"test_labels", path("test_labels")}}},
            {"targets", {"cpu/sequential"}},
            {"sampling", {{"preset", "quick"}, {"warmup_limit_s", 0}}}};
}

} // namespace heteroscope::compute
