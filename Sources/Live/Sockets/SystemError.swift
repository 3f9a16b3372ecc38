import Glibc

/// A call of the operating system that failed: what was to be done, to what, and why it was not.
package struct SystemError: Error, Hashable, Sendable {
    package var action: String
    package var code: Int32

    /// With the error that the last call has left.
    init(_ action: String, code: Int32 = errno) {
        self.action = action
        self.code = code
    }

    /// The system has no room for one more, until somebody leaves.
    var isShortage: Bool { [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(code) }
}

extension SystemError: CustomStringConvertible {
    package var description: String {
        "cannot \(action): \(String(cString: strerror(code)))"
    }
}

/// Calls again as long as a signal has cut the call off.
func retryingInterrupted<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
        let result = call()
        if result != -1 || errno != EINTR { return result }
    }
}
