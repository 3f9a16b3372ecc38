import Device
import Quantities
import Testing

/// Files and their names, and what a sync of one of them means to the others.
@Suite struct VirtualDiskNamesTests {
    @Test func `a name that is taken, and one that is not there, are the caller's mistake`() async {
        await #expect(processExitsWith: .failure) {
            var disk = VirtualDisk()
            _ = disk.create("a")
            _ = disk.create("a")
        }
        await #expect(processExitsWith: .failure) {
            var disk = VirtualDisk()
            disk.delete("a")
        }
    }

    @Test func `a file that takes another's name has nothing of it`() {
        var disk = VirtualDisk()
        let old = disk.create("a")
        disk.write([1, 2], to: old, at: .zero)
        disk.delete("a")
        let new = disk.create("a")
        #expect(new != old && disk.file(named: "a") == new)
        #expect(disk.size(of: new) == .zero)
        disk.syncNames()
        #expect(disk.size(of: old) == .zero, "nothing of what has no name any more is kept")
    }

    @Test func `a sync is that of one file, and of all that was written to it`() {
        var seen: Set<[UInt8]> = []
        for seed in 0..<60 as Range<UInt64> {
            var random = RandomStream(seed: seed, name: "power")
            var disk = VirtualDisk()
            let files = [disk.create("a"), disk.create("b")]
            disk.syncNames()
            for file in files {
                disk.write([1], to: file, at: .zero)
                disk.write([2], to: file, at: ByteCount(1))
            }
            disk.sync(files[0])
            disk.losePower(random: &random)
            #expect(disk.read(files[0], at: .zero, count: 9) == [1, 2])
            seen.insert(Array(disk.read(files[1], at: .zero, count: 9)))
        }
        #expect(seen == [[], [1], [0, 2], [1, 2]])
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `names that were synced are safe, whatever had been done to them`(seed: UInt64) {
        var random = RandomStream(seed: seed, name: "power")
        var disk = VirtualDisk()
        _ = disk.create("a")
        disk.delete("a")
        let file = disk.create("a")
        disk.syncNames()
        disk.losePower(random: &random)
        #expect(disk.file(named: "a") == file)
    }

    @Test func `a file that is renamed is there whole, under one of its names`() {
        var seen: Set<[UInt8]> = []
        for seed in 0..<60 as Range<UInt64> {
            var random = RandomStream(seed: seed, name: "power")
            var disk = VirtualDisk()
            for (name, byte) in [("a", 1), ("b", 2)] as [(String, UInt8)] {
                let file = disk.create(name)
                disk.write([byte], to: file, at: .zero)
                disk.sync(file)
            }
            disk.syncNames()
            disk.rename("a", to: "b")
            disk.rename("b", to: "c")
            disk.losePower(random: &random)
            seen.insert(
                ["a", "b", "c"].map { name in
                    disk.file(named: name).flatMap { disk.read($0, at: .zero, count: 1).first } ?? 0
                })
        }
        #expect(seen == [[1, 2, 0], [0, 1, 0], [0, 0, 1]])
    }

    @Test func `a bit that flips is that bit, and no loss of power mends it`() {
        var random = RandomStream(seed: 1, name: "power")
        var disk = VirtualDisk()
        let file = disk.create("a")
        disk.write([0, 0, 0], to: file, at: .zero)
        disk.sync(file)
        disk.syncNames()
        disk.flip(bit: 11, of: file)
        #expect(disk.read(file, at: .zero, count: 9) == [0, 8, 0])
        disk.losePower(random: &random)
        #expect(disk.read(file, at: .zero, count: 9) == [0, 8, 0])
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `a second loss of power takes no names, and nothing that was written`(seed: UInt64) {
        var random = RandomStream(seed: seed, name: "power")
        var disk = VirtualDisk()
        for name in ["a", "b", "c"] {
            let file = disk.create(name)
            disk.write([1], to: file, at: .zero)
        }
        disk.losePower(random: &random)
        let left = ["a", "b", "c"].map { name in
            disk.file(named: name).map { Array(disk.read($0, at: .zero, count: 9)) }
        }
        disk.losePower(random: &random)
        let leftAgain = ["a", "b", "c"].map { name in
            disk.file(named: name).map { Array(disk.read($0, at: .zero, count: 9)) }
        }
        #expect(left == leftAgain)
    }
}
