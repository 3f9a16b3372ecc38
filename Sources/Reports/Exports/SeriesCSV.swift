package import Foundation
import Quantities

/// All series of a run as one long table: a row for each value (RFC 4180).
package enum SeriesCSV {
    /// The columns: `step_s` is empty if a value holds until the next one.
    static let columns = ["time_s", "step_s", "kind", "subject", "series", "unit", "value"]

    package static func data(for series: RunSeries) -> Data {
        var text = line(columns)
        for track in series.tracks {
            let step = track.step?.secondsText ?? ""
            let names = [track.kind.rawValue, track.subject, track.name, track.unit.rawValue]
            for point in track.points {
                text += line(
                    [point.at.sinceStart.secondsText, step] + names + [track.text(of: point.value)])
            }
        }
        return Data(text.utf8)
    }

    private static func line(_ fields: [String]) -> String {
        fields.map(quoted).joined(separator: ",") + "\r\n"
    }

    private static func quoted(_ field: String) -> String {
        let needsQuotes = field.unicodeScalars.contains { ",\"\r\n".unicodeScalars.contains($0) }
        return needsQuotes ? "\"\(field.replacing("\"", with: "\"\""))\"" : field
    }
}
