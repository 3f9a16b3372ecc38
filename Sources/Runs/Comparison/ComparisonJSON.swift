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
        var left: FigureComparison.Side?
        var right: FigureComparison.Side?
        var ratio: Double?
        var finding: String
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
                        subject: row.subject, figure: row.figure, left: row.left,
                        right: row.right, ratio: row.ratio, finding: row.finding.rawValue)
                }))
    }
}

extension FigureComparison.Side: Encodable {
    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .exact(let value): try value.encode(to: encoder)
        case .measured(let figure): try figure.encode(to: encoder)
        }
    }
}

/// JSON with sorted keys and one figure in each line, so that two files can be compared by lines.
package enum SheetJSON {
    package static func data(_ value: some Encodable) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        do { return try encoder.encode(value) + Data("\n".utf8) } catch {
            preconditionFailure("figures cannot be encoded: \(error)")
        }
    }
}
