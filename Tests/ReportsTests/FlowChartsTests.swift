import Foundation
import Quantities
import RunLog
import Testing

@testable import Reports

/// The charts of links and flows in the page.
@Suite struct FlowChartsTests {
    @Test func `a page has the charts in their order, each with a line for each link or flow`()
        throws
    {
        let model = SampleRun().model()
        let page = HTMLReport.document(for: model, charts: nil)
        let charts = page.components(separatedBy: "data-chart=\"").dropFirst()
            .map { $0.prefix { $0 != "\"" } }
        #expect(
            charts.suffix(6) == [
                "drops-chart-data", "queueing-chart-data", "on-link-chart-data",
                "in-flight-chart-data", "round-trip-chart-data", "sequence-chart-data",
            ])
        #expect(
            try ChartData("drops-chart", in: page).labels == [
                "uplink, dropped", "downlink, dropped",
            ])
        let names = ["flow 0 up", "connection 2.1 up"]
        var named = model
        named.series.flows?[1].connection = ConnectionName(launch: 2, number: 1)
        let labels = try ChartData(
            "sequence-chart", in: HTMLReport.document(for: named, charts: nil)
        ).labels
        #expect(labels.filter { $0.hasSuffix("sent") } == names.map { "\($0), sent" })
        #expect(labels.contains("flow 0 up, retransmitted"))
    }

    @Test func `a run without packets has none`() {
        let page = HTMLReport.document(for: HandmadePackets().model(), charts: nil)
        #expect(!page.contains("Links over time") && !page.contains("Flows over time"))
    }

    @Test func `what a link holds is a reference, if it comes near`() throws {
        let terms = LinkTerms(
            name: "uplink", rate: Bitrate(bitsPerSecond: 8_000_000), delay: .milliseconds(1),
            queueLimit: ByteCount(9_000), loss: .never)
        let planned = RunEvent(at: .start, .link(.planned(link: 0, terms)))
        var packets = HandmadePackets()
        packets.send(948, at: 1)
        let near = HTMLReport.document(for: packets.model(events: [planned]), charts: nil)
        #expect(near.contains("uplink, rate × delay, 1 kB") && !near.contains("with a full queue"))
        for _ in 0..<5 { packets.send(948, at: 1) }
        let full = HTMLReport.document(for: packets.model(events: [planned]), charts: nil)
        #expect(full.contains("uplink, with a full queue, 10 kB"))
    }

    @Test func `charts of links and flows say above what they show`() {
        let page = HTMLReport.document(for: SampleRun().model(), charts: nil)
        for title in [
            "Drops, in packets per step", "Queueing delay, in seconds", "Bytes on the links",
            "Bytes in flight", "Round-trip time, in seconds", "Sequence, in bytes",
        ] {
            #expect(page.contains("<figcaption><h3>\(title)</h3><ul class=\"legend\">"), "\(title)")
        }
        // A chart alone in its section has the section's heading.
        #expect(page.contains("<figcaption><ul class=\"legend\">"))
    }

    @Test func `what is not drawn is said`() {
        var packets = HandmadePackets()
        for flow in 0..<8 as Range<UInt16> { packets.send(100, flow: flow, at: UInt64(flow)) }
        let page = HTMLReport.document(for: packets.model(), charts: nil)
        #expect(page.contains("2 more connections with fewer bytes are not drawn."))
    }

    @Test func `short times have labels of their own`() {
        var packets = HandmadePackets()
        packets.send(100, sequence: 1, at: 0)
        packets.acknowledge(101, at: 44)
        let page = HTMLReport.document(for: packets.model(), charts: nil)
        #expect(page.contains("dy=\"-4\">10 ms</text>"))
        #expect(page.contains("dy=\"-4\">40 ms</text>"))
    }
}
