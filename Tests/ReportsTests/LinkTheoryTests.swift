import Quantities
import RunLog
import Testing

@testable import Reports

/// Formulas beside the measured curves.
@Suite struct LinkTheoryTests {
    private static let theory = "theory: cubic at 1 % loss, 60 ms"

    /// A link of 10 Mbit/s on which cubic has a mean window of √(3 / 0.02) = 12.247 packets.
    private static func planned(_ change: (inout LinkTerms) -> Void = { _ in }) -> RunEvent {
        var terms = LinkTerms(
            name: "uplink", rate: Bitrate(bitsPerSecond: 10_000_000), delay: .milliseconds(30),
            queueLimit: ByteCount(9_000), loss: Probability(percent: 1) ?? .never)
        terms.bulk = BulkFlow(.cubic, roundTrip: .milliseconds(60))
        change(&terms)
        return RunEvent(at: .start, .link(.planned(link: 0, terms)))
    }

    /// Twenty packets in flight at once, so that the theory is worth drawing.
    private static func page(_ events: [RunEvent]) -> String {
        var packets = HandmadePackets()
        for number in 0..<20 as Range<UInt32> {
            let packet = packets.send(1_448, sequence: 1 + number * 1_448, at: 1)
            packets.deliver(packet, at: 60)
        }
        return HTMLReport.document(for: packets.model(events: events), charts: nil)
    }

    @Test func `throughput, bytes in flight and sequence have it`() throws {
        let page = Self.page([Self.planned()])
        // 12.247 packets of 1500 bytes in 60 ms, of which 99 % arrive; their payload in flight.
        let throughput = try ChartData("throughput-chart", in: page).references.last
        #expect(throughput?.isTheory == true)
        #expect(abs((throughput?.value ?? 0) - 2_424_996) < 100, "\(throughput as Any)")
        let inFlight = try ChartData("in-flight-chart", in: page).references
        #expect(inFlight.count == 1)
        #expect(abs((inFlight.first?.value ?? 0) - 17_734) < 1, "\(inFlight)")
        let sequence = try ChartData("sequence-chart", in: page)
        #expect(sequence.labels.last == "flow 0 up, \(Self.theory)")
        #expect(sequence.looks.last == "slope")
        #expect(page.contains("uplink, \(Self.theory)</span>"))
        #expect(page.contains("class=\"reference theory\""))
    }

    @Test func `a link that no formula describes, and one that is shared, have none`() {
        #expect(!Self.page([Self.planned { $0.bulk = nil }]).contains("theory:"))
        let shared = RunEvent(
            at: .start,
            .link(.shared(link: 0, SharingTerms(flow: 0x8000, what: "a stream"))))
        #expect(!Self.page([Self.planned(), shared]).contains("theory:"))
    }
}
