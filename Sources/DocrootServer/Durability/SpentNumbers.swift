/// Numbers that are never given twice, not even by the next server: the disk holds the number
/// below which all are spent, and is moved on a thousand at a time, before the first is used.
package struct SpentNumbers: Hashable, Sendable {
    private var last: UInt64
    /// All up to here may be in use.
    package private(set) var ceiling: UInt64

    private static let step: UInt64 = 1_000

    /// What the disk holds; nothing, if none was ever used.
    package init(spent: UInt64 = 0) {
        last = spent
        ceiling = spent
    }

    /// The number up to which all have to be spent on the disk before this one is used.
    package func reserve(_ number: UInt64) -> UInt64? {
        number > ceiling ? number + Self.step : nil
    }

    package mutating func reserved(_ ceiling: UInt64) { self.ceiling = ceiling }

    /// The number that comes next, once it is reserved.
    package var following: UInt64 { last + 1 }

    package mutating func next() -> UInt64 {
        precondition(last < ceiling, "\(last + 1) is not reserved")
        last += 1
        return last
    }
}
