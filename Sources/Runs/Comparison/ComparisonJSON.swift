package import Foundation

/// A comparison for programs: every figure with its ratio and what was found.
package enum ComparisonJSON {
    private struct Form: Encodable {
        var format = "transferlab-comparison/1"
        var left: String
        var right: String
        var isHeld: Bool
        var tolerance: Double?
        var figures: [Row]
    }

    private struct Row: Encodable {
        var subject: String
        var figure: String
        var left: Value?
        var right: Value?
        var ratio: Double?
        var finding: String
    }

    private enum Value: Encodable {
        case exact(FigureValue)
        case measured(MeasuredFigure)

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .exact(let value): try value.encode(to: encoder)
            case .measured(let figure): try figure.encode(to: encoder)
            }
        }
    }

    package static func data(
        for comparison: FigureComparison, left: String, right: String
    ) -> Data {
        SheetJSON.data(
            Form(
                left: left, right: right, isHeld: comparison.isHeld,
                tolerance: comparison.tolerance,
                figures: comparison.rows.map { row in
                    Row(
                        subject: row.subject, figure: row.figure, left: row.left.map(value),
                        right: row.right.map(value), ratio: row.ratio,
                        finding: row.finding.rawValue)
                }))
    }

    private static func value(_ side: FigureComparison.Side) -> Value {
        switch side {
        case .exact(let value): .exact(value)
        case .measured(let figure): .measured(figure)
        }
    }
}

/// Sorted and indented, a figure a line, so that two files can be compared line by line too.
package enum SheetJSON {
    package static func data(_ value: some Encodable) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        do { return try encoder.encode(value) + Data("\n".utf8) } catch {
            preconditionFailure("figures cannot be encoded: \(error)")
        }
    }
}
