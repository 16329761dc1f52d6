// SPDX-License-Identifier: GPL-3.0-or-later
// What Qt orders between threads, told to the thread sanitizer: Qt's library is not instrumented, so its
// queues, pools and semaphores are invisible. The linker sends our calls of the functions named in
// CMakeLists.txt here first. The order is coarse on purpose: whatever a thread did before it sends anything
// counts as done for every thread that receives anything later. Code that runs without receiving, as a task
// in a pool does, is checked against all others.
#include <QCoreApplication>
#include <QDeadlineTimer>
#include <QRunnable>
#include <QSemaphore>
#include <QThread>
#include <QThreadPool>

#include <functional>
#include <memory>
#include <mutex>
#include <sanitizer/tsan_interface.h>
#include <unordered_map>

namespace {

char g_order = 0;

void sends() {
    __tsan_release(&g_order);
}

void receives() {
    __tsan_acquire(&g_order);
}

/// Qt calls it in any thread before it delivers an event, queued signals and calls among them.
bool onEvent(void**) {
    receives();
    return false;
}

const bool g_registered = QInternal::registerCallback(QInternal::EventNotifyCallback, onEvent);

class Task;
std::mutex g_mutex; ///< guards the next
std::unordered_map<QRunnable*, Task*> g_waiting;

/// Runs another runnable in order; the pool deletes this one.
class Task : public QRunnable {
  public:
    explicit Task(QRunnable* task) : m_task(task) {}
    void run() override {
        receives();
        {
            const std::lock_guard lock(g_mutex);
            g_waiting.erase(m_task);
        }
        const std::unique_ptr<QRunnable> owned(m_task->autoDelete() ? m_task : nullptr);
        m_task->run();
        sends();
    }

  private:
    QRunnable* m_task;
};

} // namespace

// NOLINTBEGIN: the names are the linker's.
extern "C" {

void __real__ZN11QMetaObject8activateEP7QObjectPKS_iPPv(QObject*, const QMetaObject*, int, void**);
void __wrap__ZN11QMetaObject8activateEP7QObjectPKS_iPPv(QObject* sender, const QMetaObject* meta, int signal,
                                                        void** arguments) {
    sends();
    __real__ZN11QMetaObject8activateEP7QObjectPKS_iPPv(sender, meta, signal, arguments);
}

bool __real__ZN11QMetaObject16invokeMethodImplEP7QObjectPN9QtPrivate15QSlotObjectBaseEN2Qt14ConnectionTypeEPv(
    QObject*, QtPrivate::QSlotObjectBase*, Qt::ConnectionType, void*);
bool __wrap__ZN11QMetaObject16invokeMethodImplEP7QObjectPN9QtPrivate15QSlotObjectBaseEN2Qt14ConnectionTypeEPv(
    QObject* receiver, QtPrivate::QSlotObjectBase* slot, Qt::ConnectionType type, void* result) {
    sends();
    return __real__ZN11QMetaObject16invokeMethodImplEP7QObjectPN9QtPrivate15QSlotObjectBaseEN2Qt14ConnectionTypeEPv(
        receiver, slot, type, result);
}

void __real__ZN11QThreadPool5startEP9QRunnablei(QThreadPool*, QRunnable*, int);
void __wrap__ZN11QThreadPool5startEP9QRunnablei(QThreadPool* pool, QRunnable* task, int priority) {
    auto ordered = std::make_unique<Task>(task);
    {
        const std::lock_guard lock(g_mutex);
        g_waiting[task] = ordered.get();
    }
    sends();
    __real__ZN11QThreadPool5startEP9QRunnablei(pool, ordered.release(), priority);
}

bool __real__ZN11QThreadPool7tryTakeEP9QRunnable(QThreadPool*, QRunnable*);
bool __wrap__ZN11QThreadPool7tryTakeEP9QRunnable(QThreadPool* pool, QRunnable* task) {
    const std::lock_guard lock(g_mutex);
    const auto waiting = g_waiting.find(task);
    if (waiting == g_waiting.end() || !__real__ZN11QThreadPool7tryTakeEP9QRunnable(pool, waiting->second))
        return false;
    delete waiting->second;
    g_waiting.erase(waiting);
    return true;
}

void __wrap__ZN11QThreadPool5startESt8functionIFvvEEi(QThreadPool* pool, std::function<void()> task,
                                                      int priority) {
    __wrap__ZN11QThreadPool5startEP9QRunnablei(pool, QRunnable::create(std::move(task)), priority);
}

void __real__ZN10QSemaphore7acquireEi(QSemaphore*, int);
void __wrap__ZN10QSemaphore7acquireEi(QSemaphore* semaphore, int count) {
    __real__ZN10QSemaphore7acquireEi(semaphore, count);
    receives();
}

void __real__ZN10QSemaphore7releaseEi(QSemaphore*, int);
void __wrap__ZN10QSemaphore7releaseEi(QSemaphore* semaphore, int count) {
    sends();
    __real__ZN10QSemaphore7releaseEi(semaphore, count);
}

bool __real__ZN7QThread4waitE14QDeadlineTimer(QThread*, QDeadlineTimer);
bool __wrap__ZN7QThread4waitE14QDeadlineTimer(QThread* thread, QDeadlineTimer deadline) {
    const bool ended = __real__ZN7QThread4waitE14QDeadlineTimer(thread, deadline);
    receives();
    return ended;
}

/// What was queued for an object and never delivered goes with it, arguments of signals included.
void __real__ZN7QObjectD2Ev(QObject*);
void __wrap__ZN7QObjectD2Ev(QObject* object) {
    receives();
    __real__ZN7QObjectD2Ev(object);
}

} // extern "C"
// NOLINTEND
