import Testing

@testable import Runs

/// Two sheets of figures, side by side.
@Suite struct FigureComparisonTests {
    private static let before = sheet(["sentPackets": 100, "completionNanoseconds": 2_000_000_000])

    @Test func `equal figures hold, and are not told one by one`() {
        let comparison = FigureComparison(of: Self.before, with: Self.before, isStrict: true)
        #expect(comparison.isHeld && comparison.count(.same) == 2)
        #expect(
            comparison.text(left: "a.json", right: "b.json") == """
                A  a.json
                B  b.json

                All 2 exact figures are the same.
                """)
    }

    @Test func `an exact figure that differs falls, and is shown with its ratio`() throws {
        let after = Self.sheet(["sentPackets": 100, "completionNanoseconds": 2_080_000_001])
        let comparison = FigureComparison(of: Self.before, with: after)
        #expect(!comparison.isHeld)
        #expect(
            comparison.text(left: "a.json", right: "b.json") == """
                A  a.json
                B  b.json

                                            A              B  B / A
                bulk
                  ✘ completion  2.000000000 s  2.080000001 s  1.040  must be the same

                1 of 2 exact figures differ.
                """)
    }

    @Test func `a difference too small for three places has more of them`() {
        let after = Self.sheet(["sentPackets": 100, "completionNanoseconds": 2_000_010_000])
        let comparison = FigureComparison(of: Self.before, with: after)
        #expect(comparison.text(left: "a", right: "b").contains("  1.000005  must be the same"))
    }

    @Test func `words are compared, too, and have no ratio`() {
        let (one, other) = (Self.sheet(digest: "1f"), Self.sheet(digest: "20"))
        let comparison = FigureComparison(of: one, with: other)
        #expect(!comparison.isHeld && comparison.rows.map(\.ratio) == [nil])
        #expect(FigureComparison(of: one, with: one).isHeld)
    }

    @Test(arguments: [
        (MeasuredFigure.Better.more, 80.0, false), (.more, 92, true), (.more, 200, true),
        (.less, 120, false), (.less, 109, true), (.less, 10, true),
        (.neither, 120, false), (.neither, 80, false), (.neither, 105, true),
    ])
    func `a measured figure is judged by its direction, and only within a tolerance`(
        better: MeasuredFigure.Better, after: Double, isHeld: Bool
    ) {
        let sheets = [100, after].map { Self.sheet(measured: $0, better: better) }
        let judged = FigureComparison(of: sheets[0], with: sheets[1], tolerance: 0.1)
        #expect(judged.isHeld == isHeld, "\(judged.text(left: "a", right: "b"))")
        let shown = FigureComparison(of: sheets[0], with: sheets[1])
        #expect(shown.isHeld && shown.count(.shown) == 1)
        #expect(shown.text(left: "a", right: "b").contains("not judged; --within 10% judges them"))
    }

    @Test(arguments: [(load: 1.5, isHeld: false), (load: 2.5, isHeld: true)])
    func `wall time is judged only where nobody else wanted the machine`(
        load: Double, isHeld: Bool
    ) {
        let slow = MeasuredFigure([9], better: .less)
        let quick = MeasuredFigure([3], better: .less)
        var (before, after) = (Self.sheet([:]), Self.sheet([:]))
        before.subjects[0].measured = ["wallSeconds": quick, "userSeconds": quick]
        after.subjects[0].measured = ["wallSeconds": slow, "userSeconds": quick]
        after.machine = MeasuringMachine(
            processor: "a processor", cores: 2, build: "release", repetitions: 3, loadBefore: 1,
            loadAfter: load)
        let comparison = FigureComparison(of: before, with: after, tolerance: 0.1)
        #expect(comparison.isHeld == isHeld)
        let text = comparison.text(left: "a", right: "b")
        #expect(text.contains("busy: wall time is shown but not judged") == isHeld, "\(text)")
        after.subjects[0].measured["userSeconds"] = slow
        #expect(!FigureComparison(of: before, with: after, tolerance: 0.1).isHeld)
    }

    @Test func `what only one side has is told, and falls when nothing may be missing`() {
        var after = Self.sheet(["sentPackets": 100])
        after.subjects.append(FigureSubject(name: "new", exact: ["sentPackets": .whole(1)]))
        let comparison = FigureComparison(of: Self.before, with: after)
        #expect(comparison.isHeld)
        #expect(comparison.count(.onlyLeft) == 1 && comparison.count(.onlyRight) == 1)
        let text = comparison.text(left: "a", right: "b")
        #expect(text.contains("1 figures are only in A. 1 figures are only in B."), "\(text)")
        #expect(!FigureComparison(of: Self.before, with: after, isStrict: true).isHeld)
    }

    @Test func `a figure of nothing has no ratio`() {
        let (none, some) = (Self.sheet(["droppedPackets": 0]), Self.sheet(["droppedPackets": 3]))
        #expect(FigureComparison(of: none, with: some).rows.map(\.ratio) == [nil])
        #expect(FigureComparison(of: some, with: none).rows.map(\.ratio) == [0])
    }

    private static func sheet(_ exact: [String: UInt64]) -> FigureSheet {
        FigureSheet(
            subjects: [FigureSubject(name: "bulk", exact: exact.mapValues { .whole($0) })])
    }

    private static func sheet(digest: String) -> FigureSheet {
        FigureSheet(subjects: [FigureSubject(name: "bulk", exact: ["digest": .text(digest)])])
    }

    private static func sheet(
        measured: Double, better: MeasuredFigure.Better
    ) -> FigureSheet {
        let figure = MeasuredFigure([measured], better: better)
        return FigureSheet(subjects: [FigureSubject(name: "bulk", measured: ["figure": figure])])
    }
}
