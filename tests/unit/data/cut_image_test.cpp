// SPDX-License-Identifier: Apache-2.0
// Whole pictures that were cut off, lengthened or changed: each is refused with the place, in words that fit
// its kind, and none is filled up with what lay in memory.
#include "compute/data/image.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <heteroscope_paths.h>
#include <unistd.h>

namespace heteroscope::compute {
namespace {

const std::filesystem::path kSeeds = HETEROSCOPE_SOURCE_DIR "/tests/fuzz/seeds/image";

std::string seed(const std::string& name) {
    std::ifstream stream(kSeeds / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

class CutImage : public testing::Test {
  protected:
    ~CutImage() override { std::filesystem::remove(m_path); }

    /// The sentence, or "read".
    std::string said(const std::string& bytes) {
        std::ofstream(m_path, std::ios::binary) << bytes;
        const auto image = readImage(m_path, false);
        if (image)
            return "read";
        EXPECT_EQ(image.error().code, ErrorCode::BadInput);
        return image.error().sentence();
    }
    void expectSaid(const std::string& bytes, const std::string& part) {
        const std::string sentence = said(bytes);
        EXPECT_NE(sentence.find(part), std::string::npos) << part << "\nin\n" << sentence;
    }
    /// What is known without the pixels is refused from the header too.
    void expectHeaderRefused() { EXPECT_FALSE(imageShape(m_path, false)); }

    std::filesystem::path m_path =
        std::filesystem::temp_directory_path() / (std::to_string(::getpid()) + "-cut.image");
};

std::string withByte(std::string bytes, std::size_t at, int value) {
    bytes[at] = static_cast<char>(value);
    return bytes;
}

TEST_F(CutImage, TheSeedsAreRead) {
    for (const auto& entry : std::filesystem::directory_iterator(kSeeds))
        EXPECT_EQ(said(seed(entry.path().filename())), "read") << entry.path();
}

TEST_F(CutImage, ACutOfAnyLengthIsRefused) {
    for (const auto& entry : std::filesystem::directory_iterator(kSeeds)) {
        const std::string whole = seed(entry.path().filename());
        for (std::size_t size = 0; size < whole.size(); ++size)
            EXPECT_NE(said(whole.substr(0, size)), "read") << entry.path() << " cut to " << size;
    }
}

TEST_F(CutImage, APnmFileHasThePixelsOfItsHeader) {
    for (const char* bytes : {"P5\n2 2\n255\nabc", "P5\n2 2\n255\n", "P6 1 1 255 ab", "P5 2 1 256 \1\0\1"}) {
        expectSaid(bytes, "its header promises");
        expectSaid(bytes, "copy or write the file again");
        expectHeaderRefused();
    }
    expectSaid("P5\n2 2\n255\nabc", "byte 14: the file ends after 3 B of pixels, its header promises 4 B");
    EXPECT_EQ(said("P5\n2 2\n255\nabcd"), "read");
}

TEST_F(CutImage, BehindThePixelsOfAPnmFileALineMayEnd) {
    const std::string whole = "P5\n2 2\n255\nabcd";
    EXPECT_EQ(said(whole + "\n"), "read");
    EXPECT_EQ(said(whole + "\r\n"), "read");
    expectSaid(whole + "x", "byte 15: more bytes follow than the header says");
    expectSaid(whole + std::string(3, '\0'), "byte 15: more bytes follow than the header says");
    expectSaid(whole + whole, "byte 15: another picture follows; allowed: one picture a file");
    expectSaid(whole + "\n" + whole, "byte 15: another picture follows");
    expectHeaderRefused();
}

TEST_F(CutImage, ValuesOfAPnmFileAreAtMostTheLargest) {
    expectSaid("P5 1 1 0 a", "byte 7: the largest value is 0; allowed: 1 to 65535");
    expectSaid("P5 1 1 65536 ab", "byte 7: the largest value is 65536");
    expectSaid("P5 3 1 15 \1\17\20", "byte 12: a value is 16; allowed: at most 15");
    EXPECT_EQ(said("P5 3 1 15 \1\17\17"), "read");
    expectSaid(std::string("P5 2 1 256 \1\0\1\1", 15), "byte 13: a value is 257; allowed: at most 256");
    EXPECT_EQ(said(std::string("P5 2 1 256 \1\0\1\0", 15)), "read");
}

TEST_F(CutImage, APnmHeaderHasThreeNumbers) {
    expectSaid("P5 2 2", "byte 6: the file ends inside its header");
    expectSaid("P5 2 x 255 abcd", "byte 5: a number of the header is missing");
    expectSaid("P5 2 2 255abcd", "byte 10: no blank follows the header");
    expectSaid("P2 1 1 255 7", "as text");
    expectSaid("P4 8 1 a", "P5 (PGM) or P6 (PPM)");
}

TEST_F(CutImage, BlanksAndCommentsOfAPnmHeaderHaveAnEnd) {
    const std::string pixels = "1 1\n255\na", few(65000, ' '), many(65537, ' ');
    EXPECT_EQ(said("P5" + few + pixels), "read");
    EXPECT_EQ(said("P5\n#" + few + "\n" + pixels), "read");
    for (const std::string& header :
         {"P5" + many + pixels, "P5\n#" + many + "\n" + pixels, "P5" + few + "1 " + few + "1 255 a"}) {
        expectSaid(header, "the header has too many blanks and comments; allowed: at most 64.0 KiB");
        expectHeaderRefused();
    }
}

TEST_F(CutImage, ABmpFileHasThePixelsOfItsHeader) {
    const std::string whole = seed("rgb.bmp");
    expectSaid(whole.substr(0, 77), "byte 77: the file ends after 23 B of pixels, its header promises 24 B");
    expectHeaderRefused();
    expectSaid(whole.substr(0, 50), "byte 50: the file ends inside its header");
    expectSaid(withByte(whole, 2, 77), "byte 2: the header says that the file has 77 B, it has 78 B");
    EXPECT_EQ(said(withByte(whole, 2, 0)), "read"); // not told
    expectSaid(withByte(whole, 10, 79), "byte 10: the pixels begin at byte 79");
    expectSaid(withByte(whole, 10, 50), "byte 10: the pixels begin at byte 50");
    expectSaid(withByte(whole, 22, 3), "its header promises 36 B");
    expectSaid(withByte(whole, 34, 23), "byte 34: the header promises 23 B of pixels");
    expectSaid(withByte(whole, 30, 1), "compressed");
    expectSaid(withByte(whole, 28, 23), "byte 28: a pixel has 23 bits");
    expectSaid(withByte(whole, 14, 64), "byte 14: the header has 64 bytes");
}

TEST_F(CutImage, BehindThePixelsOfABmpFileAreAtMostThreeZeros) {
    const std::string whole = seed("rgb.bmp");
    EXPECT_EQ(said(withByte(whole + std::string(2, '\0'), 2, 80)), "read");
    EXPECT_EQ(said(whole + std::string(2, '\0')), "read");
    for (const std::string& more :
         {std::string("x"), std::string(4, '\0'), std::string("some text"), whole}) {
        expectSaid(whole + more, "byte 78: more bytes follow than the header says");
        expectHeaderRefused();
    }
}

TEST_F(CutImage, RowsOfABmpFileMayGoFromTopToBottom) {
    ASSERT_EQ(said(seed("top_down.bmp")), "read");
    const auto down = readImage(kSeeds / "top_down.bmp", false), up = readImage(kSeeds / "rgb.bmp", false);
    EXPECT_EQ(down->shape, up->shape);
    EXPECT_EQ(down->values[0], up->values[3]); // of two rows of three
}

TEST_F(CutImage, ColoursThatThePaletteOfABmpFileLacksAreRefused) {
    expectSaid(withByte(seed("palette.bmp"), 71, 4), "byte 71: a pixel has colour 4; allowed: 0 to 3");
    expectSaid(withByte(seed("four_bits.bmp"), 75, 0x14), "byte 75: a pixel has colour 4; allowed: 0 to 3");
    expectSaid(withByte(seed("palette.bmp"), 10, 54), "byte 10: the pixels begin at byte 54");
}

TEST_F(CutImage, NothingFollowsTheEndOfAPngFile) {
    const std::string whole = seed("rgb.png"), at = "byte " + std::to_string(whole.size());
    for (const std::string& more : {std::string("text"), std::string(1, '\0'), std::string("\n"), whole}) {
        expectSaid(whole + more, at + ": more bytes follow than the end of the picture (IEND)");
        expectHeaderRefused();
    }
}

/// Zeros would be read as empty parts, to the end of a file of any size.
TEST_F(CutImage, PartsOfAPngFileHaveTypes) {
    const std::string whole = seed("rgb.png");
    const std::size_t end = whole.size() - 12; // of the last part, which is empty
    expectSaid(whole.substr(0, end) + std::string(24, '\0') + whole.substr(end),
               "byte " + std::to_string(end) + ": no part of a PNG file begins here");
    expectHeaderRefused();
    expectSaid(whole.substr(0, 8) + std::string(24, '\0'), "byte 8: no part of a PNG file begins here");
}

TEST_F(CutImage, APngFileHasNoMillionsOfParts) {
    const std::string whole = seed("rgb.png"), empty("\0\0\0\0IDAT\x35\xaf\x06\x1e", 12);
    const std::size_t first = whole.find("IDAT") - 4;
    std::string many;
    for (int i = 0; i < 1000000; ++i)
        many += empty;
    EXPECT_EQ(said(whole.substr(0, first) + empty + empty + whole.substr(first)), "read");
    expectSaid(whole.substr(0, first) + many + whole.substr(first),
               "the picture has more parts than it can need; allowed: at most 1000000");
}

/// The file with a part (marker, content) behind its first marker.
std::string withPart(const std::string& jpeg, int marker, const std::string& content) {
    std::string part("\xff?\0?", 4);
    part[1] = static_cast<char>(marker);
    part[3] = static_cast<char>(content.size() + 2);
    return jpeg.substr(0, 2) + part + content + jpeg.substr(2);
}

TEST_F(CutImage, BehindTheEndOfAJpegFileIsNoOtherPictureThatIsNotAnnounced) {
    const std::string whole = seed("rgb.jpg");
    for (const std::string& zeros : {std::string(), std::string(3, '\0')}) {
        expectSaid(whole + zeros + whole,
                   "byte " + std::to_string(whole.size() + zeros.size()) + ": another picture follows");
        expectHeaderRefused();
        EXPECT_EQ(said(withPart(whole, 0xe2, std::string("MPF\0", 4)) + zeros + whole), "read");
        for (const std::string more : {"", "text", "\n", "\xff", "a film of the moment before"})
            EXPECT_EQ(said(whole + zeros + more), "read") << more;
    }
    const std::string thumbnail = withPart(whole, 0xe1, "\xff\xd8 a thumbnail \xff\xd9");
    EXPECT_EQ(said(thumbnail), "read");
    expectSaid(thumbnail + whole, "another picture follows");
}

/// Without the parts of one marker, before the pixels.
std::string withoutParts(std::string jpeg, int marker) {
    for (std::size_t at = 2; static_cast<unsigned char>(jpeg[at + 1]) != 0xda;) {
        const std::size_t length =
            2 + static_cast<unsigned char>(jpeg[at + 2]) * 256u + static_cast<unsigned char>(jpeg[at + 3]);
        if (static_cast<unsigned char>(jpeg[at + 1]) == marker)
            jpeg.erase(at, length);
        else
            at += length;
    }
    return jpeg;
}

TEST_F(CutImage, APartThatThePixelsOfAJpegFileNeedIsThere) {
    for (const char* name : {"rgb.jpg", "grey.jpg", "subsampled.jpg"}) {
        const std::string whole = seed(name);
        expectSaid(withoutParts(whole, 0xc4), "a table that a scan needs is missing");
        expectSaid(withoutParts(whole, 0xdb), "a table that a scan needs is missing");
        expectSaid(whole.substr(0, whole.find("\xff\xda")) + "\xff\xd9",
                   "before all of its colours were there");
    }
}

TEST_F(CutImage, RestartsOfAJpegFileAreThere) {
    const std::string each("\0\1", 2);
    for (const char* name : {"rgb.jpg", "subsampled.jpg"})
        expectSaid(withPart(seed(name), 0xdd, each), "pixels are missing before this byte");
    EXPECT_EQ(said(withPart(seed("grey.jpg"), 0xdd, each)), "read"); // one block, no restart between two
}

TEST_F(CutImage, SentencesAreOfTheKindOfTheFile) {
    expectSaid(seed("rgb.png").substr(0, 35), "byte 35: the PNG file is damaged or cut off: ");
    expectSaid(seed("rgb.png").substr(0, 5), "byte 5: the PNG file is damaged or cut off");
    expectSaid(seed("rgb.jpg").substr(0, 308), "byte 308: the JPEG file is damaged or cut off: ");
    expectSaid("", "byte 0: the file is empty; allowed: PNG, JPEG");
    expectSaid("something", "byte 0: cannot be read as an image: unknown image type; allowed: PNG, JPEG");
    for (const char* name : {"rgb.png", "rgb.jpg"}) {
        const std::string whole = seed(name);
        for (std::size_t size = 8; size < whole.size(); ++size) {
            const std::string sentence = said(whole.substr(0, size));
            EXPECT_EQ(sentence.find("allowed: PNG"), std::string::npos) << sentence;
            EXPECT_EQ(sentence.find("\\x"), std::string::npos) << sentence;
            EXPECT_NE(sentence.find("again"), std::string::npos) << sentence;
        }
    }
}

} // namespace
} // namespace heteroscope::compute
