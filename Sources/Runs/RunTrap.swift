import Foundation

/// A trap that ended a run: the engine, or another part of the program, broke one of its own rules.
package struct RunTrap: Hashable, Sendable {
    package let signal: Int32

    package init(signal: Int32) { self.signal = signal }

    /// The signals by which a thread traps.
    static let signals = [SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE]

    package var sentence: String { "the program trapped in this run: \(words)" }

    private var words: String {
        switch signal {
        case SIGILL: "SIGILL, such as a failed precondition, an overflow or an index out of range"
        case SIGTRAP: "SIGTRAP, such as a failed precondition or an index out of range"
        case SIGABRT: "SIGABRT, the program aborted itself"
        case SIGSEGV: "SIGSEGV, a bad access to memory or a recursion without end"
        case SIGBUS: "SIGBUS, a bad access to memory"
        case SIGFPE: "SIGFPE, a bad calculation"
        default: "signal \(signal)"
        }
    }
}
