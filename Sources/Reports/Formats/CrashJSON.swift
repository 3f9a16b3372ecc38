package import Foundation

/// `crashes.json`: scenarios played with a crash at each point.
package enum CrashJSON {
    package static func data(for tables: [CrashTable]) -> Data {
        let whole = Whole(
            format: format, scenarios: tables)
        return RunJSON.file(whole)
    }

    private static let format = "transferlab-crashes/1 (times in nanoseconds)"

    package static let schema = FileSchema(
        "crashes", "crashes.json: the crash points of scenarios", format: format, of: Whole.self)

    private struct Whole: Codable {
        var format: String
        var scenarios: [CrashTable]
    }
}
