import Capture
import Content
import Foundation
import LinkModels
import Quantities
import RunLog
import RunPlan
import Testing

@testable import Simulation

/// tshark reads the questions for the server's addresses in a capture at the client.
@Suite(.enabled(if: Tshark.isInstalled, "tshark is not installed; ./lab test installs it"))
struct NameCaptureTests {
    private static let fields = [
        "udp.checksum.status", "ip.checksum.status", "dns.flags.response", "dns.qry.name",
        "dns.qry.type", "dns.a", "dns.aaaa", "dns.resp.ttl", "dns.flags.rcode",
    ]

    /// Calls the server by name, and returns the rows of the client's capture that are no TCP.
    private static func rows(_ names: NamePlan) throws -> [String] {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "names \(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "client.pcap").path
        let tap = try PacketTap(client: file, server: nil)
        let hosts = TwoHosts(
            [InterfacePlan(uplink: .plain("uplink"), downlink: .plain("downlink"))],
            names: names, tap: tap)
        hosts.call(sending: [.content(.file(1, 5_000))])
        hosts.play(until: .start + .seconds(30))
        try hosts.network.finishTap()
        let rows = try Tshark.rows(
            of: file, fields: fields, options: ["-o", "udp.check_checksum:TRUE", "-Y", "udp"])
        return rows.map { $0.joined(separator: " ") }
    }

    @Test func `two questions and two answers, with right checksums`() throws {
        var names = NamePlan()
        names.addresses = [.ipv6, .ipv4]
        names.keep = .seconds(90)
        #expect(
            try Self.rows(names) == [
                "1 1 0 docroot 28    ", "1 1 0 docroot 1    ",
                "1 1 1 docroot 28  2001:db8::1 90 0", "1 1 1 docroot 1 198.51.100.1  90 0",
            ])
    }

    @Test(arguments: [(NamePlan.Failure.Kind.notFound, 3), (.serverFailure, 2)])
    func `an answer that is a failure says so`(kind: NamePlan.Failure.Kind, code: Int) throws {
        var names = NamePlan()
        names.failure = .init(from: .start, until: .end, kind: kind)
        #expect(
            try Self.rows(names).suffix(2) == [
                "1 1 1 docroot 28    \(code)", "1 1 1 docroot 1    \(code)",
            ])
    }
}
