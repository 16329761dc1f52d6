// SPDX-License-Identifier: Apache-2.0
// Images that a fuzzer made: refused with the place, or read, and never more.
#include "compute/data/image.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <unistd.h>
#include <zlib.h>

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

std::string bigWord(std::uint32_t value) {
    std::string bytes;
    for (int shift = 24; shift >= 0; shift -= 8)
        bytes += static_cast<char>(value >> shift);
    return bytes;
}

std::string pngChunk(const std::string& content) {
    const auto sum =
        crc32(0, reinterpret_cast<const Bytef*>(content.data()), static_cast<uInt>(content.size()));
    return bigWord(static_cast<std::uint32_t>(content.size() - 4)) + content +
           bigWord(static_cast<std::uint32_t>(sum));
}

/// A grey picture, in parts of the compressed data of so many bytes.
std::string png(std::string packed, std::size_t part, std::uint32_t side = 1, bool interlaced = false) {
    std::string bytes("\x89PNG\r\n\x1a\n", 8);
    bytes += pngChunk("IHDR" + bigWord(side) + bigWord(side) + std::string("\x08\0\0\0", 4) +
                      (interlaced ? '\1' : '\0'));
    bytes += pngChunk("tEXtkey");
    for (; !packed.empty(); packed.erase(0, part))
        bytes += pngChunk("IDAT" + packed.substr(0, part));
    return bytes + pngChunk("IEND");
}

std::string packedBytes(const std::string& bytes) {
    uLongf size = compressBound(bytes.size());
    std::string packed(size, '\0');
    compress(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
             bytes.size());
    packed.resize(size);
    return packed;
}

/// The filter of the line and the pixel.
std::string packedPixel() {
    return packedBytes(std::string("\0M", 2));
}

TEST_F(DamagedImage, AChangedByteOfAPngChunkIsRefused) {
    const std::string good = png(packedPixel(), 4);
    ASSERT_EQ(refusal(good), "read");
    for (const char* type : {"IHDR", "tEXt", "IDAT", "IEND"}) {
        const std::size_t at = good.find(type);
        std::string bad = good;
        bad[at + 6] = static_cast<char>(bad[at + 6] ^ 1); // in the data, or in IEND's checksum
        const std::string wanted = "byte " + std::to_string(at - 4) +
                                   ": the checksum of a part of the picture (" + type + ") is wrong";
        EXPECT_NE(refusal(bad).find(wanted), std::string::npos) << refusal(bad);
    }
    const std::string cut = good.substr(0, good.size() - 2);
    EXPECT_NE(refusal(cut).find("the file ends inside a part"), std::string::npos) << refusal(cut);
}

TEST_F(DamagedImage, TheChecksumOfThePixelsOfAPngIsCompared) {
    std::string packed = packedPixel();
    packed.back() = static_cast<char>(packed.back() ^ 1);
    for (const std::size_t part : {std::size_t{3}, packed.size()}) {
        const std::string said = refusal(png(packed, part));
        EXPECT_NE(said.find("compressed data are wrong: incorrect data check"), std::string::npos) << said;
    }
    const std::string said = refusal(png(packed.substr(0, packed.size() - 1), packed.size()));
    EXPECT_NE(said.find("end before their checksum"), std::string::npos) << said;
}

/// 256 MiB in 260 KB: nothing beyond what 8 x 8 pixels need is unpacked.
TEST_F(DamagedImage, APngHoldsWhatItsHeaderNeeds) {
    const std::string rows(8 * 9, '\0');
    EXPECT_EQ(refusal(png(packedBytes(rows), 1000, 8)), "read");
    const std::string bomb = packedBytes(std::string(std::size_t{256} << 20, '\0'));
    EXPECT_NE(
        refusal(png(bomb, bomb.size(), 8)).find("of compressed data or more; allowed: at most 64.6 KiB"),
        std::string::npos)
        << refusal(png(bomb, bomb.size(), 8));
    const std::string smaller = packedBytes(std::string(std::size_t{16} << 20, '\0'));
    for (const std::string& packed : {smaller, packedBytes(rows + '\0')})
        EXPECT_NE(refusal(png(packed, 1000, 8)).find("hold more than "), std::string::npos)
            << refusal(png(packed, 1000, 8));
    const std::string fewer = refusal(png(packedBytes(rows.substr(1)), 1000, 8));
    EXPECT_NE(fewer.find("hold only 71 B, its 8 x 8 pixels need 72 B"), std::string::npos) << fewer;
    const std::string behind = refusal(png(packedBytes(rows) + "more", 1000, 8));
    EXPECT_NE(behind.find("more bytes follow than the end of the picture's compressed data"),
              std::string::npos)
        << behind;
    const std::string apart = refusal(png(packedBytes(rows) + "more", packedBytes(rows).size(), 8));
    EXPECT_NE(apart.find("more bytes follow than the end of the picture's compressed data"),
              std::string::npos)
        << apart;
}

TEST_F(DamagedImage, PassesOfAnInterlacedPngAreCounted) {
    for (std::uint32_t side = 1; side <= 17; ++side) {
        std::size_t bytes = 0; // pixel by pixel, as the standard draws the passes
        constexpr const char* kPasses = "16462646"
                                        "77777777"
                                        "56565656"
                                        "77777777"
                                        "36463646"
                                        "77777777"
                                        "56565656"
                                        "77777777";
        for (char pass = '1'; pass <= '7'; ++pass)
            for (std::uint32_t y = 0; y < side; ++y) {
                std::size_t pixels = 0;
                for (std::uint32_t x = 0; x < side; ++x)
                    pixels += kPasses[y % 8 * 8 + x % 8] == pass ? 1 : 0;
                bytes += pixels > 0 ? 1 + pixels : 0;
            }
        EXPECT_EQ(refusal(png(packedBytes(std::string(bytes, '\0')), 1000, side, true)), "read") << side;
        EXPECT_NE(refusal(png(packedBytes(std::string(bytes + 1, '\0')), 1000, side, true)), "read") << side;
    }
}

/// Each scan costs a pass over all pixels.
TEST_F(DamagedImage, MoreScansThanAnyPictureHasAreRefused) {
    std::string fine = tables('\x01', 16);
    fine[4] = '\x10';
    const std::string scales = std::string("\xff\xdb\0\x43\0", 5) + std::string(64, '\1');
    const std::string head = "\xff\xd8" + tables('\x01', 16) + fine + scales;
    const std::string frame("\xff\xc0\x00\x0b\x08\x00\x01\x00\x01\x01\x01\x11\x00", 13);
    const std::string scan("\xff\xda\x00\x08\x01\x01\x00\x00\x3f\x00", 10);
    std::string scans;
    for (int i = 0; i < 1001; ++i)
        scans += scan;
    const std::string said = refusal(head + frame + scans + "\xff\xd9");
    EXPECT_NE(said.find("it has more than 1000 scans"), std::string::npos) << said;
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
