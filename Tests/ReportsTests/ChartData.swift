import Foundation
import Testing

/// The data of a chart, as the page holds them for its script.
struct ChartData: Decodable {
    var labels: [String]
    var looks: [String]
    var references: [Level]
    var rows: [[Double?]]

    struct Level: Decodable {
        var value: Double
        var isTheory: Bool
    }

    init(_ id: String, in page: String) throws {
        let rest = page.components(separatedBy: "id=\"\(id)-data\">").last
        let data = try #require(rest?.components(separatedBy: "</script>").first)
        self = try JSONDecoder().decode(Self.self, from: Data(data.utf8))
    }
}
