// SPDX-License-Identifier: Apache-2.0
#include "tests/cases/gemm_cases.h"

namespace heteroscope::compute {

const std::vector<Gemm>& gemmCases() {
    static const std::vector<Gemm> cases = {
        {1, 1, 1},     {1, 1, 300},    {1, 77, 1},     {65, 1, 1},      {2, 2, 2},
        {3, 5, 7},     {6, 16, 8},     {12, 32, 16},   {13, 33, 17},    {64, 64, 64},
        {31, 200, 9},  {96, 512, 256}, {97, 513, 257}, {100, 40, 600},  {1, 600, 70},
        {250, 1, 130}, {5, 2100, 3},   {4100, 3, 5},   {193, 130, 515},
    };
    return cases;
}

} // namespace heteroscope::compute
