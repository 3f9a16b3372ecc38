import Quantities
import Testing

@testable import Protocols

/// The bytes that one end of a session keeps.
@Suite struct PacedStreamsTests {
    /// Its reports tell of no content and of no limit, so that nothing could ever be given back.
    @Test func `a peer that says it takes everything and has nothing fills no memory`() {
        var now = Instant.start + .seconds(1)
        var end = PacedStreams(
            at: .client,
            PacedSettings(policy: .fixed, target: Bitrate(bitsPerSecond: 8_000_000_000)),
            packetSize: 1_500, at: now)
        var peer = PacedReceiver()
        let piece = [UInt8](repeating: 7, count: 1 << 20)
        var written = 0
        for _ in 0..<400 {
            written += piece.withUnsafeBytes { end.write($0) }
            while let packet = end.next(at: now) { _ = peer.arrived(packet, at: now) }
            now = now + .milliseconds(5)
            guard let report = peer.report(at: now) else { continue }
            var body = [UInt8](repeating: 0, count: report.bodySize)
            body.withUnsafeMutableBytes { report.write(to: $0) }
            let head = PacedHead(.report, session: 7, number: report.number)
            _ = body.withUnsafeBytes { end.take(head, $0, at: now) }
        }
        let most = Int(PacedEnd.window) + (1 << 20)
        #expect(written > most / 2 && written <= most, "\(written) B were taken")
    }
}
