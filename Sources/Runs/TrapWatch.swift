import Foundation
import Synchronization

/// Keeps a trap in the run of one thread from ending the whole program.
///
/// The signal handler names the run on standard error, leaves a note for the thread that started
/// this one, and parks the trapped thread for good: its values may be half changed, so none of them
/// is used again. Runs share no values and hold no lock while they play. A trap of any other thread
/// ends the program as ever.
///
/// The handler touches raw memory only, because a trap can come in the middle of an allocation.
/// Swift's own handler, which writes a backtrace, is called only when all runs are over: it leaves
/// the program without any handler for a moment.
final class TrapWatch: Sendable {
    nonisolated(unsafe) private let slot: UnsafeMutablePointer<Slot>
    /// The stack of the handler, because a recursion without end leaves none.
    nonisolated(unsafe) private let stack: UnsafeMutableRawPointer

    /// The state that a thread shares with its signal handler.
    private struct Slot: ~Copyable {
        /// The signal of the trap; 0 before a trap.
        let signal = Atomic<Int32>(0)
        var run = 0
        /// The words of the handler; `nil` while the thread plays no run.
        var message: UnsafeMutablePointer<CChar>?
        var length = 0
        /// Wakes the parked thread once, to write its backtrace.
        var wish = sem_t()
        let hasBacktrace = Atomic<Bool>(false)
    }

    private static let stackSize = 256 << 10

    init() {
        _ = Self.isInstalled
        slot = .allocate(capacity: 1)
        slot.initialize(to: Slot())
        sem_init(&slot.pointee.wish, 0, 0)
        stack = .allocate(byteCount: Self.stackSize, alignment: 16)
    }

    /// Never happens after a trap, because the parked thread holds its watch.
    deinit {
        slot.deinitialize(count: 1)
        slot.deallocate()
        stack.deallocate()
    }

    /// The trap of the thread and the number of its run; `nil` if all is well.
    var trap: (run: Int, trap: RunTrap)? {
        let signal = slot.pointee.signal.load(ordering: .acquiring)
        return signal == 0 ? nil : (slot.pointee.run, RunTrap(signal: signal))
    }

    /// Has Swift's own handler write the backtrace of the parked thread, for the first trap of this
    /// process. No run may be under way.
    func writeBacktrace() {
        guard !Self.hasBacktrace.exchange(true, ordering: .relaxed) else { return }
        sem_post(&slot.pointee.wish)
        // A backtrace takes up to a second; without it, the result is still to be told.
        for _ in 0..<2_000 where !slot.pointee.hasBacktrace.load(ordering: .acquiring) {
            usleep(10_000)
        }
    }

    /// Watches over the calling thread while it does all its work.
    func guarding(_ work: () -> Void) {
        var alternative = stack_t()
        alternative.ss_sp = stack
        alternative.ss_size = Self.stackSize
        sigaltstack(&alternative, nil)
        pthread_setspecific(Self.key, slot)
        work()
        pthread_setspecific(Self.key, nil)
        alternative.ss_flags = Int32(SS_DISABLE)
        sigaltstack(&alternative, nil)
    }

    /// Plays one run on the thread that is watched over; `label` names it for people.
    func play<Value>(_ run: Int, label: String, _ work: () -> Value) -> Value {
        let message = strdup("transferlab: trap in \(label)\n")
        slot.pointee.run = run
        slot.pointee.length = message.map { strlen($0) } ?? 0
        slot.pointee.message = message
        defer {
            slot.pointee.message = nil
            free(message)
        }
        return work()
    }

    // MARK: The signal handler

    private static let hasBacktrace = Atomic<Bool>(false)
    /// Where each thread has its slot.
    nonisolated(unsafe) private static var key = pthread_key_t(0)
    nonisolated(unsafe) private static let action =
        UnsafeMutablePointer<sigaction>.allocate(capacity: 1)
    /// What the signals did before, by their numbers.
    nonisolated(unsafe) private static let previous =
        UnsafeMutablePointer<sigaction>.allocate(capacity: 64)

    /// Installs the handler once in a process.
    private static let isInstalled: Bool = {
        pthread_key_create(&key, nil)
        var handler = sigaction()
        handler.__sigaction_handler.sa_sigaction = { signal, info, context in
            TrapWatch.park(signal, info, context)
        }
        // Swift's handler reads memory that may be bad, and must hear of it.
        handler.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER
        action.initialize(to: handler)
        for signal in RunTrap.signals { sigaction(signal, action, previous + Int(signal)) }
        return true
    }()

    /// Parks the thread, if a run of it has trapped. A signal that another process has sent is no
    /// trap.
    private static func park(
        _ signal: Int32, _ info: UnsafeMutablePointer<siginfo_t>?,
        _ context: UnsafeMutableRawPointer?
    ) {
        let isSent = info?.pointee.si_code == Int32(SI_USER)
        guard !isSent, let slot = pthread_getspecific(key)?.assumingMemoryBound(to: Slot.self),
            let message = slot.pointee.message
        else {
            // A bad access is met again after the return; these signals are not.
            sigaction(signal, previous + Int(signal), nil)
            if isSent || signal == SIGABRT || signal == SIGTRAP { raise(signal) }
            return
        }
        _ = write(STDERR_FILENO, message, slot.pointee.length)
        slot.pointee.signal.store(signal, ordering: .releasing)
        while sem_wait(&slot.pointee.wish) != 0 {}
        if previous[Int(signal)].sa_flags & SA_SIGINFO != 0 {
            previous[Int(signal)].__sigaction_handler.sa_sigaction?(signal, info, context)
            // Swift's handler has uninstalled this one for all signals.
            for signal in RunTrap.signals { sigaction(signal, action, nil) }
        }
        slot.pointee.hasBacktrace.store(true, ordering: .releasing)
        while true { pause() }
    }
}
