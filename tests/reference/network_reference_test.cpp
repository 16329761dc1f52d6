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

std::unique_ptr<Session> openSubject(const std::string& target) {
    return std::move(registry().open(*parseTarget(target))).value();
}

/// A case with operands and what the plain loops make of them.
struct SpecifiedCase {
    SpecifiedCase(const NetworkCase& known, Data data)
        : one(known),
          inputs(networkInputs(known, data, kNetworkSeed)),
          expected(specification(known.op, inputs)),
          bounds(networkBounds(known.op, inputs, expected)),
          exact(data == Data::Integers && exactForIntegers(known.op)) {}

    const NetworkCase& one;
    Tensors inputs, expected;
    Bounds bounds;
    bool exact;
};

/// One implementation on specified cases.
class NetworkSubject {
  public:
    explicit NetworkSubject(const std::string& target) : m_target(target), m_session(openSubject(target)) {}

    void check(const SpecifiedCase& specified) {
        const NetworkCase& one = specified.one;
        SCOPED_TRACE(m_target + " " + caseTitle(one) + " " + opDetail(one.op));
        if (!runs(one))
            return;
        const auto actual = runOpAll(*m_session, one.op, specified.inputs);
        ASSERT_TRUE(actual.ok()) << actual.error().sentence();
        expectWithin(specified.expected, *actual, specified.exact ? nullptr : &specified.bounds);
    }

  private:
    /// Whether the case runs here; compares refusals with the table.
    bool runs(const NetworkCase& one) {
        const Support support = m_session->supports(one.op);
        EXPECT_EQ(support.supported, !mayRefuse(parseTarget(m_target)->implementation, one))
            << caseTitle(one) << ": " << support.reason;
        if (!support.supported) {
            EXPECT_FALSE(support.reason.empty());
            EXPECT_FALSE(m_session->prepare(one.op).ok());
        }
        return support.supported;
    }

    std::string m_target;
    std::unique_ptr<Session> m_session;
};

/// With a sanitizer, which takes long for all of them, each vector extension once.
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

/// Several implementations in one test, so that the plain loops compute each case once.
class NetworkValues : public testing::TestWithParam<std::vector<std::string>> {
  protected:
    static void check(Data data) {
        std::vector<SpecifiedCase> cases;
        for (const NetworkCase& one : networkCases())
            cases.emplace_back(one, data);
        ASSERT_FALSE(cases.empty());
        ASSERT_FALSE(GetParam().empty());
        for (const std::string& target : GetParam()) {
            NetworkSubject subject(target);
            for (const SpecifiedCase& one : cases)
                subject.check(one);
        }
    }
};

TEST_P(NetworkValues, WholeNumbers) {
    check(Data::Integers);
}

TEST_P(NetworkValues, Reals) {
    check(Data::Reals);
}

class NetworkReference : public testing::TestWithParam<std::string> {
  protected:
    void SetUp() override { m_session = openSubject(GetParam()); }

    std::unique_ptr<Session> m_session;
};

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

std::string networkSubjectName(const testing::TestParamInfo<std::string>& info) {
    std::string name = info.param;
    std::replace_if(
        name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
    return name;
}

/// Under a sanitizer each alone: clang's OpenMP keeps the teams of other numbers of threads, which is told as
/// a leak.
std::vector<std::vector<std::string>> networkGroups() {
    if (kTimeFactor == 1)
        return {subjects()};
    std::vector<std::vector<std::string>> all;
    for (const std::string& one : subjects())
        all.push_back({one});
    return all;
}

std::string networkGroupName(const testing::TestParamInfo<std::vector<std::string>>& info) {
    const std::string name = networkSubjectName({info.param.at(0), info.index});
    return info.param.size() == 1 ? name : name + "_and_" + std::to_string(info.param.size() - 1) + "_more";
}

INSTANTIATE_TEST_SUITE_P(Cpu, NetworkValues, testing::ValuesIn(networkGroups()), networkGroupName);
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
