import Glibc
import Synchronization

/// A thread that other load on the machine hardly delays, and the answer it comes to.
///
/// Without the right to real-time scheduling it runs like any other; how late it was then is
/// measured all the same.
struct RealTimeThread<Answer: Sendable>: ~Copyable {
    private let errand: Errand
    private let answer: Letterbox
    private let thread: pthread_t

    private final class Letterbox: Sendable {
        let answer = Mutex<Answer?>(nil)
    }

    /// `priority` is that of the first-in-first-out class, 1 to 99; 0 is an ordinary thread.
    init(priority: Int32, _ body: @escaping @Sendable () -> Answer) throws(SystemError) {
        let letterbox = Letterbox()
        let errand = Errand {
            if priority > 0 {
                var parameters = sched_param(sched_priority: priority)
                _ = sched_setscheduler(0, SCHED_FIFO, &parameters)
            }
            let answer = body()
            letterbox.answer.withLock { $0 = answer }
        }
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { pointer in
                if let pointer {
                    Unmanaged<Errand>.fromOpaque(pointer).takeUnretainedValue().body()
                }
                return nil
            }, Unmanaged.passUnretained(errand).toOpaque())
        guard code == 0 else { throw SystemError("start a thread", code: code) }
        self.errand = errand
        self.answer = letterbox
        self.thread = thread
    }

    /// Waits for its end; must be called once.
    consuming func join() -> Answer {
        pthread_join(thread, nil)
        // The errand was kept for the thread until now.
        withExtendedLifetime(errand) {}
        guard let answer = answer.answer.withLock({ $0 }) else {
            preconditionFailure("a thread ended without an answer")
        }
        return answer
    }
}

/// What a thread is sent for; a class, as C hands over one pointer.
private final class Errand: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}
