// SPDX-License-Identifier: Apache-2.0
// What a process may take (ulimit), lower for a while.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <sys/resource.h>
#include <unistd.h>

namespace heteroscope::tests {

/// Sets the soft limit and puts the old one back at the end; ok(): false where the hard one does not allow
/// it.
class ResourceLimit {
  public:
    ResourceLimit(__rlimit_resource resource, rlim_t limit) : m_resource(resource) {
        EXPECT_EQ(::getrlimit(resource, &m_before), 0);
        const rlimit wanted{limit, m_before.rlim_max};
        m_ok = limit <= m_before.rlim_max && ::setrlimit(resource, &wanted) == 0;
    }
    ~ResourceLimit() { ::setrlimit(m_resource, &m_before); }
    ResourceLimit(const ResourceLimit&) = delete;
    ResourceLimit& operator=(const ResourceLimit&) = delete;
    bool ok() const { return m_ok; }

  private:
    __rlimit_resource m_resource;
    rlimit m_before{};
    bool m_ok = false;
};

/// Address space that this process has taken, in bytes.
inline rlim_t mappedBytes() {
    rlim_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    return pages * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE));
}

} // namespace heteroscope::tests
