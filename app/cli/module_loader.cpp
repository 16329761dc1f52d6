// SPDX-License-Identifier: Apache-2.0
#include "app/cli/module_loader.h"

#include "compute/backends/builtin.h"
#include "compute/base/failure_words.h"
#include "compute/core/missing_backend.h"
#include "compute/core/module.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <dlfcn.h>
#include <heteroscope_module_build.h>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace heteroscope::cli {
namespace {

using compute::BackendModule;
using compute::BackendRegistry;
using compute::DeviceInfo;
using compute::ImplementationInfo;
using compute::ModuleEntry;

struct ModuleName {
    std::string_view id;
    std::string_view summary; ///< shown when the module cannot say it itself
};

/// Sorted; a new module is one line.
constexpr std::array kModules{
    ModuleName{"cublas", "NVIDIA's matrix products."},
    ModuleName{"cuda", "Own CUDA kernels: networks, pooling and a ladder of matrix products."},
    ModuleName{"cudnn", "NVIDIA's library for neural networks."},
};

constexpr std::string_view kFirstDevice = "cuda:0";

bool isModule(std::string_view id) {
    return std::any_of(kModules.begin(), kModules.end(),
                       [&](const ModuleName& module) { return module.id == id; });
}

/// A target with an implementation that nobody knows wants every module, so that the refusal can list what
/// there is.
bool wanted(std::string_view id, const ModuleWish& wish) {
    return wish.all ||
           std::any_of(wish.targets.begin(), wish.targets.end(), [&](const compute::Target& target) {
               return compute::namesGpu(target.device) &&
                      (target.implementation == id || !isModule(target.implementation));
           });
}

/// The loader's message names the file that is missing: "libcudnn.so.9: cannot open shared object file: ...".
std::string loaderReason() {
    const char* text = ::dlerror();
    return text == nullptr ? "it cannot be loaded"
                           : say(failure_words::kNotLoaded, {std::string(text)}).text();
}

} // namespace

Result<const void*> loadModuleEntry(std::string_view id, const char* name) {
    const auto path = moduleFolder() / (std::string(id) + ".so");
    const auto missing = [&](std::string reason) {
        return Error{ErrorCode::TargetUnavailable, std::move(reason), path.string(), {}, {}};
    };
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored))
        return missing(say(failure_words::kNoModule, {std::string(id), path.string()}).text());
    void* library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL); // kept until the process ends
    if (library == nullptr)
        return missing(loaderReason());
    const void* entry = ::dlsym(library, name);
    if (entry == nullptr)
        return missing("it is not a module of this program");
    const char* build = *static_cast<const char* const*>(entry); // every entry begins with it
    if (build == nullptr || std::string_view(build) != HETEROSCOPE_MODULE_BUILD)
        return missing("it belongs to another build (" + std::string(build == nullptr ? "unknown" : build) +
                       ", this program is " + HETEROSCOPE_MODULE_BUILD + ")");
    return entry;
}

namespace {

Result<std::unique_ptr<BackendModule>> load(std::string_view id) {
    const auto entry = loadEntry<ModuleEntry>(id, compute::kModuleEntryName);
    if (!entry)
        return entry.error();
    return std::unique_ptr<BackendModule>((*entry)->create());
}

/// Devices that several modules see are listed once; a usable one replaces one with a reason.
void mergeDevice(std::vector<DeviceInfo>& devices, DeviceInfo device) {
    const auto known = std::find_if(devices.begin(), devices.end(),
                                    [&](const DeviceInfo& other) { return other.id == device.id; });
    if (known == devices.end())
        devices.push_back(std::move(device));
    else if (!known->unavailableReason.empty() && device.unavailableReason.empty())
        *known = std::move(device);
}

} // namespace

std::filesystem::path moduleFolder() {
    if (const char* folder = std::getenv("HETEROSCOPE_MODULES"); folder != nullptr && *folder != '\0')
        return folder;
    std::error_code error;
    const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
    return (error ? std::filesystem::path(".") : program.parent_path()) / ".." / "lib" / "heteroscope";
}

BackendRegistry makeRegistry(const ModuleWish& wish) {
    BackendRegistry registry = compute::makeBuiltinRegistry();
    std::vector<DeviceInfo> devices;
    std::vector<std::unique_ptr<compute::Backend>> backends;
    std::vector<ImplementationInfo> missing;
    for (const ModuleName& name : kModules) {
        if (!wanted(name.id, wish))
            continue;
        auto module = load(name.id);
        if (!module) {
            missing.push_back(
                {std::string(name.id), {}, module.error().message, {}, std::string(name.summary)});
            continue;
        }
        for (DeviceInfo& device : (*module)->devices())
            mergeDevice(devices, std::move(device));
        for (auto& backend : (*module)->backends())
            backends.push_back(std::move(backend));
    }
    if (devices.empty() && !missing.empty()) {
        DeviceInfo none;
        none.id = kFirstDevice;
        none.kind = "gpu";
        none.name = "NVIDIA GPU";
        none.unavailableReason = missing.front().unavailableReason;
        devices.push_back(std::move(none));
    }
    for (const ImplementationInfo& info : missing)
        for (const DeviceInfo& device : devices)
            backends.push_back(std::make_unique<compute::MissingBackend>(device.id, info));
    std::sort(backends.begin(), backends.end(), [](const auto& a, const auto& b) {
        return std::pair(a->deviceId(), a->id()) < std::pair(b->deviceId(), b->id());
    });
    for (DeviceInfo& device : devices)
        registry.addDevice(std::move(device));
    for (auto& backend : backends)
        registry.add(std::move(backend));
    return registry;
}

} // namespace heteroscope::cli
