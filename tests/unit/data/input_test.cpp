// SPDX-License-Identifier: Apache-2.0
#include "compute/base/npy.h"
#include "compute/data/input.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <unistd.h>

#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb/stb_image_write.h>
#pragma GCC diagnostic pop

namespace heteroscope::compute {
namespace {

/// A folder of its own for each test, removed afterwards.
class InputFiles : public testing::Test {
  protected:
    void SetUp() override {
        const auto* test = testing::UnitTest::GetInstance()->current_test_info();
        m_folder = std::filesystem::temp_directory_path() /
                   ("heteroscope-input-" + std::to_string(::getpid()) + "-" + test->name());
        std::filesystem::create_directories(m_folder);
    }
    void TearDown() override { std::filesystem::remove_all(m_folder); }

    std::string folder() const { return m_folder.string(); }
    std::string path(const std::string& name) const { return (m_folder / name).string(); }
    void write(const std::string& name, const std::string& bytes) const {
        std::ofstream(path(name), std::ios::binary) << bytes;
    }

    static InputSpec file(InputSource source, std::string name, bool grey = true) {
        InputSpec input;
        input.source = source;
        input.path = std::move(name);
        input.grey = grey;
        return input;
    }

  private:
    std::filesystem::path m_folder;
};

const std::vector<unsigned char> kPixels{10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120}; // 2 x 2 RGB

} // namespace

TEST_F(InputFiles, ManualMatrix) {
    InputSpec input;
    input.source = InputSource::Manual;
    input.values = {{1, 2, 3}, {4, 5, 6}};
    const auto tensor = loadInput(input, {});
    ASSERT_TRUE(tensor);
    EXPECT_EQ(tensor->shape, (Shape4{1, 1, 2, 3}));
    EXPECT_EQ(tensor->values, (std::vector<float>{1, 2, 3, 4, 5, 6}));
    input.values[1].pop_back();
    EXPECT_EQ(loadInput(input, {}).error().where, "/pooling/input/values/1");
}

TEST_F(InputFiles, PngAndBmpAreExact) {
    stbi_write_png(path("a.png").c_str(), 2, 2, 3, kPixels.data(), 6);
    stbi_write_bmp(path("a.bmp").c_str(), 2, 2, 3, kPixels.data());
    for (const char* name : {"a.png", "a.bmp"}) {
        const InputSpec input = file(InputSource::Image, name, false);
        EXPECT_EQ(inputShape(input, folder()).value(), (Shape4{1, 3, 2, 2}));
        const auto tensor = loadInput(input, folder());
        ASSERT_TRUE(tensor) << tensor.error().sentence();
        EXPECT_EQ(tensor->values, (std::vector<float>{10, 40, 70, 100, 20, 50, 80, 110, 30, 60, 90, 120}));
    }
}

TEST_F(InputFiles, JpegIsCloseAndGreyIsOneChannel) {
    const std::vector<unsigned char> flat(16 * 16 * 3, 200);
    stbi_write_jpg(path("a.jpg").c_str(), 16, 16, 3, flat.data(), 90);
    const auto tensor = loadInput(file(InputSource::Image, "a.jpg"), folder());
    ASSERT_TRUE(tensor) << tensor.error().sentence();
    EXPECT_EQ(tensor->shape, (Shape4{1, 1, 16, 16}));
    for (const float value : tensor->values)
        EXPECT_NEAR(value, 200.0f, 2.0f);
}

TEST_F(InputFiles, PgmEightAndSixteenBits) {
    write("a.pgm", std::string("P5\n# a comment\n2 2\n255\n\x01\x02\x03\xff"));
    EXPECT_EQ(loadInput(file(InputSource::Image, "a.pgm"), folder())->values,
              (std::vector<float>{1, 2, 3, 255}));
    write("c.ppm", std::string("P6\n1 1\n65535\n\x01\x00\x02\x00\x03\x00", 19));
    EXPECT_EQ(loadInput(file(InputSource::Image, "c.ppm"), folder())->values, (std::vector<float>{464}));
    EXPECT_EQ(loadInput(file(InputSource::Image, "c.ppm", false), folder())->values,
              (std::vector<float>{256, 512, 768}));
    write("b.pgm", std::string("P5\n2 1\n65535\n\x01\x00\xff\xff", 17));
    EXPECT_EQ(loadInput(file(InputSource::Image, "b.pgm"), folder())->values,
              (std::vector<float>{256, 65535}));
}

TEST_F(InputFiles, BadImagesNameFileAndByte) {
    write("text.png", "this is no image");
    const auto text = loadInput(file(InputSource::Image, "text.png"), folder());
    ASSERT_FALSE(text);
    EXPECT_TRUE(text.error().where.starts_with("/pooling/input/path (" + path("text.png") + ", byte "))
        << text.error().where;
    stbi_write_png(path("cut.png").c_str(), 2, 2, 3, kPixels.data(), 6);
    std::filesystem::resize_file(path("cut.png"), 45);
    EXPECT_EQ(loadInput(file(InputSource::Image, "cut.png"), folder()).error().code, ErrorCode::BadInput);
    write("empty.png", "");
    EXPECT_FALSE(inputShape(file(InputSource::Image, "empty.png"), folder()));
    EXPECT_FALSE(inputShape(file(InputSource::Image, "missing.png"), folder()));
    EXPECT_FALSE(inputShape(file(InputSource::Image, "."), folder()));
    write("huge.pgm", "P5\n60000 60000\n255\n");
    EXPECT_NE(
        inputShape(file(InputSource::Image, "huge.pgm"), folder()).error().message.find("60000 x 60000"),
        std::string::npos);
}

TEST_F(InputFiles, NpyOfTwoToFourDimensions) {
    const auto store = [&](const char* name, const std::vector<std::int64_t>& shape) {
        const std::vector<float> values(24, 1.0f);
        const auto bytes = writeNpy(shape, values);
        write(name, std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
    };
    store("2.npy", {4, 6});
    store("3.npy", {2, 3, 4});
    store("4.npy", {1, 2, 3, 4});
    store("5.npy", {1, 1, 2, 3, 4});
    EXPECT_EQ(inputShape(file(InputSource::Npy, "2.npy"), folder()).value(), (Shape4{1, 1, 4, 6}));
    EXPECT_EQ(loadInput(file(InputSource::Npy, "3.npy"), folder())->shape, (Shape4{1, 2, 3, 4}));
    EXPECT_EQ(loadInput(file(InputSource::Npy, "4.npy"), folder())->shape, (Shape4{1, 2, 3, 4}));
    EXPECT_TRUE(inputShape(file(InputSource::Npy, "5.npy"), folder())
                    .error()
                    .where.starts_with("/pooling/input/path"));
}

} // namespace heteroscope::compute
