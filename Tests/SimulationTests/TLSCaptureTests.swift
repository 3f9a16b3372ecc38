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
        // Up: seven records of content, two of heads, and the last word; down: two answers and one.
        let sealed = rows.flatMap { $0[opaque].split(separator: ",") }.filter { $0 == "23" }
        #expect(sealed.count >= 11, "\(sealed.count) records")
    }
}
