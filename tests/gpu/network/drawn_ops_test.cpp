// SPDX-License-Identifier: Apache-2.0
// Operations drawn at random on a GPU against the plain loops, as tests/drawn does on the CPU: by every
// implementation that accepts them. The seed is printed; HETEROSCOPE_TEST_SEED draws others,
// HETEROSCOPE_TEST_DRAWS more of them.
#include "tests/cases/drawn_cases.h"
#include "tests/cases/network_bounds.h"
#include "tests/support/modules/gpu_targets.h"
#include "tests/support/require/skip.h"
#include "tests/support/tensor_match.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <map>

namespace heteroscope::compute {
namespace {

std::uint32_t fromEnvironment(const char* name, std::uint32_t otherwise) {
    const char* const given = std::getenv(name);
    return given != nullptr ? static_cast<std::uint32_t>(std::strtoul(given, nullptr, 10)) : otherwise;
}

class GpuDrawn : public testing::TestWithParam<std::tuple<std::string, std::size_t>> {
  protected:
    void SetUp() override {
        m_target = std::get<0>(GetParam());
        auto session = openTarget(m_target);
        if (!session)
            SKIP_WITHOUT(gpuWords(m_target), session.error().sentence());
        m_session = std::move(*session);
    }

    /// The session that takes the implementation of that name.
    Session& sessionFor(const std::string& name) {
        std::unique_ptr<Session>& session = m_asked[name];
        if (!session) {
            auto opened = openTarget(m_target + "?impl=" + name);
            EXPECT_TRUE(opened.ok()) << opened.error().sentence();
            session = std::move(*opened);
        }
        return *session;
    }

    /// What is prepared is what the row names: the same, or where that is known only then, what it begins
    /// with.
    static void expectNamed(Session& session, const Op& op, const ImplementationRow& row) {
        const auto prepared = session.prepare(op);
        ASSERT_TRUE(prepared.ok()) << prepared.error().sentence();
        const std::string actual = (*prepared)->implementation();
        EXPECT_TRUE(actual == row.implementation || actual.starts_with(row.implementation + ":"))
            << actual << " instead of " << row.implementation;
    }

    void check(const NetworkCase& one, Data data) {
        const Tensors inputs = networkInputs(one, data, 35), expected = specification(one.op, inputs);
        const bool exact =
            data == Data::Integers && exactForIntegers(one.op) && !mayTransform(m_target, one.op);
        const Bounds bounds = networkBounds(one.op, inputs, expected);
        for (const ImplementationRow& row : m_session->implementations(one.op)) {
            SCOPED_TRACE(row.name);
            if (!row.accepts) {
                EXPECT_FALSE(row.reason.empty());
                continue;
            }
            Session& session = row.taken ? *m_session : sessionFor(row.name);
            expectNamed(session, one.op, row);
            const auto actual = runOpAll(session, one.op, inputs);
            ASSERT_TRUE(actual.ok()) << actual.error().sentence();
            ASSERT_EQ(actual->size(), expected.size());
            ++m_ran[row.name];
            for (std::size_t i = 0; i < expected.size(); ++i)
                EXPECT_TRUE(nearTensor(expected[i], (*actual)[i],
                                       [&](std::size_t at) { return exact ? 0.0 : bounds[i][at]; }))
                    << "output " << i;
        }
    }

    std::string m_target;
    std::unique_ptr<Session> m_session;
    std::map<std::string, std::unique_ptr<Session>> m_asked;
    std::map<std::string, int> m_ran; ///< by implementation
};

TEST_P(GpuDrawn, AgreesWithThePlainLoops) {
    const std::uint32_t seed = fromEnvironment("HETEROSCOPE_TEST_SEED", 1);
    const std::uint32_t wanted = fromEnvironment("HETEROSCOPE_TEST_DRAWS", 500);
    std::uint32_t ran = 0, drawn = 0;
    for (; ran < wanted && drawn < 4 * wanted && !HasFailure(); ++drawn) {
        std::mt19937 random(seed * 1000003U + drawn);
        const NetworkCase one = drawnCase(std::get<1>(GetParam()), random);
        SCOPED_TRACE("seed " + std::to_string(seed) + ", draw " + std::to_string(drawn) + ": " +
                     caseTitle(one) + " " + opDetail(one.op));
        if (const Support support = m_session->supports(one.op); !support.supported) {
            EXPECT_FALSE(support.reason.empty());
            if (support.reason.find("has no plain matrix product") != std::string::npos)
                return;
            continue;
        }
        check(one, random() % 2 == 0 ? Data::Integers : Data::Reals);
        ++ran;
    }
    std::printf("seed %u: %u drawn, %u of them ran:", seed, drawn, ran);
    for (const auto& [name, count] : m_ran)
        std::printf(" %s %d", name.c_str(), count);
    std::printf("\n");
    EXPECT_GE(ran, wanted);
}

std::string drawnName(const testing::TestParamInfo<std::tuple<std::string, std::size_t>>& info) {
    std::mt19937 random(1);
    std::string name = parseTarget(std::get<0>(info.param))->implementation + "_" +
                       opName(drawnCase(std::get<1>(info.param), random).op) + "_" +
                       std::to_string(std::get<1>(info.param));
    std::replace_if(
        name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
    return name;
}

INSTANTIATE_TEST_SUITE_P(Gpu, GpuDrawn,
                         testing::Combine(testing::Values("cuda:0/cuda", "cuda:0/cublas", "cuda:0/cudnn"),
                                          testing::Range(std::size_t{0}, kOpKinds)),
                         drawnName);

} // namespace
} // namespace heteroscope::compute
