import Capture
import Content
import Facts
import LinkModels
import Quantities
import RunLog
import RunPlan
import Testing

@testable import Simulation

/// Paths whose packets must be small: known to the hosts, told by a router, or never told.
@Suite struct PacketSizeTests {
    private static let controllers = TCPSettings.Controller.allCases

    // MARK: Known to the hosts

    @Test(arguments: controllers)
    func `hosts that know the limit fill their packets to it, and never beyond`(
        controller: TCPSettings.Controller
    ) {
        let hosts = TwoHosts(
            .plain("uplink", queue: 500_000).limited(1_280), .plain("downlink", queue: 500_000),
            controller: controller)
        hosts.answer = [.content(.file(2, 200_000))]
        hosts.open(sending: [.content(.file(1, 200_000))])
        hosts.play()
        for link in [0, 1] as [UInt16] {
            #expect(hosts.sent(on: link).map(\.size).max() == 1_280)
        }
        #expect(hosts.repeatedBytes == 0)
        #expect(hosts.allReceived == [.file(1, 200_000), .file(2, 200_000)])
    }

    // MARK: Told by a router

    @Test(arguments: controllers)
    func `a router's message comes once for each packet that it drops, and is heeded at once`(
        controller: TCPSettings.Controller
    ) throws {
        let hosts = TwoHosts(
            .plain("uplink", queue: 500_000).limited(1_280, told: .byRouter),
            .plain("downlink", queue: 500_000),
            controller: controller)
        hosts.open(sending: [.content(.file(1, 300_000))])
        hosts.play()
        let large = hosts.sent(on: 0).filter { $0.size > 1_280 }
        let messages = hosts.packets.filter { $0.link == 1 && $0.kind == .sent && $0.flags == [] }
        #expect(large.count == 10 || controller == .ledbat && large.count == 2)
        #expect(messages.count == large.count)
        #expect(messages.map(\.size).min() == 56)
        let heard = try #require(
            hosts.packets.first { $0.link == 1 && $0.kind == .delivered && $0.flags == [] })
        #expect(large.allSatisfy { $0.atNanoseconds < heard.atNanoseconds })
        // What was dropped leaves anew at once, without a timeout.
        let next = try #require(hosts.sent(on: 0).first { $0.payload > 0 && $0.size <= 1_280 })
        #expect(next.atNanoseconds == heard.atNanoseconds)
        #expect(hosts.repeatedBytes == large.reduce(0) { $0 + UInt64($1.payload) })
        #expect(hosts.allReceived == [.file(1, 300_000)])
        #expect(hosts.resizings == ["1.28 kB message"])
    }

    @Test func `the next connections know what a router has said, for ten minutes`() {
        let hosts = TwoHosts(
            .plain("uplink", queue: 500_000).limited(1_280, told: .byRouter),
            .plain("downlink", queue: 500_000))
        var largest: [UInt16?] = []
        for start in [0, 599, 601] as [UInt64] {
            let moment = Instant(nanoseconds: start * 1_000_000_000)
            if start > 0 {
                hosts.network.setTimer(slot: 0, at: moment)
                hosts.play(until: moment)
            }
            hosts.packets = []
            hosts.open(sending: [.content(.file(1, 100_000))])
            hosts.play(until: moment + .seconds(2))
            largest.append(hosts.sent(on: 0).map(\.size).max())
        }
        #expect(largest == [1_500, 1_280, 1_500])
    }

    @Test func `a capture at the sender holds the message, and tshark understands it`() throws {
        let run = try TappedHosts(
            .plain("uplink", queue: 500_000).limited(1_280, told: .byRouter),
            .plain("downlink", queue: 500_000),
            sending: [.content(.file(1, 20_000))])
        let message = try #require(try run.frames(at: .client).first { $0.bytes[9] == 1 })
        // Destination unreachable, fragmentation needed, and the next hop's MTU.
        #expect(Array(message.bytes[20..<22]) == [3, 4])
        #expect(Array(message.bytes[26..<28]) == [1_280 >> 8, 1_280 & 0xff])
        #expect(message.bytes.count == 56)
        guard Tshark.isInstalled else { return }
        let rows = try Tshark.rows(
            of: run.file(at: .client),
            fields: ["icmp.type", "icmp.code", "icmp.mtu", "icmp.checksum.status", "tcp.dstport"])
        let read = try #require(rows.first { !$0[0].isEmpty })
        #expect(read == ["3", "4", "1280", "1", "80"])
        let sums = try Tshark.rows(of: run.file(at: .client), fields: ["ip.checksum.status"])
        // The message quotes the header of the packet, which has a checksum as well.
        #expect(sums.allSatisfy { $0 == ["1"] || $0 == ["1,1"] })
        #expect(sums.contains(["1,1"]))
    }

    @Test func `a packet that is lost before the router is answered by nobody`() {
        let hosts = TwoHosts(
            .plain("uplink", queue: 500_000).losing([2, 3]).limited(1_280, told: .byRouter),
            .plain("downlink", queue: 500_000))
        hosts.open(sending: [.content(.file(1, 300_000))])
        hosts.play()
        // Of the ten packets of the first flight, two are lost.
        let messages = hosts.packets.filter { $0.link == 1 && $0.kind == .sent && $0.flags == [] }
        #expect(messages.count == 8)
        #expect(hosts.allReceived == [.file(1, 300_000)])
    }

    @Test func `streams of others keep to the limit that hosts know`() {
        let stream = CrossTraffic.Stream(
            .uplink, TrafficSource.Plan(rate: Bitrate(bitsPerSecond: 1_000_000)))
        let hosts = TwoHosts(
            .plain("uplink", queue: 500_000).limited(1_280), .plain("downlink", queue: 500_000),
            crossTraffic: CrossTraffic(streams: [stream]))
        hosts.open(sending: [.content(.file(1, 300_000))])
        hosts.play()
        let others = hosts.packets.filter { $0.link == 0 && $0.flags == [] }
        #expect(others.filter { $0.kind == .delivered }.count > 10)
        #expect(others.allSatisfy { $0.size == 1_280 })
    }

    @Test func `a SYN names the largest segment that its sender takes`() throws {
        let run = try TappedHosts(
            .plain("uplink", queue: 500_000).limited(1_280), .plain("downlink", queue: 500_000),
            sending: [.content(.file(1, 20_000))])
        let first = try #require(try run.frames(at: .client).first)
        #expect(Array(first.bytes[40..<44]) == [2, 4, 1_240 >> 8, 1_240 & 0xff])
    }

    // MARK: Never told

    @Test func `without a detection the connection times out`() throws {
        let hosts = Self.behindBlackHole(1_280, .off)
        let client = try #require(hosts.client)
        #expect(hosts.ends[client] == .timedOut)
        #expect(hosts.resizings == [])
    }

    @Test(arguments: controllers)
    func `Apple's hosts send less after the second timeout in a row`(
        controller: TCPSettings.Controller
    ) {
        let hosts = Self.behindBlackHole(1_280, .apple, controller)
        #expect(hosts.allReceived == [.file(1, 300_000)])
        #expect(hosts.resizings == ["1.24 kB silence"])
        #expect(hosts.sent(on: 0).last { $0.size > 1_280 } != nil)
    }

    @Test func `Apple's hosts try 512 bytes where packets were small already`() {
        let hosts = Self.behindBlackHole(600, .apple, known: 1_000)
        #expect(hosts.allReceived == [.file(1, 300_000)])
        #expect(hosts.resizings == ["552 B silence"])
    }

    @Test func `Apple's hosts return to large packets if small ones do not help`() throws {
        let hosts = Self.behindBlackHole(700, .apple)
        let client = try #require(hosts.client)
        #expect(hosts.ends[client] == .timedOut)
        #expect(hosts.resizings == ["1.24 kB silence", "1.5 kB inVain"])
    }

    @Test(arguments: controllers)
    func `Linux sends 1024 bytes after three seconds, and then halves them`(
        controller: TCPSettings.Controller
    ) throws {
        let hosts = Self.behindBlackHole(700, .linux, controller)
        #expect(hosts.allReceived == [.file(1, 300_000)])
        #expect(hosts.resizings == ["1.076 kB silence", "564 B silence"])
        let first = hosts.first
        let tries = hosts.sent(on: 0).filter { $0.payload == 1_448 && $0.sequence == first }
        let begun = try #require(tries.dropFirst().first)
        let smaller = try #require(hosts.sent(on: 0).first { $0.payload == 1_024 })
        #expect(smaller.atNanoseconds - begun.atNanoseconds >= 3_000_000_000)
    }

    @Test func `the server can find out as well as the client`() {
        var tcp = TCPSettings()
        tcp.serverBlackHoles = .apple
        let hosts = TwoHosts(
            .plain("uplink", queue: 500_000),
            .plain("downlink", queue: 500_000).limited(1_280, told: .never), tcp: tcp)
        hosts.answer = [.content(.file(2, 100_000))]
        hosts.open()
        hosts.play()
        #expect(hosts.allReceived == [.file(2, 100_000)])
        #expect(hosts.resizings == ["1.24 kB silence"])
    }

    // MARK: Among losses

    @Test(arguments: controllers, 1...12 as ClosedRange<UInt64>)
    func `content arrives whole when sizes change among losses`(
        controller: TCPSettings.Controller, seed: UInt64
    ) {
        let uplink = LinkPlan.plain("uplink", queue: 500_000, losing: 5)
        let hosts = TwoHosts(
            uplink.limited(1_100, told: .byRouter), .plain("downlink", losing: 5),
            controller: controller, seed: seed)
        hosts.answer = [.content(.file(2, 100_000))]
        hosts.open(sending: [.content(.file(1, 200_001))])
        hosts.play()
        #expect(hosts.allReceived == [.file(1, 200_001), .file(2, 100_000)])
    }

    private static func behindBlackHole(
        _ size: UInt64, _ detection: TCPSettings.BlackHoleDetection,
        _ controller: TCPSettings.Controller = .cubic, known: UInt64? = nil
    ) -> TwoHosts {
        var uplink = LinkPlan.plain("uplink", queue: 500_000).limited(size, told: .never)
        if let known { uplink = uplink.limited(known) }
        let hosts = TwoHosts(
            uplink, .plain("downlink", queue: 500_000),
            tcp: TCPSettings(controller: controller, blackHoles: detection))
        hosts.open(sending: [.content(.file(1, 300_000))])
        hosts.play()
        return hosts
    }
}

extension LinkPlan {
    func limited(_ size: UInt64, told: SizeLimit.Told = .byInterface) -> LinkPlan {
        var plan = self
        plan.filters.append(.sizeLimit(SizeLimit(ByteCount(size), told: told)))
        return plan
    }
}

extension TwoHosts {
    fileprivate func sent(on link: UInt16) -> [PacketRecord] {
        packets.filter { $0.link == link && $0.kind == .sent && $0.flags.contains(.ack) }
    }

    /// Number of the client's first byte.
    fileprivate var first: UInt32? { sent(on: 0).first { $0.payload > 0 }?.sequence }

    fileprivate var allReceived: [ContentRange] {
        received.values.flatMap(\.self).sorted { $0.version.file < $1.version.file }
    }

    /// Bytes that the client has sent more than once.
    fileprivate var repeatedBytes: UInt64 {
        let sent = sent(on: 0).reduce(0) { $0 + UInt64($1.payload) }
        let content = received.values.flatMap(\.self).filter { $0.version.file == 1 }
        return sent - content.reduce(0) { $0 + $1.length.bytes }
    }

    fileprivate var resizings: [String] {
        facts.compactMap {
            guard case .network(.packetsResized(_, _, let size, let cause)) = $0.fact else {
                return nil
            }
            return "\(size) \(cause.rawValue)"
        }
    }
}
