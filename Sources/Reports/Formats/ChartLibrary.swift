import Foundation

/// The script and the style sheet of the chart library dygraphs, for use in a report.
package struct ChartLibrary: Sendable {
    /// The script as it can stand in a page.
    let script: String
    let style: String

    package init(script: String, style: String) {
        // Only this sequence could end the script element early. In JavaScript, both spellings mean
        // the same.
        self.script = script.replacing("</script", with: "<\\/script")
        self.style = style
    }

    /// The folder of Debian's `libjs-dygraphs`.
    package static let usualFolder = "/usr/share/javascript/dygraphs"

    /// The library of this system, read once; `nil` if it is missing. Then reports have static
    /// charts only.
    package static let ofSystem: ChartLibrary? = {
        guard
            let script = try? String(
                contentsOfFile: usualFolder + "/dygraph.min.js", encoding: .utf8),
            let style = try? String(
                contentsOfFile: usualFolder + "/dygraph.min.css", encoding: .utf8)
        else { return nil }
        return ChartLibrary(script: script, style: style)
    }()
}
