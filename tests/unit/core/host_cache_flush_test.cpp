// SPDX-License-Identifier: Apache-2.0
#include "compute/core/cpu.h"
#include "compute/core/host_cache_flush.h"
#include "compute/core/host_session.h"

#include <gtest/gtest.h>

namespace heteroscope::compute {
namespace host_cache_flush_test {

TEST(HostCacheFlush, WritesMoreThanTheCachesHold) {
    EXPECT_GE(static_cast<std::int64_t>(hostCacheFlushBytes()), 2 * lastLevelCacheBytes());
    auto flush = makeHostCacheFlush({});
    ASSERT_TRUE(flush) << flush.error().sentence();
    EXPECT_EQ((*flush)->bytes(), hostCacheFlushBytes());
}

TEST(HostCacheFlush, IsWhatSessionsOnTheProcessorHave) {
    class Plain final : public HostSession {
      public:
        Plain() : HostSession("plain", 1) {}

      protected:
        void visitCandidates(const Op&, const CandidateVisitor&) const override {}
    } session;
    EXPECT_GE(session.cacheFlushBytes(), hostCacheFlushBytes());
    auto flush = session.makeCacheFlush();
    ASSERT_TRUE(flush) << flush.error().sentence();
    EXPECT_TRUE((*flush)->run());
}

} // namespace host_cache_flush_test
} // namespace heteroscope::compute
