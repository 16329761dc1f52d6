// SPDX-License-Identifier: Apache-2.0
// Every implementation on every case of networks' operations against the sequential one. What takes only sums
// and products must be exact for whole numbers; everything else within bounds that follow from the number of
// terms. What an implementation refuses must stand in network_unsupported.txt, and nothing else may.
#include "compute/backends/builtin.h"
#include "tests/cases/network_bounds.h"
#include "tests/support/tensor_match.h"
#include "tests/support/time_factor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <heteroscope_paths.h>
#include <set>

namespace heteroscope::compute {
namespace {

constexpr std::uint32_t kNetworkSeed = 35;

const BackendRegistry& registry() {
    static const BackendRegistry builtin = makeBuiltinRegistry();
    return builtin;
}

/// "implementation operation: case", or "implementation operation" for all of its cases.
const std::set<std::string>& refusals() {
    static const std::set<std::string> lines = [] {
        std::ifstream file(HETEROSCOPE_SOURCE_DIR "/tests/reference/network_unsupported.txt");
        EXPECT_TRUE(file.is_open());
        std::set<std::string> all;
        for (std::string line; std::getline(file, line);) {
            line.resize(std::min(line.find('#'), line.size()));
            line.erase(line.find_last_not_of(' ') + 1);
            if (!line.empty())
                all.insert(line);
        }
        return all;
    }();
    return lines;
}

bool mayRefuse(const std::string& implementation, const NetworkCase& one) {
    return refusals().contains(implementation + " " + opName(one.op)) ||
           refusals().contains(implementation + " " + caseTitle(one));
}

void expectWithin(const Tensors& expected, const Tensors& actual, const Bounds* bounds) {
    ASSERT_EQ(actual.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
        EXPECT_TRUE(nearTensor(expected[i], actual[i],
                               [&](std::size_t at) { return bounds == nullptr ? 0.0 : (*bounds)[i][at]; }))
            << "output " << i;
}

class NetworkReference : public testing::TestWithParam<std::string> {
  protected:
    void SetUp() override { m_session = std::move(registry().open(*parseTarget(GetParam()))).value(); }

    /// Whether the case runs here; compares refusals with the table.
    bool runs(const NetworkCase& one) {
        const Support support = m_session->supports(one.op);
        EXPECT_EQ(support.supported, !mayRefuse(parseTarget(GetParam())->implementation, one))
            << caseTitle(one) << ": " << support.reason;
        if (!support.supported) {
            EXPECT_FALSE(support.reason.empty());
            EXPECT_FALSE(m_session->prepare(one.op).ok());
        }
        return support.supported;
    }

    void check(const NetworkCase& one, Data data) {
        SCOPED_TRACE(GetParam() + " " + caseTitle(one) + " " + opDetail(one.op));
        if (!runs(one))
            return;
        const Tensors inputs = networkInputs(one, data, kNetworkSeed),
                      expected = specification(one.op, inputs);
        const auto actual = runOpAll(*m_session, one.op, inputs);
        ASSERT_TRUE(actual.ok()) << actual.error().sentence();
        const Bounds bounds = networkBounds(one.op, inputs, expected);
        expectWithin(expected, *actual,
                     data == Data::Integers && exactForIntegers(one.op) ? nullptr : &bounds);
    }

    std::unique_ptr<Session> m_session;
};

TEST_P(NetworkReference, WholeNumbers) {
    for (const NetworkCase& one : networkCases())
        check(one, Data::Integers);
}

TEST_P(NetworkReference, Reals) {
    for (const NetworkCase& one : networkCases())
        check(one, Data::Reals);
}

/// Where the operation says that an output may be an input's memory, nothing changes by it.
TEST_P(NetworkReference, OutputsInTheMemoryOfInputs) {
    for (const NetworkCase& one : networkCases()) {
        const std::vector<int> shared = sharedOperands(one.op);
        if (shared.empty() || !m_session->supports(one.op).supported)
            continue;
        SCOPED_TRACE(GetParam() + " " + caseTitle(one));
        const Tensors inputs = networkInputs(one, Data::Reals, kNetworkSeed);
        const auto apart = runOpAll(*m_session, one.op, inputs),
                   together = runOpShared(*m_session, one.op, inputs, shared);
        ASSERT_TRUE(apart.ok() && together.ok());
        expectWithin(*apart, *together, nullptr);
    }
}

/// One number of threads gives one result.
TEST_P(NetworkReference, IsTheSameEachTime) {
    for (const NetworkCase& one : networkCases()) {
        if (!m_session->supports(one.op).supported)
            continue;
        SCOPED_TRACE(GetParam() + " " + caseTitle(one));
        const Tensors inputs = networkInputs(one, Data::Reals, kNetworkSeed);
        const auto first = runOpAll(*m_session, one.op, inputs),
                   second = runOpAll(*m_session, one.op, inputs);
        ASSERT_TRUE(first.ok() && second.ok());
        for (std::size_t i = 0; i < first->size(); ++i)
            EXPECT_TRUE(sameTensor((*first)[i], (*second)[i])) << "output " << i;
    }
}

/// Sums whose parts cancel: thirty thousand times the deviation lies below them. Mean and variance in double
/// precision leave the rounding of the result alone.
TEST(LayerNormOpenMp, KeepsSmallDeviationsOfLargeValues) {
    const auto session = std::move(registry().open(*parseTarget("cpu/openmp?threads=2"))).value();
    for (const Shape4& shape : {Shape4{3, 40000, 1, 1}, Shape4{2, 300, 5, 7}}) {
        const NetworkCase one{"", LayerNormForward{shape}, 1, 1, 30000};
        const Tensors inputs = networkInputs(one, Data::Reals, kNetworkSeed),
                      expected = specification(one.op, inputs);
        const auto actual = runOpAll(*session, one.op, inputs);
        ASSERT_TRUE(actual.ok()) << actual.error().sentence();
        for (std::size_t i = 0; i < expected.size(); ++i)
            EXPECT_TRUE(nearTensor(expected[i], (*actual)[i],
                                   [&](std::size_t at) {
                                       return 4 * 0x1p-24 *
                                              std::max(2.0, std::fabs(static_cast<double>(expected[i][at])));
                                   }))
                << "output " << i;
    }
}

/// With a sanitizer each vector extension once: the plain loops that they are compared with, which are those
/// of cpu/sequential, take most of the time.
std::vector<std::string> findSubjects() {
    std::vector<std::string> all;
    std::vector<std::string> wanted{"cpu/onednn?threads=2", "cpu/openmp?threads=5",
                                    "cpu/openmp?simd=baseline&threads=2", "cpu/openmp?simd=avx2&threads=2"};
    if (kTimeFactor == 1)
        wanted.insert(wanted.end(), {"cpu/sequential", "cpu/onednn?threads=1", "cpu/openmp?threads=1",
                                     "cpu/openmp?threads=2"});
    for (const std::string& target : wanted)
        if (registry().open(*parseTarget(target)))
            all.emplace_back(target);
    return all;
}

/// Found once: GoogleTest asks for them several times.
const std::vector<std::string>& subjects() {
    static const std::vector<std::string> all = findSubjects();
    return all;
}

std::string networkSubjectName(const testing::TestParamInfo<std::string>& info) {
    std::string name = info.param;
    std::replace_if(
        name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
    return name;
}

INSTANTIATE_TEST_SUITE_P(Cpu, NetworkReference, testing::ValuesIn(subjects()), networkSubjectName);

TEST(NetworkUnsupported, TableNamesOnlyKnownCases) {
    std::set<std::string> known;
    for (const NetworkCase& one : networkCases()) {
        known.insert(opName(one.op));
        EXPECT_TRUE(known.insert(caseTitle(one)).second) << caseTitle(one) << " stands there twice";
    }
    for (const std::string& line : refusals())
        EXPECT_TRUE(known.contains(line.substr(line.find(' ') + 1))) << line;
}

} // namespace
} // namespace heteroscope::compute
