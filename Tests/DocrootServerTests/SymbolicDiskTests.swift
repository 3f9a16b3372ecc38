import Content
import Quantities
import Testing

@testable import Simulation

@Suite struct SymbolicDiskTests {
    private static let seeds = 0..<200 as Range<UInt64>

    /// A disk with a folder in which “a” is durable, with a thousand bytes.
    private struct Bench {
        var disk = SymbolicDisk()
        let folder: SymbolicDisk.NodeNumber
        let other: SymbolicDisk.NodeNumber
        let file: SymbolicDisk.NodeNumber

        init() {
            folder = disk.mount()
            other = disk.mount()
            file = disk.make(.init(folder: folder, name: "a"))
            disk[file].append(bytes(1_000))
            disk.synchronise(file)
            disk.synchroniseNames(in: folder)
        }

        func place(_ name: String) -> SymbolicDisk.Place { .init(folder: folder, name: name) }

        mutating func losePower(_ seed: UInt64) {
            var random = RandomStream(seed: seed, name: "power")
            disk.losePower(random: &random)
        }
    }

    @Test(arguments: seeds) func `what was synchronised stays`(seed: UInt64) {
        var bench = Bench()
        bench.disk[bench.file].append(bytes(9_000, at: 1_000))
        bench.disk[bench.file].mark = ByteCount(5)
        bench.losePower(seed)
        let body = bench.disk[bench.file].body
        #expect(SymbolicBody(body.ranges).ranges.first?.length ?? .zero >= ByteCount(1_000))
        let afterwards = body.ranges
        bench.losePower(seed + 1)
        #expect(bench.disk[bench.file].body.ranges == afterwards)
    }

    /// Each of these must be seen in some run.
    @Test func `an append is kept, lost, torn, or leaves nothing but its length`() {
        var seen: Set<String> = []
        for seed in Self.seeds {
            var bench = Bench()
            bench.disk[bench.file].append(bytes(2_048, at: 1_000))
            bench.losePower(seed)
            let body = bench.disk[bench.file].body
            let isOwn = body.ranges.allSatisfy { $0.version != .unknown }
            switch (body.total.bytes, isOwn, body.ranges.count) {
            case (1_000, true, 1): seen.insert("lost")
            case (3_048, true, 1): seen.insert("kept")
            case (3_048, false, 2): seen.insert("long")
            default: seen.insert("torn")
            }
        }
        #expect(seen == ["lost", "kept", "long", "torn"])
    }

    @Test func `a rename to another folder is kept as a whole or not at all`() {
        var seen: Set<Bool> = []
        for seed in Self.seeds {
            var bench = Bench()
            let target = SymbolicDisk.Place(folder: bench.other, name: "b")
            bench.disk.rename(bench.place("a"), to: target)
            bench.losePower(seed)
            let isThere = bench.disk.node(at: target) == bench.file
            #expect((bench.disk.node(at: bench.place("a")) == bench.file) != isThere)
            seen.insert(isThere)
        }
        #expect(seen == [true, false])
    }

    @Test(arguments: seeds) func `either of its folders makes a rename durable`(seed: UInt64) {
        var bench = Bench()
        let target = SymbolicDisk.Place(folder: bench.other, name: "b")
        bench.disk.rename(bench.place("a"), to: target)
        bench.disk.synchroniseNames(in: bench.other)
        bench.losePower(seed)
        #expect(bench.disk.node(at: target) == bench.file)
        #expect(bench.disk.node(at: bench.place("a")) == nil)
        #expect(bench.disk[bench.file].body.total == ByteCount(1_000))
    }
}
