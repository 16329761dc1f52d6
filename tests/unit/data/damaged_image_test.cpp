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

/// stb_image would ask for 1 GiB first.
TEST_F(DamagedImage, APngChunkThatClaimsMoreThanTheFileHasIsRefused) {
    const std::string signature("\x89PNG\r\n\x1a\n", 8);
    const std::string header("\0\0\0\x0dIHDR\0\0\0\x01\0\0\0\x01\x08\0\0\0\0crc.", 25);
    const std::string large("\x3f\xff\xff\xff"
                            "IDATabcd",
                            12);
    const std::string said = refusal(signature + header + large);
    EXPECT_NE(said.find("byte 33: a part of the picture claims 1.0 GiB, the file has 4 B more"),
              std::string::npos)
        << said;
    const std::string text("\x00\x00\x00\x02tEXtabcrc.", 14);
    EXPECT_NE(refusal(signature + header + text + large).find("byte 47"), std::string::npos);
}

TEST_F(DamagedImage, NumbersOfAPnmHeaderDoNotOverflow) {
    for (const char* bytes :
         {"P5 5555555555 1 255\nx", "P6\n#1\n1 5555555555 255\nx", "P5 1 1 5555555555\nx"})
        EXPECT_NE(refusal(bytes).find("more than nine digits"), std::string::npos) << refusal(bytes);
    EXPECT_NE(refusal("P5 # 5555555555\n 5555555555").find("byte 17"), std::string::npos);
    EXPECT_EQ(refusal("P5 # 5555555555\r 1 1 255\nx"), "read");
}

} // namespace
} // namespace heteroscope::compute
