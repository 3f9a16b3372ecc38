import Capture
import Foundation
import RunPlan
import Testing

@testable import Simulation

/// tshark takes the simulated handshakes for real ones.
@Suite(.enabled(if: Tshark.isInstalled, "tshark is not installed; ./lab test installs it"))
struct TLSCaptureTests {
    /// By the numbers of RFC 8446 §4 and RFC 5246 §7.4. What is encrypted shows none.
    static let messages: [(TransportSecurity, [Int])] = [
        (.tls12, [1, 2, 11, 12, 14, 16, 4]), (.tls12Resumed, [1, 2]), (.tls13, [1, 2]),
        (.tls13Resumed, [1, 2]),
    ]

    @Test(arguments: messages)
    func `it reads every message and every record, and has no complaint`(
        security: TransportSecurity, messages: [Int]
    ) throws {
        let file = FileManager.default.temporaryDirectory
            .appending(path: "\(security.rawValue) \(UUID().uuidString).pcap").path
        defer { try? FileManager.default.removeItem(atPath: file) }
        let run = try SecuredRun(security, capturing: file)
        #expect(run.publishedAt != nil)

        let tshark = try Tshark(reading: file, disabling: nil)
        for frame in tshark.frames {
            #expect(
                frame.isSound
                    && frame.complaints.allSatisfy { $0.hasPrefix("This session reuses") },
                "\(frame.complaints)")
        }
        let rows = try Tshark.rows(
            of: file,
            fields: ["tls.handshake.type", "tls.record.content_type", "tls.record.opaque_type"])
        let read = rows.flatMap { $0[0].split(separator: ",").compactMap { Int($0) } }
        #expect(read == messages)
        let opaque = security.isTLS13 ? 2 : 1
        let records = rows.flatMap { $0[opaque].split(separator: ",") }
        // Up: seven records of content and two of heads; down: two answers.
        #expect(records.count { $0 == "23" } >= 11, "\(records)")
        // Each side says that it ends (RFC 8446 §6.1); in TLS 1.3 that looks like content.
        #expect(records.count { $0 == "21" } == (security.isTLS13 ? 0 : 2), "\(records)")
    }
}
