import Foundation
import Quantities
import Reports
import RunLog
import Testing

/// What a radio takes from the battery follows from the moments of its packets.
@Suite struct RadioFiguresTests {
    /// Round figures: one watt active, a tenth in the tail, nothing idle.
    private static let radio = RadioTerms(
        source: "this test", promotion: .milliseconds(100), promotionPower: 500,
        activePower: 1_000, pause: .milliseconds(100), tail: .seconds(10), tailPower: 100,
        idlePower: 0, millijoulesPerMegabitUp: 400, millijoulesPerMegabitDown: 50)

    private static func figures(
        sentAt seconds: [Double], until end: Int64, size: UInt16 = 1_250,
        others: (inout FigureCollector) -> Void = { _ in }
    ) throws -> InterfaceFigures {
        let interfaces = try model(sentAt: seconds, until: end, size: size, others: others)
            .figures.interfaces
        return try #require(interfaces?.first)
    }

    private static func model(
        sentAt seconds: [Double], until end: Int64, size: UInt16 = 1_250,
        others: (inout FigureCollector) -> Void = { _ in }
    ) throws -> ReportModel {
        var collector = FigureCollector()
        collector.read(
            RunEvent(
                at: .start,
                .run(
                    .began(
                        RunBeginning(
                            scenario: "radio", world: .simulated, seed: 1, text: "", path: "",
                            sentences: [], sessions: 0, command: "")))))
        let terms = InterfaceTerms(
            name: "cellular", isCellular: true, uplink: 2, downlink: 3, address: "192.0.2.3",
            radio: radio)
        collector.read(RunEvent(at: .start, .network(.interface(1, terms))))
        let packets = seconds.enumerated().map { place, moment in
            PacketRecord(
                atNanoseconds: UInt64(moment * 1e9), kind: .sent, packet: UInt32(place), link: 2,
                flow: 0, size: size, payload: size - 52, sequence: 0, acknowledgement: 0,
                flags: .ack)
        }
        packets.withUnsafeBufferPointer { collector.read(packets: $0) }
        others(&collector)
        collector.read(RunEvent(at: .start + .seconds(end), .run(.ended(.quiet))))
        return ReportModel(collector, verdicts: [], digest: "")
    }

    @Test func `captured packets are packets, too, and are told by their interface`() throws {
        let packets = [(UInt16(2), 1_250), (3, 52), (0, 1_250), (5, 52)].map { link, size in
            PacketRecord(
                atNanoseconds: 5_000_000_000, kind: .captured, packet: 0, link: link, flow: 0,
                size: UInt16(size), payload: 0, sequence: 0, acknowledgement: 0, flags: .ack)
        }
        let model = try Self.model(sentAt: [], until: 60) { collector in
            packets.withUnsafeBufferPointer { collector.read(packets: $0) }
        }
        let figures = try #require(model.figures.interfaces?.first)
        #expect(figures.sent.bytes == 1_250)
        #expect(figures.received.bytes == 52)
        #expect(figures.radio?.promotions == 1)
        #expect(
            model.figures.captures.map(\.name)
                == ["uplink", "cellular uplink", "cellular downlink", "downlink 3"])
    }

    @Test func `the table of connections says over which interface each went`() throws {
        let name = ConnectionName(launch: 1, number: 1)
        let model = try Self.model(sentAt: [5], until: 60) { collector in
            for fact in [
                ConnectionFact.opening(name, to: "docroot:80", by: ItemName(1)),
                .bound(name, interface: 1),
            ] {
                collector.read(RunEvent(at: .start, .connection(fact)))
            }
        }
        let page = HTMLReport.document(for: model, charts: nil)
        let row = try #require(page.components(separatedBy: "docroot:80").dropFirst().first)
        let end = try #require(row.components(separatedBy: "</table>").first)
        #expect(page.contains("Over"))
        #expect(end.contains("cellular"))
    }

    @Test func `one packet wakes the radio and pays for the whole tail`() throws {
        let figures = try Self.figures(sentAt: [5], until: 60)
        let radio = try #require(figures.radio)
        #expect(radio.promotions == 1)
        #expect(radio.active == .milliseconds(100))
        #expect(radio.tail == .milliseconds(9_900))
        #expect(radio.on == .seconds(10))
        #expect(radio.idle == .seconds(50))
        // 50 mJ to wake, 100 active, 990 in the tail, and 4 for ten thousand bits.
        #expect(radio.millijoules == 50 + 100 + 990 + 4)
        #expect(figures.sent.bytes == 1_250 && figures.received.packets == 0)
    }

    @Test func `packets within the tail do not wake it again, those behind it do`() throws {
        let radio = try #require(try Self.figures(sentAt: [1, 1.05, 5, 30], until: 60).radio)
        #expect(radio.promotions == 2)
        #expect(radio.active == .milliseconds(350))
        #expect(radio.tail == .milliseconds(3_850 + 9_900 + 9_900))
        #expect(radio.on + radio.idle == .seconds(60))
    }

    @Test func `a radio that is off takes nothing, and has no tail left when it is back`() throws {
        let radio = try #require(
            try Self.figures(sentAt: [1], until: 60) { collector in
                collector.read(RunEvent(at: .start + .seconds(2), .link(.down(link: 2))))
                collector.read(RunEvent(at: .start + .seconds(20), .link(.up(link: 2))))
            }.radio)
        #expect(radio.tail == .milliseconds(900))
        #expect(radio.idle == .seconds(1 + 40))
    }

    @Test func `the report has a table of it, with the source of its figures`() throws {
        let model = try Self.model(sentAt: [5], until: 60)
        let page = HTMLReport.document(for: model, charts: nil)
        #expect(page.contains("1144"))
        #expect(page.contains("the power figures of this test"))
    }
}
