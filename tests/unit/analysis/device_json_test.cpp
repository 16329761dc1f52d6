// SPDX-License-Identifier: Apache-2.0
// Every key of the JSON that reports what a device did.
#include "profiling/analysis/device_json.h"

#include <gtest/gtest.h>

namespace heteroscope::profiling {
namespace {

TEST(DeviceJsonKeys, OfASplitAreItsPartsAndCounts) {
    DeviceTimeSplit split;
    split.wallNs = 21;
    split.partNs = {1, 2, 3, 4, 5, 6};
    split.launchOfCopiesNs = 2;
    split.kernels = 7;
    split.copies = 8;
    split.withoutLaunch = 9;
    EXPECT_EQ(deviceTimeJson(split), (Json{{"wall_ns", 21},
                                           {"execute_ns", 1},
                                           {"copy_ns", 2},
                                           {"launch_ns", 3},
                                           {"queue_ns", 4},
                                           {"synchronise_ns", 5},
                                           {"other_ns", 6},
                                           {"launch_of_copies_ns", 2},
                                           {"kernels", 7},
                                           {"copies", 8},
                                           {"without_launch", 9}}));
}

TEST(DeviceJsonKeys, OfTransfersAreGroupsOpsAndPhases) {
    TransferBreakdown transfers;
    transfers.wallNs = 1000;
    transfers.busyNs = 300;
    transfers.underKernelsNs = 20;
    TransferGroup group;
    group.route = CopyRoute::DeviceToHost;
    group.memory = "pinned";
    group.count = 2;
    group.bytes = 500;
    group.busyNs = 250;
    group.underKernelsNs = 10;
    SizeBin bin;
    bin.lowBytes = 256;
    bin.count = 2;
    bin.bytes = 500;
    bin.busyNs = 240;
    group.sizes = {bin};
    transfers.groups = {group};
    transfers.peaks[static_cast<std::size_t>(CopyRoute::DeviceToHost)] = LinkPeak{8, 1, "pinned", {}};
    OpTransfers op;
    op.op = "gemm";
    op.phase = "copy in";
    op.count = 3;
    op.bytes = 4;
    op.busyNs = 5;
    transfers.ops = transfers.phases = {op};
    const Json json = transfersJson(transfers);
    EXPECT_EQ(json.at("wall_ns"), 1000);
    EXPECT_EQ(json.at("busy_ns"), 300);
    EXPECT_EQ(json.at("under_kernels_ns"), 20);
    Json expected = {{"direction", "device to host"},
                     {"memory", "pinned"},
                     {"count", 2},
                     {"bytes", 500},
                     {"busy_ns", 250},
                     {"under_kernels_ns", 10},
                     {"share_of_wall", 0.25},
                     {"gb_s", 2.0},
                     {"link_peak_gb_s", 8.0},
                     {"share_of_link_peak", 0.25}};
    expected["sizes"] =
        Json::array({Json{{"from_bytes", 256}, {"count", 2}, {"bytes", 500}, {"busy_ns", 240}}});
    EXPECT_EQ(json.at("groups"), Json::array({expected}));
    const Json plain = {{"op", "gemm"}, {"count", 3}, {"bytes", 4}, {"busy_ns", 5}};
    EXPECT_EQ(json.at("ops"), Json::array({plain}));
    Json withPhase = plain;
    withPhase["phase"] = "copy in";
    EXPECT_EQ(json.at("phases"), Json::array({withPhase}));
}

TEST(DeviceJsonKeys, OfAdviceAreNullWhereItIsOfTheWholeRecording) {
    Advice advice;
    advice.rule = "idle-gaps";
    advice.sentences = say("text");
    advice.basis = say("basis");
    advice.run = 0;
    advice.share = 0.5;
    advice.place = {{10, 30}, 4};
    advice.gain = {0.25, say("what it counts")};
    EXPECT_EQ(adviceJson(advice), (Json{{"rule", "idle-gaps"},
                                        {"text", "text"},
                                        {"basis", "basis"},
                                        {"run", 0},
                                        {"share", 0.5},
                                        {"estimated_gain", 0.25},
                                        {"gain_basis", "what it counts"},
                                        {"start_ns", 10},
                                        {"end_ns", 30},
                                        {"track", 4}}));
    advice.run = -1;
    advice.place.track = kNoTrack;
    EXPECT_TRUE(adviceJson(advice).at("run").is_null());
    EXPECT_TRUE(adviceJson(advice).at("track").is_null());
}

TEST(DeviceJsonKeys, OfARooflineAreRoofsAndOps) {
    Roofline roofline;
    roofline.notes = {std::string("a note")};
    DeviceRoofs roofs;
    roofs.device = "cuda:0";
    roofs.name = "NVIDIA H200";
    roofs.memory = Roof{100, "memory"};
    roofs.fp32 = Roof{1000, "fp32"};
    roofline.devices = {roofs};
    RooflineOp op;
    op.op = "gemm";
    op.runs = {1, 2};
    op.bytes = 2;
    op.flops = 8;
    op.bound = RoofKind::Fp32;
    op.share = 0.5;
    op.time = {5, 1, 2, 4, 6, 7};
    op.measured.emplace();
    roofline.ops = {op};
    const Json json = rooflineJson(roofline);
    EXPECT_EQ(json.at("notes"), Json::array({"a note"}));
    EXPECT_EQ(json.at("devices").at(0), (Json{{"device", "cuda:0"},
                                              {"name", "NVIDIA H200"},
                                              {"memory_bytes_s", 100.0},
                                              {"memory_source", "memory"},
                                              {"fp32_flop_s", 1000.0},
                                              {"fp32_source", "fp32"},
                                              {"ridge_flop_byte", 10.0}}));
    const Json& found = json.at("ops").at(0);
    EXPECT_EQ(found.at("bound"), "fp32");
    EXPECT_EQ(found.at("share"), 0.5);
    EXPECT_TRUE(found.at("why_no_roof").is_null());
    EXPECT_EQ(found.at("runs"), (Json{1, 2}));
    EXPECT_EQ(found.at("intensity"), 4.0);
    EXPECT_EQ(found.at("flop_s"), 2e9);
    EXPECT_EQ(found.at("bytes_s"), 0.5e9);
    EXPECT_EQ(found.at("time_ns"), (Json{{"count", 5},
                                         {"min", op.time.minNs},
                                         {"q1", op.time.q1Ns},
                                         {"median", op.time.medianNs},
                                         {"q3", op.time.q3Ns},
                                         {"max", op.time.maxNs}}));
    EXPECT_TRUE(found.at("measured").at("intensity").is_null()) << "no bytes were counted";
    roofline.ops[0].measured.reset();
    EXPECT_TRUE(rooflineJson(roofline).at("ops").at(0).at("measured").is_null());
}

} // namespace
} // namespace heteroscope::profiling
