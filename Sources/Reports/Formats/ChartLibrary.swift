import Foundation

/// The chart library dygraphs, as it goes into a report: its script and its style sheet.
package struct ChartLibrary: Sendable {
    package var script: String
    package var style: String

    /// Where Debian's `libjs-dygraphs` puts it.
    package static let usualFolder = "/usr/share/javascript/dygraphs"

    package init(script: String, style: String) {
        self.script = script
        self.style = style
    }

    /// `nil` when it is not installed: reports then keep their still pictures, and say so.
    package static func installed(in folder: String = usualFolder) -> ChartLibrary? {
        guard
            let script = try? String(contentsOfFile: folder + "/dygraph.min.js", encoding: .utf8),
            let style = try? String(contentsOfFile: folder + "/dygraph.min.css", encoding: .utf8)
        else { return nil }
        return ChartLibrary(script: script, style: style)
    }
}
