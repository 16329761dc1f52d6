// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers of the pooling picture.
#include "tests/ui/program/ui_test.h"
#include "ui/build/canvas_layout.h"
#include "ui/build/manual_matrix.h"
#include "ui/build/pooling_preview.h"

#include <QTemporaryDir>

#include <sys/stat.h>

using namespace heteroscope;
using namespace heteroscope::ui;

namespace {

PoolingPreview previewOf(const compute::InputSpec& input, const compute::PoolParams& params) {
    auto loaded = loadPreviewInput(input, {});
    auto dst = compute::poolOutputShape(params, loaded->shape);
    return PoolingPreview(params, std::move(*loaded), *dst);
}

compute::InputSpec manual(std::vector<std::vector<double>> values) {
    compute::InputSpec input;
    input.source = compute::InputSource::Manual;
    input.values = std::move(values);
    return input;
}

const std::vector<std::vector<double>> kByHand = {{9, 5, 2, 7}, {3, 1, 3, 4}, {2, 6, 5, 9}, {8, 3, 7, 4}};

} // namespace

class PoolingPreviewTest : public QObject {
    Q_OBJECT
  private slots:
    /// Opening one waits for somebody who writes, and so would the window.
    void specialFilesAreRefused() {
        const QTemporaryDir folder;
        const QString fifo = folder.filePath("fifo");
        QCOMPARE(::mkfifo(fifo.toLocal8Bit().constData(), 0600), 0);
        for (const QString& path :
             {fifo, QStringLiteral("/dev/zero"), QStringLiteral("/proc/kmsg"), folder.path()})
            for (const compute::InputSource source :
                 {compute::InputSource::Image, compute::InputSource::Npy}) {
                compute::InputSpec input;
                input.source = source;
                const auto loaded = loadPreviewInput(input, path);
                QVERIFY2(!loaded, qPrintable(path));
                QVERIFY2(loaded.error().where == path.toStdString(), loaded.error().sentence().c_str());
            }
    }

    void poolsTheExampleByHand() {
        const auto preview = previewOf(manual(kByHand), {});
        const double expected[2][2] = {{9, 7}, {8, 9}};
        for (int row = 0; row < 2; ++row)
            for (int column = 0; column < 2; ++column)
                QCOMPARE(preview.window(row, column)->result, expected[row][column]);
        const auto window = preview.window(1, 0);
        QCOMPARE(window->top, 2);
        QCOMPARE(*window->winner, std::size_t(2)); // 2 6 / 8 3
        QVERIFY(!preview.window(2, 0));
    }

    void theFirstOfEqualsWins() {
        QCOMPARE(*previewOf(manual({{4, 4}, {4, 4}}), {}).window(0, 0)->winner, std::size_t(0));
    }

    void paddingNeverWinsUnlessItIsZero() {
        compute::PoolParams params;
        params.padding = {1, 1, 1, 1};
        const auto field = previewOf(manual({{-5, -6}, {-7, -8}}), params);
        QCOMPARE(field.window(0, 0)->result, -5.0);
        params.padValue = compute::PadValue::Zero;
        const auto study = previewOf(manual({{-5, -6}, {-7, -8}}), params);
        QCOMPARE(study.window(0, 0)->result, 0.0);
        QVERIFY(study.window(0, 0)->cells[*study.window(0, 0)->winner].isPadding);
    }

    void averagesWithAndWithoutPadding() {
        compute::PoolParams params;
        params.mode = compute::PoolMode::Average;
        params.padding = {1, 1, 1, 1};
        QCOMPARE(previewOf(manual({{8, 8}, {8, 8}}), params).window(0, 0)->result, 2.0);
        params.countIncludePad = false;
        QCOMPARE(previewOf(manual({{8, 8}, {8, 8}}), params).window(0, 0)->result, 8.0);
    }

    void seed35IsNumPysMatrix() {
        compute::InputSpec input;
        input.height = input.width = 4;
        const auto preview = previewOf(input, {});
        // numpy.random.seed(35); numpy.random.randint(10, size=(4, 4))
        const double first[4] = {9, 7, 1, 0};
        for (int column = 0; column < 4; ++column)
            QCOMPARE(preview.cell(0, column)->value, first[column]);
    }

    void aLargeInputShowsItsCornerAndTrueSize() {
        compute::InputSpec input;
        const auto preview = previewOf(input, {});
        const CanvasLayout layout(preview, QSizeF(740, 400), {0, 0});
        QVERIFY(layout.isCropped());
        QVERIFY(layout.showsText());
        QVERIFY(layout.rows().inCount >= 4 && layout.rows().inCount < 40);
        QCOMPARE(layout.rows().inCount, layout.rows().outCount * 2);
        QVERIFY(QRectF(0, 0, 740, 400).contains(layout.inputRect()));
        QVERIFY(QRectF(0, 0, 740, 400).contains(layout.outputRect()));
        QVERIFY(!layout.inputRect().intersects(layout.outputRect()));
    }

    void aKernelLargerThanThePictureStillFits() {
        compute::InputSpec input;
        compute::PoolParams params;
        params.kernel = {64, 64};
        params.stride = {64, 64};
        const CanvasLayout layout(previewOf(input, params), QSizeF(740, 400), {0, 0});
        QVERIFY(layout.rows().outCount >= 1);
        QVERIFY(QRectF(0, 0, 740, 400).contains(layout.inputRect()));
    }

    void readsBlocks() {
        QCOMPARE(QString::fromStdString(parseBlock("9 5\n3\t1\r\n")->dump()), QString("[[9,5],[3,1]]"));
        QCOMPARE(QString::fromStdString(parseBlock("9 5 2 7 / 3 1 3 4")->dump()),
                 QString("[[9,5,2,7],[3,1,3,4]]"));
        QVERIFY(!parseBlock("9 five"));
        QVERIFY(!parseBlock(" \n "));
        QVERIFY(!parseBlock("nan 1"));
        const Json grown = withBlock(Json::parse("[[1,2],[3,4]]"), 1, 1, Json::parse("[[7,8],[9,6]]"));
        QCOMPARE(QString::fromStdString(grown.dump()), QString("[[1,2,0],[3,7,8],[0,9,6]]"));
        QCOMPARE(QString::fromStdString(resized(grown, 1, 2).dump()), QString("[[1,2]]"));
    }
};

HETEROSCOPE_UI_TEST(PoolingPreviewTest)
#include "pooling_preview_test.moc"
