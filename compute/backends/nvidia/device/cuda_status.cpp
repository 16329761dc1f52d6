// SPDX-License-Identifier: Apache-2.0
#include "compute/backends/nvidia/device/cuda_status.h"

#include "compute/base/failure_words.h"

namespace heteroscope::compute::nvidia {

bool isSticky(cudaError_t code) {
    switch (code) {
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchFailure:
    case cudaErrorLaunchTimeout:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorAssert:
    case cudaErrorECCUncorrectable:
    case cudaErrorDevicesUnavailable:
    case cudaErrorContextIsDestroyed:
        return true;
    default:
        return false;
    }
}

Status cudaStatus(cudaError_t code, const std::string& what, const std::string& where) {
    if (code == cudaSuccess)
        return {};
    Error error;
    error.code = code == cudaErrorMemoryAllocation ? ErrorCode::OutOfMemory : ErrorCode::RunFailed;
    error.message = what + " failed: " + cudaGetErrorString(code) + " (" + cudaGetErrorName(code) + ")";
    error.where = where;
    if (code == cudaErrorMemoryAllocation)
        error.advice = failure_words::kSmallerOrOthers;
    else if (isSticky(code))
        error.advice =
            "CUDA takes no more work in this process; what was measured before is kept, start the run again";
    return error;
}

} // namespace heteroscope::compute::nvidia
