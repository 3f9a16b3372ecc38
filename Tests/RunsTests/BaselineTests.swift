import Testing

@testable import Runs

/// What is held against committed figures: nothing may be missing, and nothing new.
@Suite struct BaselineTests {
    private static func sheet(_ names: [String], packets: UInt64 = 1) -> FigureSheet {
        FigureSheet(
            subjects: names.map {
                FigureSubject(name: $0, about: nil, exact: ["sentPackets": .whole(packets)])
            })
    }

    private static func isHeld(_ committed: FigureSheet?, _ current: FigureSheet) -> Bool {
        Baselines.comparison(of: [
            .init(name: "scenarios", committed: committed, current: current),
            .init(name: "bench", committed: sheet(["bulk"]), current: sheet(["bulk"])),
        ]).isHeld
    }

    @Test func `the same figures hold`() {
        #expect(Self.isHeld(Self.sheet(["a", "b"]), Self.sheet(["a", "b"])))
    }

    @Test func `a figure that moved, a subject that is new, and one that is gone are falls`() {
        #expect(!Self.isHeld(Self.sheet(["a"]), Self.sheet(["a"], packets: 2)))
        #expect(!Self.isHeld(Self.sheet(["a"]), Self.sheet(["a", "b"])))
        #expect(!Self.isHeld(Self.sheet(["a", "b"]), Self.sheet(["a"])))
        #expect(!Self.isHeld(nil, Self.sheet(["a"])))
    }
}
