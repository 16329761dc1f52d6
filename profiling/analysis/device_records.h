// SPDX-License-Identifier: Apache-2.0
// The device records of a study by device id. Pure function; any thread.
#pragma once

#include "profiling/stream/study.h"

#include <map>
#include <string>

namespace heteroscope::profiling {

/// By id ("cpu", "cuda:0"): the study's own device records, then those of its environment for devices without
/// one. Each is an object with an id and an object of properties; a record that is not, is left out.
std::map<std::string, Json> deviceRecords(const Study& study);

/// The device of a target: "cuda:0" of "cuda:0/cublas?tf32=on".
std::string deviceOfTarget(const std::string& target);

} // namespace heteroscope::profiling
