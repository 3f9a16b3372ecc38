import Protocols
import Quantities

/// What an end of the paced transport makes of packets and reports from a peer that has the keys,
/// and says whatever it likes.
enum PacedTalk {
    /// Each deed begins with a byte that says what it is, and goes on with what it needs.
    static func run(_ input: [UInt8]) {
        var rest = input[...]
        var now = Instant.start + .seconds(20_000)
        guard let first = rest.popFirst() else { return }
        var end = PacedStreams(
            at: first & 1 == 0 ? .server : .client,
            PacedSettings(target: Bitrate(bitsPerSecond: 50_000_000)), packetSize: 1_500, at: now)
        var news: [PacedEnd.News] = []
        var read: UInt64 = 0
        var written: UInt64 = 0
        while let deed = rest.popFirst() {
            switch deed % 8 {
            case 0, 1, 2, 3: take(&rest, deed, &end, at: now)
            case 4: now = now + .milliseconds(Int64(rest.popFirst() ?? 0) * 20)
            case 5:
                let bytes = [UInt8](repeating: deed, count: Int(rest.popFirst() ?? 0) * 600)
                written += UInt64(bytes.withUnsafeBytes { end.write($0) })
            case 6: read += UInt64(end.read(atMost: Int(rest.popFirst() ?? 0) * 64, at: now).count)
            default:
                if deed & 8 == 0 { end.finish() } else { end.abort(at: now) }
            }
            let sent = talk(&end, at: now)
            precondition(sent < 2_000, "\(sent) packets leave at one moment")
            let told = end.news()
            precondition(told.count { $0.isEnd } + news.count { $0.isEnd } < 2, "two ends: \(told)")
            news += told
            precondition(end.end.unread <= PacedEnd.window, "\(end.end.unread) B are kept")
            precondition(end.end.transmitted <= written, "more has left than was written")
        }
        let late = now + .seconds(100)
        _ = talk(&end, at: late)
    }

    /// Lets everything leave that is due; returns how many packets that were.
    private static func talk(_ end: inout PacedStreams, at now: Instant) -> Int {
        var count = 0
        var body = [UInt8](repeating: 0, count: 1_500)
        while let report = end.report(at: now), count < 2_000 {
            count += 1
            body.withUnsafeMutableBytes { bytes in
                report.write(to: UnsafeMutableRawBufferPointer(rebasing: bytes[..<report.bodySize]))
            }
        }
        while let packet = end.next(at: now), count < 2_000 {
            count += 1
            let size =
                packet.size - PacedFormat.outerHeaders - PacedFormat.openHeader - PacedFormat.tag
            body.withUnsafeMutableBytes { bytes in
                end.write(packet, to: UnsafeMutableRawBufferPointer(rebasing: bytes[..<size]))
            }
        }
        return count
    }

    /// Takes a packet or a report: a byte for its kind, two for its number, one for its length.
    private static func take(
        _ rest: inout ArraySlice<UInt8>, _ deed: UInt8, _ end: inout PacedStreams, at now: Instant
    ) {
        let kind = rest.popFirst() ?? 0
        let number = UInt64(rest.popFirst() ?? 0) << (deed & 0x30) | UInt64(rest.popFirst() ?? 0)
        let body = Array(rest.prefix(Int(rest.popFirst() ?? 0)))
        rest = rest.dropFirst(body.count)
        let kinds = PacedPacket.Kind.allCases
        let head = PacedHead(
            deed & 1 == 0 ? .packet(kinds[Int(kind) % kinds.count]) : .report, session: 7,
            number: number)
        _ = body.withUnsafeBytes { end.take(head, $0, at: now) }
    }

    /// A conversation of two ends, as the deeds of one of them.
    static var seeds: [[UInt8]] { [false, true].map { seed(ofServer: $0) } }

    private static func seed(ofServer isServer: Bool) -> [UInt8] {
        var now = Instant.start + .seconds(20_000)
        let settings = PacedSettings(target: Bitrate(bitsPerSecond: 50_000_000))
        var client = PacedStreams(at: .client, settings, packetSize: 200, at: now)
        var server = PacedStreams(at: .server, settings, packetSize: 200, at: now)
        var deeds: [UInt8] = [isServer ? 0 : 1]
        for round in 0..<12 {
            if round == 2 {
                let bytes = [UInt8](repeating: 1, count: 600)
                _ = bytes.withUnsafeBytes { client.write($0) }
                _ = bytes.withUnsafeBytes { server.write($0) }
                deeds += [5, 1]
            }
            if round == 8 {
                client.finish()
                server.finish()
                deeds += [7]
            }
            for (head, body) in spoken(by: &client, at: now) {
                if isServer { deeds += deed(head, body) }
                _ = body.withUnsafeBytes { server.take(head, $0, at: now) }
            }
            for (head, body) in spoken(by: &server, at: now) {
                if !isServer { deeds += deed(head, body) }
                _ = body.withUnsafeBytes { client.take(head, $0, at: now) }
            }
            _ = (client.read(atMost: 9_000, at: now), server.read(atMost: 9_000, at: now))
            _ = (client.news(), server.news())
            now = now + .milliseconds(20)
            deeds += [6, 200, 4, 1]
        }
        return deeds
    }

    private static func deed(_ head: PacedHead, _ body: [UInt8]) -> [UInt8] {
        guard body.count < 256 else { return [] }
        let number = UInt8(truncatingIfNeeded: head.number)
        let start: [UInt8]
        switch head.kind {
        case .packet(let kind): start = [0, kind.rawValue - 1, 0, number]
        case .report: start = [1, 0, 0, number]
        }
        return start + [UInt8(body.count)] + body
    }

    private static func spoken(
        by end: inout PacedStreams, at now: Instant
    ) -> [(PacedHead, [UInt8])] {
        var spoken: [(PacedHead, [UInt8])] = []
        while let report = end.report(at: now) {
            var body = [UInt8](repeating: 0, count: report.bodySize)
            body.withUnsafeMutableBytes { report.write(to: $0) }
            spoken.append((PacedHead(.report, session: 7, number: report.number), body))
        }
        while let packet = end.next(at: now) {
            let outer = PacedFormat.outerHeaders + PacedFormat.openHeader + PacedFormat.tag
            var body = [UInt8](repeating: 0, count: packet.size - outer)
            body.withUnsafeMutableBytes { end.write(packet, to: $0) }
            spoken.append(
                (PacedHead(.packet(packet.kind), session: 7, number: packet.number), body))
        }
        return spoken
    }
}

extension PacedEnd.News {
    fileprivate var isEnd: Bool { if case .over = self { true } else { false } }
}
