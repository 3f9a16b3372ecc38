/// Two results side by side: what is the same, what differs and by how much, what only one has.
///
/// Exact figures must be equal. Measured ones are shown with their ratio, and judged only if a
/// tolerance is given; those of wall time only if nobody else wanted the machine.
package struct FigureComparison: Hashable, Sendable {
    package private(set) var rows: [Row] = []
    package let tolerance: Double?
    /// Whether one of both was measured on a busy machine.
    let wasBusy: Bool
    private let isStrict: Bool

    package struct Row: Hashable, Sendable {
        package var subject: String
        package var figure: String
        package var left: Side?
        package var right: Side?
        package var finding: Finding

        /// Right over left, where both are numbers and left is not nothing.
        package var ratio: Double? {
            guard let left = left?.number, let right = right?.number, left != 0 else { return nil }
            return right / left
        }
    }

    package enum Side: Hashable, Sendable {
        case exact(FigureValue)
        case measured(MeasuredFigure)

        package var number: Double? {
            switch self {
            case .exact(let value): value.number
            case .measured(let figure): figure.median
            }
        }
    }

    package enum Finding: String, Hashable, Sendable {
        case same, differs
        /// Measured, and not judged, or within the tolerance.
        case shown
        /// Measured, and beyond the tolerance in the wrong direction.
        case worse
        case onlyLeft = "only in A"
        case onlyRight = "only in B"
    }

    /// - Parameters:
    ///   - tolerance: By which share a measured figure may be worse; 0.1 is a tenth.
    ///   - isStrict: Whether a figure that only one side has is a fall.
    package init(
        of left: FigureSheet, with right: FigureSheet, tolerance: Double? = nil,
        isStrict: Bool = false
    ) {
        self.tolerance = tolerance
        self.isStrict = isStrict
        wasBusy = [left, right].contains { $0.machine?.wasBusy ?? false }
        let names = left.subjects.map(\.name)
        let added = right.subjects.map(\.name).filter { left.subject(named: $0) == nil }
        for name in names + added {
            let sides = (Self.figures(of: name, in: left), Self.figures(of: name, in: right))
            for figure in Set(sides.0.keys).union(sides.1.keys).sorted() {
                let (one, other) = (sides.0[figure], sides.1[figure])
                rows.append(
                    Row(
                        subject: name, figure: figure, left: one, right: other,
                        finding: finding(one, other, of: figure)))
            }
        }
    }

    /// Whether nothing differs that must be the same, and nothing is worse than it may be.
    package var isHeld: Bool {
        rows.allSatisfy { row in
            switch row.finding {
            case .same, .shown: true
            case .differs, .worse: false
            case .onlyLeft, .onlyRight: !isStrict
            }
        }
    }

    package func count(_ finding: Finding) -> Int { rows.count { $0.finding == finding } }

    private static func figures(of name: String, in sheet: FigureSheet) -> [String: Side] {
        guard let subject = sheet.subject(named: name) else { return [:] }
        return subject.exact.mapValues { Side.exact($0) }
            .merging(subject.measured.mapValues { Side.measured($0) }) { exact, _ in exact }
    }

    /// Whether a measured figure with this name is held against the tolerance.
    func isJudged(_ figure: String) -> Bool {
        tolerance != nil && !(wasBusy && figure.lowercased().contains("wall"))
    }

    private func finding(_ left: Side?, _ right: Side?, of figure: String) -> Finding {
        switch (left, right) {
        case (nil, _): .onlyRight
        case (_, nil): .onlyLeft
        case (.exact(let one)?, .exact(let other)?): one == other ? .same : .differs
        case (.measured(let one)?, .measured(let other)?):
            isJudged(figure) && isWorse(one, other) ? .worse : .shown
        // One world simulates it, and the other measures it.
        case (.exact?, .measured?), (.measured?, .exact?): .shown
        }
    }

    private func isWorse(_ left: MeasuredFigure, _ right: MeasuredFigure) -> Bool {
        guard let tolerance else { return false }
        let isMore = right.median > left.median * (1 + tolerance)
        let isLess = right.median * (1 + tolerance) < left.median
        switch left.better {
        case .more: return isLess
        case .less: return isMore
        case .neither: return isMore || isLess
        }
    }
}
