// SPDX-License-Identifier: Apache-2.0
// Which implementation of an op is taken, what ?impl= changes, and what is said of the others.
#include "compute/backends/builtin.h"
#include "compute/core/implementation_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heteroscope::compute {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// "fast" refuses when a reason is given; "good" and "plain" accept. Counts how many were looked at.
struct Three {
    std::string refusal;
    int* seen = nullptr;

    void operator()(const CandidateVisitor& visit) const {
        const auto make = []() -> Result<std::unique_ptr<PreparedOp>> {
            return Error{ErrorCode::RunFailed, "made", {}, {}, {}};
        };
        for (const char* name : {"fast", "good", "plain"}) {
            if (seen != nullptr)
                ++*seen;
            Candidate one{name, std::string("test:") + name, {}, {}, make};
            if (one.name == "fast" && !refusal.empty())
                one = {name, {}, refusal, {}, {}};
            if (!visit(std::move(one)))
                return;
        }
    }
};

std::vector<std::string> reasons(const Candidates& candidates, const std::vector<std::string>& asked) {
    std::vector<std::string> all;
    for (const ImplementationRow& row : implementationRows(candidates, asked))
        all.push_back(row.name +
                      (row.taken     ? " taken"
                       : row.accepts ? " accepts"
                                     : " refuses") +
                      (row.reason.empty() ? "" : ": " + row.reason));
    return all;
}

TEST(ChooseCandidate, TakesTheFirstThatAcceptsAndLooksNoFurther) {
    int seen = 0;
    EXPECT_EQ(chooseCandidate(Three{{}, &seen}, {}).implementation, "test:fast");
    EXPECT_EQ(seen, 1);
    EXPECT_EQ(chooseCandidate(Three{"too small"}, {}).implementation, "test:good");
    EXPECT_THAT(reasons(Three{"too small"}, {}),
                ElementsAre("fast refuses: too small", "good taken", "plain accepts: comes after good"));
}

TEST(ChooseCandidate, TakesWhatIsAskedForOrNothing) {
    const std::vector<std::string> plain{"plain"}, fast{"fast"}, other{"elsewhere"}, two{"plain", "good"};
    EXPECT_EQ(chooseCandidate(Three{}, plain).name, "plain");
    EXPECT_EQ(chooseCandidate(Three{}, two).name, "good");
    const Candidate none = chooseCandidate(Three{"too small"}, fast);
    EXPECT_FALSE(none.prepare);
    EXPECT_EQ(none.refusal, "?impl=fast: too small; add one that can: ?impl=fast+good");
    EXPECT_EQ(chooseCandidate(Three{"too small"}, other).name, "good");
    EXPECT_THAT(reasons(Three{}, plain),
                ElementsAre("fast accepts: ?impl= asks for another", "good accepts: ?impl= asks for another",
                            "plain taken: asked for by ?impl="));
    EXPECT_THAT(reasons(Three{"too small"}, fast),
                ElementsAre("fast refuses: too small", "good accepts: ?impl= asks for another",
                            "plain accepts: ?impl= asks for another"));
}

TEST(ImplementationOption, IsAListOfNames) {
    const auto names = [](const std::string& text) { return implementationOption(*parseTarget(text)); };
    EXPECT_TRUE(names("cpu/openmp")->empty());
    EXPECT_THAT(*names("cpu/openmp?impl=pool_rows+gemm_packed"), ElementsAre("pool_rows", "gemm_packed"));
    for (const char* wrong : {"a+", "+a", "a++b"})
        EXPECT_THAT(names(std::string("cpu/openmp?impl=") + wrong).error().sentence(),
                    HasSubstr("a name is empty"));
    EXPECT_THAT(names("cpu/openmp?impl=a+b+a").error().sentence(), HasSubstr("'a' is there twice"));
}

TEST(HostSession, TakesTheImplementationThatTheTargetNames) {
    const BackendRegistry registry = makeBuiltinRegistry();
    const auto open = [&](const std::string& text) {
        return std::move(registry.open(*parseTarget(text))).value();
    };
    PoolParams halves;
    halves.kernel = halves.stride = {3, 3};
    const Op op = PoolForward{halves, {1, 1, 9, 9}};
    PoolParams threes;
    threes.kernel = {3, 3};
    const Op overlapping = PoolForward{threes, {1, 1, 64, 64}};
    EXPECT_THAT(open("cpu/openmp")->supports(overlapping).implementation, HasSubstr("pool_3x3"));
    EXPECT_THAT(open("cpu/openmp?impl=pool_rows")->supports(overlapping).implementation,
                HasSubstr("pool_rows"));
    EXPECT_EQ(open("cpu/openmp?impl=pool_3x3")->supports(op).reason,
              "?impl=pool_3x3: it computes maxima of windows 3x3 with stride 1 or 2 alone; add one that can: "
              "?impl=pool_3x3+pool_rows");
    EXPECT_THAT(open("cpu/openmp?impl=pool_3x3+pool_rows")->supports(op).implementation,
                HasSubstr("pool_rows"));
    EXPECT_TRUE(open("cpu/openmp?impl=pool_3x3")->supports(Gemm{4, 4, 4}).supported);

    const auto session = open("cpu/openmp?impl=pool_rows+elsewhere");
    std::vector<ImplementationRow> rows = session->implementations(overlapping);
    const std::vector<ImplementationRow> product = session->implementations(Gemm{4, 4, 4});
    rows.insert(rows.end(), product.begin(), product.end());
    const Status status = checkAskedImplementations(session->askedImplementations(), rows, "target 'here'");
    ASSERT_FALSE(status.ok());
    EXPECT_EQ(status.error().code, ErrorCode::BadInput);
    EXPECT_THAT(status.error().sentence(), HasSubstr("no operation here has an implementation 'elsewhere'"));
    EXPECT_THAT(status.error().sentence(), HasSubstr("gemm_packed, pool_2x2, pool_3x3, pool_rows"));
    const std::vector<std::string> known{"pool_rows"};
    EXPECT_TRUE(checkAskedImplementations(known, rows, "here").ok());
    EXPECT_FALSE(checkAskedImplementations(known, product, "here").ok());
}

} // namespace
} // namespace heteroscope::compute
