// SPDX-License-Identifier: Apache-2.0
#include "compute/base/wait_policy.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <string>

namespace heteroscope {
namespace {

/// Sets a variable, or takes it out, until the end of its life.
class Variable {
  public:
    Variable(const char* name, const char* value) : m_name(name) {
        if (const char* const before = std::getenv(name))
            m_before = before;
        set(value);
    }
    ~Variable() { set(m_before ? m_before->c_str() : nullptr); }
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;

  private:
    void set(const char* value) const { value == nullptr ? ::unsetenv(m_name) : ::setenv(m_name, value, 1); }

    const char* m_name;
    std::optional<std::string> m_before;
};

WaitPolicy policyOf(const char* policy, const char* others) {
    const Variable given(kWaitPolicyVariable, policy), measured(kOthersRunningVariable, others);
    return waitPolicy();
}

TEST(WaitPolicy, IsThatOfTheEnvironment) {
    EXPECT_EQ(policyOf(nullptr, nullptr).policy, "default");
    EXPECT_EQ(policyOf("ACTIVE", nullptr).policy, "active");
    EXPECT_EQ(policyOf("Passive", nullptr).policy, "passive");
    EXPECT_EQ(policyOf("sideways", nullptr).policy, "default");
}

TEST(WaitPolicy, WasChosenByTheLoadWhereItIsPassiveAndTheLoadWasMeasured) {
    EXPECT_EQ(policyOf("passive", "1.6").othersRunning, "1.6");
    EXPECT_EQ(policyOf("passive", nullptr).othersRunning, "");
    EXPECT_EQ(policyOf(nullptr, "0.1").othersRunning, "");
}

TEST(WaitPolicy, ProcessorsAreSharedWhereATeamAndTheOthersAreMoreThanThese) {
    EXPECT_FALSE(isShared(0, 2, 2));
    EXPECT_FALSE(isShared(0.5, 2, 2)) << "what comes and goes";
    EXPECT_TRUE(isShared(1, 2, 2));
    EXPECT_FALSE(isShared(12, 2, 16)) << "the others have processors of their own";
    EXPECT_TRUE(isShared(1, 16, 16));
}

} // namespace
} // namespace heteroscope
