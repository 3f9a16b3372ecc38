package import Foundation

/// `crashes.json`: scenarios that were played with a crash at each of their points.
package enum CrashJSON {
    package static func data(for tables: [CrashTable]) -> Data {
        let whole = Whole(
            format: "transferlab-crashes/1 (times in nanoseconds)", scenarios: tables)
        return Data((RunJSON.text(whole, pretty: true) + "\n").utf8)
    }

    private struct Whole: Codable {
        var format: String
        var scenarios: [CrashTable]
    }
}
