import Glibc
import Synchronization
import TransferHost

/// A thread that other load hardly delays, and its result.
///
/// Without the right to real-time scheduling it runs as an ordinary thread; its lateness is
/// measured anyway.
struct RealTimeThread<Answer: Sendable>: ~Copyable {
    private let answer: Letterbox
    private let thread: pthread_t

    private final class Letterbox: Sendable {
        let answer = Mutex<Answer?>(nil)
    }

    /// `priority` is 1 to 99 in the first-in-first-out class; 0 is an ordinary thread.
    init(priority: Int32, _ body: @escaping @Sendable () -> Answer) throws(SystemError) {
        let letterbox = Letterbox()
        thread = try startThread {
            if priority > 0 {
                var parameters = sched_param(sched_priority: priority)
                _ = sched_setscheduler(0, SCHED_FIFO, &parameters)
            }
            let answer = body()
            letterbox.answer.withLock { $0 = answer }
        }
        self.answer = letterbox
    }

    /// Waits for the result; must be called once.
    consuming func join() -> Answer {
        pthread_join(thread, nil)
        guard let answer = answer.answer.withLock({ $0 }) else {
            preconditionFailure("a thread ended without an answer")
        }
        return answer
    }
}

/// Starts a thread, which is to be joined or detached.
func startThread(_ body: @escaping @Sendable () -> Void) throws(SystemError) -> pthread_t {
    let errand = Unmanaged.passRetained(Errand(body))
    var thread = pthread_t()
    let code = pthread_create(
        &thread, nil,
        { pointer in
            if let pointer { Unmanaged<Errand>.fromOpaque(pointer).takeRetainedValue().body() }
            return nil
        }, errand.toOpaque())
    guard code == 0 else {
        errand.release()
        throw SystemError("start a thread", code: code)
    }
    return thread
}

/// The body of a thread; a class, as C hands over one pointer.
private final class Errand: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}
