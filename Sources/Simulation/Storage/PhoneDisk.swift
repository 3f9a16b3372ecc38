package import Device

/// Disk of a virtual phone, shared by its apps' files and stores.
package final class PhoneDisk {
    package var space: DiskSpace
    /// Number of writes to stores.
    package private(set) var writes = StoreWrites()
    /// Write at which a process dies, if one is planned.
    private var cut: Cut?
    /// Whether a process has died at its write without the phone knowing yet.
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

    /// Counts a write; returns false if the process dies before it.
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

    /// Notes that the phone knows of the death.
    func cutIsKnown() { isCut = false }
}
