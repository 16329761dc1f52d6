// SPDX-License-Identifier: Apache-2.0
// Images that a fuzzer made: refused with the place, or read, and never more.
#include "compute/data/image.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace heteroscope::compute {
namespace {

class DamagedImage : public testing::Test {
  protected:
    ~DamagedImage() override { std::filesystem::remove(m_path); }

    std::string refusal(const std::string& bytes) {
        std::ofstream(m_path, std::ios::binary).write(bytes.data(), std::ssize(bytes));
        const auto image = readImage(m_path, true);
        return image ? "read" : image.error().sentence();
    }

    std::filesystem::path m_path =
        std::filesystem::temp_directory_path() / (std::to_string(::getpid()) + "-damaged.jpg");
};

/// A DHT segment whose counts of codes by length are all `each`.
std::string tables(char each, std::size_t codes) {
    const std::size_t length = 2 + 1 + 16 + codes;
    std::string segment("\xff\xc4", 2);
    segment += static_cast<char>(length >> 8);
    segment += static_cast<char>(length & 0xff);
    return segment + '\0' + std::string(16, each) + std::string(codes, '\x01');
}

/// One grey pixel; `between`: before the frame, `behind`: after the head of the scan.
std::string jpeg(const std::string& between, const std::string& behind = {}) {
    const std::string frame("\xff\xc0\x00\x0b\x08\x00\x01\x00\x01\x01\x01\x11\x00", 13);
    const std::string scan("\xff\xda\x00\x08\x01\x01\x00\x00\x3f\x00", 10);
    return "\xff\xd8" + between + frame + scan + behind;
}

TEST_F(DamagedImage, TablesOfMoreCodesThanThereAreBytesAreRefusedWhereverTheyStand) {
    const std::string tooMany = tables('\x20', 512);
    const std::string comment("\xff\xfe\x00\x04zz", 6);
    for (const std::string& bytes :
         {jpeg(tooMany), jpeg(comment + tooMany), jpeg({}, "abc" + tooMany), jpeg({}, "\xff\xff" + tooMany),
          "\xff" + jpeg(tooMany), jpeg(tables('\x01', 16) + tooMany)})
        EXPECT_NE(refusal(bytes).find("a Huffman table has 512 codes; allowed: at most 256"),
                  std::string::npos)
            << refusal(bytes);
    EXPECT_NE(refusal(jpeg(tooMany)).find("byte 6:"), std::string::npos) << refusal(jpeg(tooMany));
}

TEST_F(DamagedImage, ATableThatIsCutCountsWithWhatIsThere) {
    const std::string cut = jpeg(tables('\xff', 1)).substr(0, 2 + 2 + 2 + 1 + 3);
    EXPECT_NE(refusal(cut).find("765 codes"), std::string::npos) << refusal(cut);
}

TEST_F(DamagedImage, CommentsMayHoldAnyBytes) {
    const std::string inside = tables('\x20', 0);
    std::string comment("\xff\xfe\x00", 3);
    comment += static_cast<char>(2 + inside.size());
    EXPECT_EQ(refusal(jpeg(comment + inside)).find("Huffman"), std::string::npos);
}

} // namespace
} // namespace heteroscope::compute
