import Foundation
import Quantities
import Reports
import RunLog
import Testing

@Suite struct PacketSectionTests {
    @Test func `each link tells what became of its packets`() {
        var count = LinkCount()
        for _ in 0..<9 { count.sent.add(bytes: 1_500) }
        for _ in 0..<6 { count.dropped.add(bytes: 1_500) }
        var drops = LinkCount.Drops()
        (drops.lost, drops.tooLarge, drops.byQueue) = (1, 2, 3)
        count.drops = drops
        var collector = Self.collector()
        collector.read(RunEvent(at: .start, .link(.counted(link: 0, count))))
        let page = Self.page(of: ReportModel(collector, verdicts: [], digest: ""))
        for (column, value) in [
            ("Sent", 9), ("Lost on the way", 1), ("Too large", 2),
            ("Dropped by queue or policer", 3),
        ] {
            #expect(page.contains("<th scope=\"row\">\(column)</th><td>\(value)</td>"), "\(page)")
        }
    }

    @Test func `an acknowledgement that says nothing new is a duplicate`() {
        let words: [(acknowledgement: UInt32, payload: UInt16)] = [
            (1, 0), (100, 0), (100, 0), (100, 40), (100, 0), (200, 0), (200, 0),
        ]
        let records = words.enumerated().map { order, word in
            PacketRecord(
                atNanoseconds: UInt64(order), kind: .sent, packet: UInt32(order), link: 1, flow: 0,
                size: 52 + word.payload, payload: word.payload, sequence: 7,
                acknowledgement: word.acknowledgement, flags: .ack)
        }
        var collector = Self.collector()
        records.withUnsafeBufferPointer { collector.read(packets: $0) }
        let model = ReportModel(collector, verdicts: [], digest: "")
        #expect(model.figures.links.map(\.duplicateAcknowledgements) == [3])
    }

    @Test func `captures are linked with the place where they were taken, or offered`() {
        var collector = Self.collector()
        collector.read(RunEvent(at: .start, .link(.counted(link: 0, LinkCount()))))
        var model = ReportModel(collector, verdicts: [], digest: "")
        model.captureFiles = [.init(name: "capture.pcap", place: "the client")]
        let words = "<a href=\"capture.pcap\">capture.pcap</a>: every packet as seen at the client"
        #expect(HTMLReport.document(for: model, charts: nil).contains(words))
    }

    private static func collector() -> FigureCollector {
        var collector = FigureCollector()
        collector.read(RunEvent(at: .start, .run(.began(SampleRun().beginning))))
        return collector
    }

    /// The section alone.
    private static func page(of model: ReportModel) -> String {
        let page = HTMLReport.document(for: model, charts: nil)
        return page.components(separatedBy: "<section id=\"packets\"").last ?? ""
    }
}
