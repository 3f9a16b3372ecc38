package import Device

/// The disk of a virtual phone, as all of its apps share it: their files and stores are on it.
package final class PhoneDisk {
    package var space: DiskSpace
    /// How often the stores on it were written to.
    package private(set) var writes = StoreWrites()
    /// The write before which somebody dies; `nil`: nobody does.
    private var cut: Cut?
    /// Whoever was about to make it is dead, and does not know it yet.
    private(set) var isCut = false

    private struct Cut {
        var number: UInt64
        var countsAll: Bool
    }

    package struct StoreWrites: Hashable, Sendable {
        package var ofApps: UInt64 = 0
        package var all: UInt64 = 0
    }

    package init(_ space: DiskSpace = DiskSpace()) { self.space = space }

    func cut(atWrite number: UInt64, ofAll countsAll: Bool) {
        cut = Cut(number: number, countsAll: countsAll)
    }

    /// Whether the process lives to make it.
    func admitsWrite(isOfApp: Bool) -> Bool {
        writes.all += 1
        if isOfApp { writes.ofApps += 1 }
        guard let cut, isOfApp || cut.countsAll,
            cut.number == (cut.countsAll ? writes.all : writes.ofApps)
        else { return true }
        self.cut = nil
        isCut = true
        return false
    }

    /// What follows from it is under way.
    func cutIsKnown() { isCut = false }
}
