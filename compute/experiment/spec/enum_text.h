// SPDX-License-Identifier: Apache-2.0
// JSON texts of the enumerations of an experiment. Pure; any thread.
#pragma once

#include "compute/experiment/spec/spec.h"

#include <string_view>

namespace heteroscope::compute {

std::string_view enumText(ExperimentKind value);
std::string_view enumText(PoolMode value);
std::string_view enumText(PadValue value);
std::string_view enumText(Strategy value);
std::string_view enumText(WindowMultiply value);
std::string_view enumText(WindowFilter value);
std::string_view enumText(InputSource value);
std::string_view enumText(MatmulRight value);
std::string_view enumText(Task value);
std::string_view enumText(Initialization value);
std::string_view enumText(OptimizerSpec::Kind value);
std::string_view enumText(ScheduleSpec::Kind value);
std::string_view enumText(DataSource value);
std::string_view enumText(TargetKind value);
std::string_view enumText(SplitOrder value);
std::string_view enumText(Separator value);
std::string_view enumText(TransformKind value);
std::string_view enumText(LossKind value);
std::string_view enumText(Preset value);
std::string_view enumText(CacheState value);

/// The value with that text; the first one for a text that a check would have refused.
template <class Enum>
Enum enumFromText(std::string_view text, int count) {
    for (int i = 0; i < count; ++i)
        if (enumText(static_cast<Enum>(i)) == text)
            return static_cast<Enum>(i);
    return static_cast<Enum>(0);
}

} // namespace heteroscope::compute
