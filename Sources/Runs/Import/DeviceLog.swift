package import Foundation
package import Quantities

/// A log from a phone: one JSON object per line, with its time and its event.
///
/// Lines that cannot be used are kept with the reason, so that the user knows what became of each.
package struct DeviceLog: Sendable {
    package private(set) var entries: [Entry] = []
    package private(set) var unused: [UnusedLine] = []

    /// An event, at a time after the first line.
    package struct Entry: Hashable, Sendable {
        package var line: Int
        package var at: TimeSpan
        package var event: DeviceLogEvent
    }

    package struct UnusedLine: Hashable, Sendable, Codable {
        /// Counted from 1.
        package var line: Int
        package var why: String
    }

    /// A day's log is smaller.
    package static let largestSize = 64 << 20
    /// A scenario with more entries is hard to read, and a bug is seldom longer.
    package static let mostEntries = 1_000

    /// Throws only if no line can be used.
    package init(_ bytes: Data, path: String) throws(RunFailure) {
        guard bytes.count <= Self.largestSize else {
            throw RunFailure(
                "\(path) has \(bytes.count) bytes; cut out the part around the bug, at most "
                    + "\(Self.largestSize >> 20) MiB"
            )
        }
        var found: [(line: Int, time: Double, event: DeviceLogEvent)] = []
        for (index, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
            .enumerated()
        where !line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) {
            do throws(DeviceLogFields.Unreadable) {
                let fields = try DeviceLogFields(Data(line))
                found.append((index + 1, try fields.time(), try DeviceLogEvent(fields)))
            } catch {
                unused.append(UnusedLine(line: index + 1, why: error.why))
            }
        }
        guard let first = found.map(\.time).min() else {
            let why = unused.first.map { "line \($0.line): \($0.why)" } ?? "it is empty"
            throw RunFailure(
                "no line of \(path) can be used (\(why)); a line looks like "
                    + "{\"time\": 12.5, \"event\": \"app\", \"state\": \"background\"}")
        }
        // A span holds only 292 years.
        let longest = 10_000.0 * 3_600
        // Lines that describe the situation have priority over events.
        var room = Self.mostEntries - found.count { $0.event.isSetting }
        for (line, time, event) in found.sorted(by: { ($0.time, $0.line) < ($1.time, $1.line) }) {
            guard time - first <= longest else {
                unused.append(
                    UnusedLine(line: line, why: "it is more than a year after the first line"))
                continue
            }
            if !event.isSetting { room -= 1 }
            guard room >= 0 || event.isSetting, entries.count < Self.mostEntries else {
                unused.append(
                    UnusedLine(
                        line: line,
                        why:
                            "a draft can have at most \(Self.mostEntries) lines: cut out the "
                            + "part around the bug"
                    ))
                continue
            }
            let milliseconds = Int64(((time - first) * 1_000).rounded())
            entries.append(Entry(line: line, at: .milliseconds(milliseconds), event: event))
        }
        unused.sort { $0.line < $1.line }
    }

    /// Returns the log with these lines unused, each for the first reason given.
    func without(_ lines: [(line: Int?, why: String)]) -> DeviceLog {
        var reasons: [Int: String] = [:]
        for case (let line?, let why) in lines where reasons[line] == nil { reasons[line] = why }
        var rest = self
        rest.entries.removeAll { reasons[$0.line] != nil }
        rest.unused += reasons.map { UnusedLine(line: $0.key, why: $0.value) }
        rest.unused.sort { $0.line < $1.line }
        return rest
    }
}
