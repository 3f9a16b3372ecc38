/// Why something could not be run at all: exit code 2, with what to do about it.
package struct RunFailure: Error, Hashable, Sendable, CustomStringConvertible {
    package var description: String

    package init(_ description: String) { self.description = description }
}
