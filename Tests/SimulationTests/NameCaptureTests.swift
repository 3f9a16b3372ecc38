import Capture
import Content
import Foundation
import LinkModels
import Quantities
import RunLog
import RunPlan
import Testing

@testable import Simulation

/// tshark reads, in captures at the client, the questions for the server's addresses, and the
/// packets over IPv6.
@Suite(.enabled(if: Tshark.isInstalled, "tshark is not installed; ./lab test installs it"))
struct NameCaptureTests {
    private static let questions = [
        "udp.checksum.status", "ip.checksum.status", "dns.flags.response", "dns.qry.name",
        "dns.qry.type", "dns.a", "dns.aaaa", "dns.resp.ttl", "dns.flags.rcode",
    ]

    /// Calls the server by name, and returns rows of the client's capture: as they are, questions.
    private static func rows(
        _ names: NamePlan, over uplink: LinkPlan = .plain("uplink"), of filter: String = "udp",
        _ fields: [String] = questions, inspect: (TwoHosts) -> Void = { _ in }
    ) throws -> [String] {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "names \(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "client.pcap").path
        let tap = try PacketTap(client: file, server: nil)
        let hosts = TwoHosts(
            [InterfacePlan(uplink: uplink, downlink: .plain("downlink"))], names: names, tap: tap)
        hosts.call(sending: [.content(.file(1, 5_000))])
        hosts.play(until: .start + .seconds(30))
        try hosts.network.finishTap()
        inspect(hosts)
        let rows = try Tshark.rows(
            of: file, fields: fields, options: ["-o", "udp.check_checksum:TRUE", "-Y", filter])
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

    private static var overIPv6: NamePlan {
        var names = NamePlan()
        names.addresses = [.ipv6]
        return names
    }

    @Test func `packets over IPv6 have its addresses and headers, and 20 bytes less of content`()
        throws
    {
        let fields = [
            "ipv6.src", "ipv6.dst", "tcp.checksum.status", "frame.len", "tcp.len",
            "tcp.options.mss_val",
        ]
        let sent = try Self.rows(Self.overIPv6, of: "tcp.dstport == 80", fields)
        let ends = "2001:db8:1::2 2001:db8::1"
        #expect(sent.first == "\(ends) 1 80 0 1440")
        #expect(sent.filter { $0.contains(" 1428 ") }.allSatisfy { $0 == "\(ends) 1 1500 1428 " })
        #expect(sent.count { $0.contains(" 1428 ") } == 3)
        #expect(sent.contains("\(ends) 1 788 716 "))
        let answered = try Self.rows(Self.overIPv6, of: "tcp.srcport == 80", fields)
        #expect(answered.first == "2001:db8::1 2001:db8:1::2 1 80 0 1440")
        #expect(answered.contains("2001:db8::1 2001:db8:1::2 1 72 0 "))
    }

    /// RFC 4443 §3.2, RFC 8201.
    @Test func `a router on the way of IPv6 names its limit, and the sender keeps to it`() throws {
        let fields = [
            "icmpv6.type", "icmpv6.code", "icmpv6.mtu", "icmpv6.checksum.status", "tcp.dstport",
            "frame.len",
        ]
        let rows = try Self.rows(
            Self.overIPv6, over: .plain("uplink").limited(1_280, told: .byRouter), of: "icmpv6",
            fields
        ) { hosts in
            let sizes = hosts.packets.filter { $0.link == 0 && $0.kind == .delivered }.map(\.size)
            #expect(sizes.max() == 1_280)
            let told = hosts.facts.compactMap { event -> ByteCount? in
                guard case .network(.packetsResized(_, _, let size, _)) = event.fact else {
                    return nil
                }
                return size
            }
            #expect(told == [ByteCount(1_280)])
        }
        #expect(rows == Array(repeating: "2 0 1280 1 80 96", count: 3))
    }
}
