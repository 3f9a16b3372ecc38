import Device
import Quantities
import Testing

@Suite struct VirtualDiskTests {
    @Test func `what was written last is read, whether synced or not`() {
        var disk = VirtualDisk()
        let file = disk.create("a")
        disk.write([1, 2, 3, 4], to: file, at: .zero)
        disk.write([9], to: file, at: ByteCount(1))
        disk.write([7], to: file, at: ByteCount(6))
        #expect(disk.read(file, at: .zero, count: 100) == [1, 9, 3, 4, 0, 0, 7])
        #expect(disk.read(file, at: ByteCount(5), count: 1) == [0])
        #expect(disk.read(file, at: ByteCount(9), count: 1).isEmpty)
        disk.truncate(file, to: ByteCount(2))
        #expect(disk.size(of: file) == ByteCount(2))
        disk.truncate(file, to: ByteCount(4))
        #expect(disk.read(file, at: .zero, count: 100) == [1, 9, 0, 0])
    }

    @Test func `a copy is a snapshot`() {
        var disk = VirtualDisk()
        let file = disk.create("a")
        disk.write([1], to: file, at: .zero)
        let snapshot = disk
        disk.write([2], to: file, at: .zero)
        disk.delete("a")
        #expect(snapshot.file(named: "a") == file && disk.file(named: "a") == nil)
        #expect(snapshot.read(file, at: .zero, count: 1) == [1])
    }

    @Test(arguments: 0..<50 as Range<UInt64>)
    func `a loss of power keeps all that was synced`(seed: UInt64) {
        var random = RandomStream(seed: seed, name: "power")
        var disk = VirtualDisk()
        let file = disk.create("a")
        disk.write([1, 2, 3], to: file, at: .zero)
        disk.sync(file)
        disk.syncNames()
        disk.write([4], to: file, at: ByteCount(3))
        disk.truncate(file, to: ByteCount(4))
        disk.losePower(random: &random)
        #expect(disk.read(file, at: .zero, count: 3) == [1, 2, 3])
        let afterwards = disk
        disk.losePower(random: &random)
        #expect(disk.read(file, at: .zero, count: 9) == afterwards.read(file, at: .zero, count: 9))
    }

    /// Each of these must be seen in some run, and nothing else in any.
    @Test func `an unsynced write is kept, lost, or torn at a sector`() {
        var seen: Set<[UInt8]> = []
        for seed in 0..<200 as Range<UInt64> {
            var random = RandomStream(seed: seed, name: "power")
            var disk = VirtualDisk()
            let file = disk.create("a")
            disk.write([UInt8](repeating: 1, count: 1024), to: file, at: .zero)
            disk.sync(file)
            disk.syncNames()
            disk.write([UInt8](repeating: 2, count: 512), to: file, at: ByteCount(256))
            disk.losePower(random: &random)
            seen.insert(Array(disk.read(file, at: .zero, count: 2000)))
        }
        func content(_ first: UInt8, _ second: UInt8) -> [UInt8] {
            let quarter = { (byte: UInt8) in [UInt8](repeating: byte, count: 256) }
            return quarter(1) + quarter(first) + quarter(second) + quarter(1)
        }
        #expect(seen == [content(1, 1), content(2, 2), content(1, 2), content(2, 1)])
    }

    @Test func `an unsynced cut is kept or lost, with what it cut off`() {
        var seen: Set<[UInt8]> = []
        for seed in 0..<50 as Range<UInt64> {
            var random = RandomStream(seed: seed, name: "power")
            var disk = VirtualDisk()
            let file = disk.create("a")
            disk.write([1, 2, 3], to: file, at: .zero)
            disk.sync(file)
            disk.syncNames()
            disk.truncate(file, to: ByteCount(1))
            disk.losePower(random: &random)
            seen.insert(Array(disk.read(file, at: .zero, count: 9)))
        }
        #expect(seen == [[1], [1, 2, 3]])
    }

    @Test func `of unsynced creations and deletions the first few are kept`() {
        var seen: Set<[String]> = []
        for seed in 0..<100 as Range<UInt64> {
            var random = RandomStream(seed: seed, name: "power")
            var disk = VirtualDisk()
            let file = disk.create("a")
            disk.syncNames()
            _ = disk.create("b")
            disk.delete("a")
            _ = disk.create("c")
            disk.sync(file)
            disk.losePower(random: &random)
            seen.insert(["a", "b", "c"].filter { disk.file(named: $0) != nil })
        }
        #expect(seen == [["a"], ["a", "b"], ["b"], ["b", "c"]])
    }
}
