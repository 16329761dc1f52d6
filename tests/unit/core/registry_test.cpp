// SPDX-License-Identifier: Apache-2.0
// Finding implementations, and what is said of those that are missing.
#include "compute/backends/builtin.h"
#include "compute/core/missing_backend.h"

#include <gtest/gtest.h>

namespace heteroscope::compute {
namespace {

BackendRegistry smallRegistry() {
    BackendRegistry registry;
    DeviceInfo cpu;
    cpu.id = "cpu";
    DeviceInfo gpu;
    gpu.id = "cuda:0";
    gpu.unavailableReason = "CUDA driver not found";
    registry.addDevice(cpu);
    registry.addDevice(gpu);
    registry.add(std::make_unique<MissingBackend>(
        "cpu", ImplementationInfo{"faraway", {}, "libfaraway.so not found", {}, {}}));
    return registry;
}

std::string openError(const BackendRegistry& registry, const char* text) {
    const auto session = registry.open(*parseTarget(text));
    if (session)
        return "no error";
    EXPECT_EQ(session.error().code, ErrorCode::TargetUnavailable);
    return session.error().sentence();
}

TEST(Registry, ListsMissingImplementationsWithTheirReason) {
    const auto devices = smallRegistry().devices();
    ASSERT_EQ(devices.size(), 2U);
    ASSERT_EQ(devices[0].implementations.size(), 1U);
    EXPECT_EQ(devices[0].implementations[0].unavailableReason, "libfaraway.so not found");
    EXPECT_TRUE(devices[1].implementations.empty());
}

TEST(Registry, ErrorsSayWhatIsKnownAndWhy) {
    const BackendRegistry registry = smallRegistry();
    EXPECT_NE(openError(registry, "tpu/x").find("allowed: cpu, cuda:0"), std::string::npos);
    EXPECT_NE(openError(registry, "cuda:0/x").find("CUDA driver not found"), std::string::npos);
    EXPECT_NE(openError(registry, "cpu/faraway").find("libfaraway.so not found"), std::string::npos);
    EXPECT_NE(openError(registry, "cpu/nothing").find("allowed: faraway"), std::string::npos);
}

TEST(BuiltinRegistry, OpensSequentialAndRefusesItsUnknownOptions) {
    const BackendRegistry registry = makeBuiltinRegistry();
    EXPECT_TRUE(registry.open(*parseTarget("cpu/sequential")).ok());
    const auto refused = registry.open(*parseTarget("cpu/sequential?threads=2"));
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, ErrorCode::BadInput);
}

} // namespace
} // namespace heteroscope::compute
