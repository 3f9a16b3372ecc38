import Glibc

/// A failed system call: what was to be done, and why it failed.
package struct SystemError: Error, Hashable, Sendable {
    package var action: String
    package var code: Int32

    /// By default with the error number of the last call.
    package init(_ action: String, code: Int32 = errno) {
        self.action = action
        self.code = code
    }

    /// Whether the system is out of resources for now.
    package var isShortage: Bool { [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(code) }
}

extension SystemError: CustomStringConvertible {
    package var description: String {
        "cannot \(action): \(String(cString: strerror(code)))"
    }
}

/// Repeats a call that a signal has interrupted.
package func retryingInterrupted<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
        let result = call()
        if result != -1 || errno != EINTR { return result }
    }
}
