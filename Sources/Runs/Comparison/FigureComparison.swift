/// A comparison of two results, figure by figure.
///
/// Exact figures must be equal. Measured figures are shown with their ratio, and judged only if a
/// tolerance is given; wall time is judged only if the machine was not busy.
package struct FigureComparison: Hashable, Sendable {
    package private(set) var rows: [Row] = []
    package let tolerance: Double?
    /// Whether one of them was measured on a busy machine.
    let wasBusy: Bool
    private let isStrict: Bool

    package struct Row: Hashable, Sendable {
        package var subject: String
        package var figure: String
        package var left: Side?
        package var right: Side?
        package var finding: Finding

        /// Right over left, if both are numbers and left is not 0.
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

    package enum Finding: String, Hashable, Sendable, Codable, CaseIterable {
        case same, differs
        /// Measured, and not judged or within the tolerance.
        case shown
        /// Measured, and worse than the tolerance allows.
        case worse
        case onlyLeft = "only in A"
        case onlyRight = "only in B"
    }

    /// - Parameters:
    ///   - tolerance: The share by which a measured figure may be worse; 0.1 is 10 %.
    ///   - isStrict: Whether a figure that only one side has counts as a difference.
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

    /// Whether all exact figures are equal, and no measured figure is worse than allowed.
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

    /// Whether a measured figure with this name is judged.
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
        // One side is a simulation, and the other a measurement.
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
