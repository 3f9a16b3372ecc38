package import Foundation
import Reports

/// A comparison for programs: every figure with its ratio and what was found.
package enum ComparisonJSON {
    private static let format = "transferlab-comparison/1"

    static let schema = FileSchema(
        "comparison", "compare --json: two results, figure by figure", format: format,
        of: Form.self)

    private struct Form: Codable {
        var format = ComparisonJSON.format
        var left: String
        var right: String
        var isHeld: Bool
        var tolerance: Double?
        var figures: [Row]
    }

    private struct Row: Codable {
        var subject: String
        var figure: String
        var left: FigureComparison.Side?
        var right: FigureComparison.Side?
        var ratio: Double?
        var finding: FigureComparison.Finding
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
                        right: row.right, ratio: row.ratio, finding: row.finding)
                }))
    }
}

extension FigureComparison.Side: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let value = try? container.decode(FigureValue.self) {
            self = .exact(value)
        } else {
            self = .measured(try container.decode(MeasuredFigure.self))
        }
    }

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
