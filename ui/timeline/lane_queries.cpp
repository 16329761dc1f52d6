// SPDX-License-Identifier: GPL-3.0-or-later
// The span queries of one frame, shared between the calling thread and idle processors.
#include "ui/timeline/lane_queries.h"

#include <QRunnable>
#include <QSemaphore>
#include <QThread>
#include <QThreadPool>

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>

namespace heteroscope::ui {

namespace {

/// Apart from the global pool, whose statistics and searches may run for long.
QThreadPool& helpers() {
    static constexpr int kMostHelpers = 3;
    static QThreadPool pool;
    static const bool configured = [] {
        pool.setMaxThreadCount(std::clamp(QThread::idealThreadCount() - 1, 1, kMostHelpers));
        return true;
    }();
    (void)configured;
    return pool;
}

class Helper : public QRunnable {
  public:
    Helper(const std::function<void()>& work, QSemaphore& done) : m_work(work), m_done(done) {
        setAutoDelete(false);
    }
    void run() override {
        m_work();
        m_done.release();
    }

  private:
    const std::function<void()>& m_work;
    QSemaphore& m_done;
};

} // namespace

void runQueries(const profiling::Trace& trace, std::int64_t startNs, std::int64_t endNs, double nsPerPixel,
                std::vector<LaneQuery>& queries) {
    constexpr std::size_t kWorthSharing = 8;
    std::atomic<std::size_t> next{0};
    const std::function<void()> work = [&] {
        for (std::size_t i = next++; i < queries.size(); i = next++)
            trace.query(queries[i].track, queries[i].lane, startNs, endNs, nsPerPixel, queries[i].spans);
    };
    QSemaphore done;
    std::vector<std::unique_ptr<Helper>> started;
    const int count = queries.size() < kWorthSharing ? 0 : helpers().maxThreadCount();
    for (int i = 0; i < count; ++i) {
        started.push_back(std::make_unique<Helper>(work, done));
        helpers().start(started.back().get());
    }
    work();
    for (const auto& helper : started)
        if (!helpers().tryTake(helper.get())) // not begun yet: no need to wait for it
            done.acquire();
}

} // namespace heteroscope::ui
