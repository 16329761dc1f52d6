// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/cupti/cupti_counters.h"

#include "profiling/collectors/cupti/cupti_error.h"

#include <algorithm>
#include <cupti_profiler_target.h>
#include <cupti_target.h>
#include <dlfcn.h>
#include <heteroscope_module_build.h>
#include <utility>

namespace heteroscope::profiling {
namespace {

constexpr int kMostPasses = 100; // the seven counters take two on a GH100

/// CUPTI tells versions of a structure apart by its size.
template <class Params>
Params sized(std::size_t size) {
    Params params{};
    params.structSize = size;
    return params;
}

/// The driver is there when a context is current; looking its functions up keeps this module loadable
/// without.
template <class Function>
Function* driverFunction(const char* name) {
    static void* const library = ::dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    return library == nullptr ? nullptr : reinterpret_cast<Function*>(::dlsym(library, name));
}

Result<CUcontext> currentContext() {
    auto* get = driverFunction<CUresult(CUcontext*)>("cuCtxGetCurrent");
    CUcontext context = nullptr;
    if (get == nullptr || get(&context) != CUDA_SUCCESS || context == nullptr)
        return Error{ErrorCode::TargetUnavailable, "no device is in use", "counters", {}, {}};
    return context;
}

Result<std::size_t> currentDevice() {
    auto* get = driverFunction<CUresult(CUdevice*)>("cuCtxGetDevice");
    CUdevice device = 0;
    if (get == nullptr || get(&device) != CUDA_SUCCESS)
        return Error{ErrorCode::TargetUnavailable, "no device is in use", "counters", {}, {}};
    return static_cast<std::size_t>(device);
}

} // namespace

CuptiCounters::~CuptiCounters() {
    disable();
    if (m_host == nullptr)
        return;
    auto params =
        sized<CUpti_Profiler_Host_Deinitialize_Params>(CUpti_Profiler_Host_Deinitialize_Params_STRUCT_SIZE);
    params.pHostObject = m_host;
    cuptiProfilerHostDeinitialize(&params);
}

Status CuptiCounters::prepare() {
    if (m_prepared)
        return {};
    Status status = openHost();
    if (status)
        status = chooseCounters();
    if (status)
        status = m_launches.start();
    m_prepared = status.ok();
    return status;
}

Status CuptiCounters::openHost() {
    const auto device = currentDevice();
    if (!device)
        return device.error();
    auto start = sized<CUpti_Profiler_Initialize_Params>(CUpti_Profiler_Initialize_Params_STRUCT_SIZE);
    if (Status status = cuptiStatus(cuptiProfilerInitialize(&start), "starting the profiler"); !status)
        return status;
    auto chip = sized<CUpti_Device_GetChipName_Params>(CUpti_Device_GetChipName_Params_STRUCT_SIZE);
    chip.deviceIndex = *device;
    if (Status status = cuptiStatus(cuptiDeviceGetChipName(&chip), "asking for the chip"); !status)
        return status;
    auto host =
        sized<CUpti_Profiler_Host_Initialize_Params>(CUpti_Profiler_Host_Initialize_Params_STRUCT_SIZE);
    host.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
    host.pChipName = chip.pChipName;
    if (Status status = cuptiStatus(cuptiProfilerHostInitialize(&host),
                                    std::string("loading the list of counters of ") + chip.pChipName);
        !status)
        return status;
    m_host = host.pHostObject;
    return {};
}

Status CuptiCounters::chooseCounters() {
    constexpr const char* kWhat = "choosing counters";
    auto metrics = kCountedMetrics;
    auto add = sized<CUpti_Profiler_Host_ConfigAddMetrics_Params>(
        CUpti_Profiler_Host_ConfigAddMetrics_Params_STRUCT_SIZE);
    add.pHostObject = m_host;
    add.ppMetricNames = metrics.data();
    add.numMetrics = metrics.size();
    if (Status status = cuptiStatus(cuptiProfilerHostConfigAddMetrics(&add), kWhat); !status)
        return status;
    auto size = sized<CUpti_Profiler_Host_GetConfigImageSize_Params>(
        CUpti_Profiler_Host_GetConfigImageSize_Params_STRUCT_SIZE);
    size.pHostObject = m_host;
    if (Status status = cuptiStatus(cuptiProfilerHostGetConfigImageSize(&size), kWhat); !status)
        return status;
    m_config.resize(size.configImageSize);
    auto image = sized<CUpti_Profiler_Host_GetConfigImage_Params>(
        CUpti_Profiler_Host_GetConfigImage_Params_STRUCT_SIZE);
    image.pHostObject = m_host;
    image.configImageSize = m_config.size();
    image.pConfigImage = m_config.data();
    return cuptiStatus(cuptiProfilerHostGetConfigImage(&image), kWhat);
}

Status CuptiCounters::enable() {
    const auto context = currentContext();
    if (!context)
        return context.error();
    auto params = sized<CUpti_RangeProfiler_Enable_Params>(CUpti_RangeProfiler_Enable_Params_STRUCT_SIZE);
    params.ctx = *context;
    if (Status status = cuptiStatus(cuptiRangeProfilerEnable(&params), "reading counters"); !status)
        return status;
    m_profiler = params.pRangeProfilerObject;
    return makeCounterData();
}

Status CuptiCounters::makeCounterData() {
    auto metrics = kCountedMetrics;
    auto size = sized<CUpti_RangeProfiler_GetCounterDataSize_Params>(
        CUpti_RangeProfiler_GetCounterDataSize_Params_STRUCT_SIZE);
    size.pRangeProfilerObject = m_profiler;
    size.pMetricNames = metrics.data();
    size.numMetrics = metrics.size();
    size.maxNumOfRanges = kMostKernels;
    size.maxNumRangeTreeNodes = kMostKernels;
    if (Status status = cuptiStatus(cuptiRangeProfilerGetCounterDataSize(&size), "making room"); !status)
        return status;
    m_counterData.assign(size.counterDataSize, 0);
    auto image = sized<CUpti_RangeProfiler_CounterDataImage_Initialize_Params>(
        CUpti_RangeProfiler_CounterDataImage_Initialize_Params_STRUCT_SIZE);
    image.pRangeProfilerObject = m_profiler;
    image.counterDataSize = m_counterData.size();
    image.pCounterData = m_counterData.data();
    if (Status status = cuptiStatus(cuptiRangeProfilerCounterDataImageInitialize(&image), "making room");
        !status)
        return status;
    auto config =
        sized<CUpti_RangeProfiler_SetConfig_Params>(CUpti_RangeProfiler_SetConfig_Params_STRUCT_SIZE);
    config.pRangeProfilerObject = m_profiler;
    config.configSize = m_config.size();
    config.pConfig = m_config.data();
    config.counterDataImageSize = m_counterData.size();
    config.pCounterDataImage = m_counterData.data();
    config.range = CUPTI_AutoRange;
    config.replayMode = CUPTI_KernelReplay;
    config.maxRangesPerPass = kMostKernels;
    config.numNestingLevels = 1;
    config.minNestingLevel = 1;
    config.passIndex = 0;
    config.targetNestingLevel = 1;
    return cuptiStatus(cuptiRangeProfilerSetConfig(&config), "choosing counters");
}

Status CuptiCounters::runPasses(const std::function<Status()>& work) {
    for (int pass = 0; pass < kMostPasses; ++pass) {
        m_launches.take();
        auto start = sized<CUpti_RangeProfiler_Start_Params>(CUpti_RangeProfiler_Start_Params_STRUCT_SIZE);
        start.pRangeProfilerObject = m_profiler;
        if (Status status = cuptiStatus(cuptiRangeProfilerStart(&start), "starting to count"); !status)
            return status;
        const Status done = work();
        auto stop = sized<CUpti_RangeProfiler_Stop_Params>(CUpti_RangeProfiler_Stop_Params_STRUCT_SIZE);
        stop.pRangeProfilerObject = m_profiler;
        if (Status status = cuptiStatus(cuptiRangeProfilerStop(&stop), "ending to count"); !status)
            return done ? status : done;
        if (!done || stop.isAllPassSubmitted)
            return done;
    }
    return Error{ErrorCode::RunFailed, "the counters took too many passes", "CUPTI", {}, {}};
}

Result<std::vector<RawKernelCounters>> CuptiCounters::evaluate(std::vector<std::string> names) {
    auto decode =
        sized<CUpti_RangeProfiler_DecodeData_Params>(CUpti_RangeProfiler_DecodeData_Params_STRUCT_SIZE);
    decode.pRangeProfilerObject = m_profiler;
    if (Status status = cuptiStatus(cuptiRangeProfilerDecodeData(&decode), "reading the counters"); !status)
        return status.error();
    auto info = sized<CUpti_RangeProfiler_GetCounterDataInfo_Params>(
        CUpti_RangeProfiler_GetCounterDataInfo_Params_STRUCT_SIZE);
    info.pCounterDataImage = m_counterData.data();
    info.counterDataImageSize = m_counterData.size();
    if (Status status = cuptiStatus(cuptiRangeProfilerGetCounterDataInfo(&info), "reading the counters");
        !status)
        return status.error();
    names.resize(names.size() == info.numTotalRanges ? names.size() : 0); // no name rather than a wrong one
    names.resize(info.numTotalRanges);
    std::vector<RawKernelCounters> kernels(info.numTotalRanges);
    auto metrics = kCountedMetrics;
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        kernels[i].kernel = std::move(names[i]);
        auto values = sized<CUpti_Profiler_Host_EvaluateToGpuValues_Params>(
            CUpti_Profiler_Host_EvaluateToGpuValues_Params_STRUCT_SIZE);
        values.pHostObject = m_host;
        values.pCounterDataImage = m_counterData.data();
        values.counterDataImageSize = m_counterData.size();
        values.rangeIndex = i;
        values.ppMetricNames = metrics.data();
        values.numMetrics = metrics.size();
        values.pMetricValues = kernels[i].values.data();
        if (Status status =
                cuptiStatus(cuptiProfilerHostEvaluateToGpuValues(&values), "reading the counters");
            !status)
            return status.error();
    }
    return kernels;
}

void CuptiCounters::disable() {
    if (m_profiler == nullptr)
        return;
    auto params = sized<CUpti_RangeProfiler_Disable_Params>(CUpti_RangeProfiler_Disable_Params_STRUCT_SIZE);
    params.pRangeProfilerObject = m_profiler;
    cuptiRangeProfilerDisable(&params);
    m_profiler = nullptr;
}

Result<std::vector<RawKernelCounters>> CuptiCounters::count(const std::function<Status()>& work) {
    Status status = prepare();
    if (status)
        status = enable();
    if (status)
        status = runPasses(work);
    if (!status) {
        disable();
        return status.error();
    }
    auto kernels = evaluate(m_launches.take());
    disable();
    return kernels;
}

} // namespace heteroscope::profiling

extern "C" __attribute__((visibility("default")))
const heteroscope::profiling::GpuCountersEntry heteroscopeGpuCounters;
const heteroscope::profiling::GpuCountersEntry heteroscopeGpuCounters{
    HETEROSCOPE_MODULE_BUILD,
    []() -> heteroscope::profiling::GpuCounters* { return new heteroscope::profiling::CuptiCounters(); }};
