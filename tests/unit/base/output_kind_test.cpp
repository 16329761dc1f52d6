// SPDX-License-Identifier: Apache-2.0
// How the kinds of files are told apart: each by a beginning of its own, and a file is of one kind only.
#include "compute/base/output_kind.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace heteroscope {
namespace {

std::vector<std::pair<OutputKind, std::string>> beginnings() {
    return {{OutputKind::Results, "\n{\"heteroscope-results\": 1, \"runs\": []}"},
            {OutputKind::Csv, "run,target,batch,process,sample,warmup,traced,repetitions\n0,cpu/openmp,"},
            {OutputKind::Csv, "run,target,point,layer,type,is_layer,is_reorder,phase\n"},
            {OutputKind::Csv, "index,actual,predicted\n"},
            {OutputKind::Archive, std::string("PK\x03\x04\x14\0", 6)},
            {OutputKind::ChromeTrace, "{\"displayTimeUnit\": \"ns\", \"traceEvents\": ["},
            {OutputKind::Onnx, "\x08\x08\x12\x0bheteroscope"},
            {OutputKind::Experiment, "{\n  \"heteroscope\": 1,\n  \"name\": \"results\"}"},
            {OutputKind::Summary, "layer,type,output_shape,parameters\n"},
            {OutputKind::Png, std::string("\x89PNG\r\n\x1a\n\0", 9)},
            {OutputKind::Svg, "<?xml version=\"1.0\"?>\n<svg width=\"1\">"},
            {OutputKind::Pdf, "%PDF-1.4\n"},
            {OutputKind::Report, "<!DOCTYPE html><meta name=\"generator\" content=\"Heteroscope\">"}};
}

TEST(OutputKind, EachBeginningIsOfItsKindAndOfNoOther) {
    for (const auto& [kind, head] : beginnings()) {
        EXPECT_EQ(outputKindOf(head), kind) << head;
        EXPECT_TRUE(rulesOfKind(kind).isKind(head)) << head;
        for (const auto& [other, otherHead] : beginnings())
            EXPECT_TRUE(other == kind || !rulesOfKind(kind).isKind(otherHead))
                << otherHead << " is " << rulesOfKind(kind).kind;
    }
}

TEST(OutputKind, OtherFilesAreOfNone) {
    for (const char* head :
         {"", "a,b\n1,2\n", "run,target,note\n1,a,b\n", "run,target,note\n,process,sample,warmup,traced,",
          "{\"a\": 1}", "[1, 2]", "<svg>", "text"})
        EXPECT_FALSE(outputKindOf(head)) << head;
    EXPECT_FALSE(rulesOfKind(OutputKind::RunFile).isKind);
}

} // namespace
} // namespace heteroscope
