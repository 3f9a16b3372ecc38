import Device
import Quantities
import Testing

/// Whatever a loss of power may leave of what was not synced must be seen in some run, and nothing
/// else in any.
@Suite struct UnsyncedWritesTests {
    @Test func `what a write has made longer is as short as before, or not`() {
        #expect(
            outcomes(of: [1]) { disk, file in disk.write([2], to: file, at: ByteCount(1)) }
                == [[1], [1, 2]])
        #expect(
            outcomes(of: [1]) { disk, file in disk.truncate(file, to: ByteCount(3)) }
                == [[1], [1, 0, 0]])
    }

    @Test func `of two writes to one place the later one covers the earlier`() {
        let seen = outcomes(of: [1, 1]) { disk, file in
            disk.write([2, 2], to: file, at: .zero)
            disk.write([3], to: file, at: .zero)
        }
        #expect(seen == [[1, 1], [2, 2], [3, 1], [3, 2]])
    }

    @Test func `a write is torn between sectors of 512 bytes, and nowhere else`() {
        let old = [UInt8](repeating: 1, count: 1_536)
        let seen = outcomes(of: old) { disk, file in
            disk.write([UInt8](repeating: 2, count: 1_024), to: file, at: ByteCount(256))
        }
        var expected: Set<[UInt8]> = []
        for pattern in 0..<8 {
            var content = old
            for (sector, range) in [256..<512, 512..<1_024, 1_024..<1_280].enumerated()
            where pattern >> sector & 1 == 1 {
                for place in range { content[place] = 2 }
            }
            expected.insert(content)
        }
        #expect(seen == expected)
    }

    /// What a file that was synced holds after a write and a loss of power, by 300 seeds.
    private func outcomes(
        of content: [UInt8], after change: (inout VirtualDisk, VirtualDisk.FileNumber) -> Void
    ) -> Set<[UInt8]> {
        var seen: Set<[UInt8]> = []
        for seed in 0..<300 as Range<UInt64> {
            var random = RandomStream(seed: seed, name: "power")
            var disk = VirtualDisk()
            let file = disk.create("a")
            disk.write(content, to: file, at: .zero)
            disk.sync(file)
            disk.syncNames()
            change(&disk, file)
            disk.losePower(random: &random)
            seen.insert(Array(disk.read(file, at: .zero, count: 2_000)))
        }
        return seen
    }
}
