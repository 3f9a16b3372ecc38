import Content
import Quantities
import RunLog
import Testing

/// Packet records as a text table, for golden tests: when, which way, what; a packet that is lost
/// says so.
///
/// Sequence numbers are counted from each end's first; sizes of content in bytes.
struct PacketTrace {
    let text: String

    init(_ records: [PacketRecord]) {
        // Link 0 carries what the client numbers, link 1 what the server does.
        let bases: [UInt32] = [0, 1].map { link in
            records.first { $0.link == link && $0.flags.contains(.syn) }?.sequence ?? 0
        }
        let lost = Set(
            records.filter { $0.kind == .dropped }.map { [UInt32($0.link), $0.packet] })
        let lines = records.filter { $0.kind == .sent }.map { record in
            let link = Int(record.link)
            var line = Self.milliseconds(record.atNanoseconds)
            line += link == 0 ? "  >" : "  <"
            line += "  " + Self.words(for: record.flags)
            line += " \(record.sequence &- bases[link])"
            if record.payload > 0 { line += "+\(record.payload)" }
            if record.flags.contains(.ack) {
                line += " ack \(record.acknowledgement &- bases[1 - link])"
            }
            if lost.contains([UInt32(record.link), record.packet]) { line += "  lost" }
            return line
        }
        text = lines.joined(separator: "\n")
    }

    /// Right-aligned, to the microsecond.
    private static func milliseconds(_ nanoseconds: UInt64) -> String {
        let fraction = String(nanoseconds / 1_000 % 1_000)
        let padded = String(repeating: "0", count: 3 - fraction.count) + fraction
        let text = "\(nanoseconds / 1_000_000).\(padded)"
        return String(repeating: " ", count: max(0, 9 - text.count)) + text
    }

    private static func words(for flags: PacketRecord.Flags) -> String {
        if flags.contains(.rst) { return "RST" }
        if flags.contains(.syn) { return "SYN" }
        return flags.contains(.fin) ? "FIN" : "   "
    }
}

extension TwoHosts {
    /// The table of an upload of so many whole segments, all of which must arrive.
    func traceOfUpload(
        segments: UInt64, sourceLocation: SourceLocation = #_sourceLocation
    ) -> String {
        let content = ContentRange.file(1, segments * 1448)
        open(sending: [.content(content)])
        play()
        #expect(received.values.first == [content], sourceLocation: sourceLocation)
        return PacketTrace(packets).text
    }
}
