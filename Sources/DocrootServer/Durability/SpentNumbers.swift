/// Numbers that are given at most once, even across servers. The disk holds the number up to which
/// all are spent. It moves on by a thousand before the first of them is used.
package struct SpentNumbers: Hashable, Sendable {
    private var last: UInt64
    /// The highest number that may be in use.
    package private(set) var ceiling: UInt64

    private static let step: UInt64 = 1_000

    /// Continues from the disk's number; 0 if none was ever used.
    package init(spent: UInt64 = 0) {
        last = spent
        ceiling = spent
    }

    /// Returns the number to spend on the disk before this one is used; `nil` if none.
    package func reserve(_ number: UInt64) -> UInt64? {
        number > ceiling ? number + Self.step : nil
    }

    package mutating func reserved(_ ceiling: UInt64) { self.ceiling = ceiling }

    /// The next number, once it is reserved.
    package var following: UInt64 { last + 1 }

    package mutating func next() -> UInt64 {
        precondition(last < ceiling, "\(last + 1) is not reserved")
        last += 1
        return last
    }
}
