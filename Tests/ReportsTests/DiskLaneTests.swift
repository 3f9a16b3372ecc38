import Quantities
import Reports
import RunLog
import Testing

@Suite struct DiskLaneTests {
    @Test func `the timeline shows what is wrong with a disk, and since when`() throws {
        let steps: [(Int64, DiskStep)] = [
            (1, .full), (3, .readsFail), (4, .hasSpace), (6, .readsWork), (8, .writesFail),
        ]
        var facts = steps.map { ($0.0, RunEvent.Fact.device(.disk($0.1))) }
        facts.append((9, .device(.disk(.full, device: 2))))
        facts.append((10, .run(.ended(.quiet))))
        var collector = FigureCollector()
        let beginning = RunBeginning(
            scenario: "disk", world: .simulated, seed: 1, text: "", path: "", sentences: [],
            sessions: 0, names: RunNames(phones: ["tablet"]), command: "")
        collector.read(RunEvent(at: .start, .run(.began(beginning))))
        for (second, fact) in facts {
            collector.read(RunEvent(at: .start + .seconds(second), fact))
        }
        let lanes = ReportModel(collector, verdicts: [], digest: "").timeline.lanes
            .filter { $0.kind == .disk }
        #expect(lanes.map(\.title) == ["Disk", "Disk of “tablet”"])
        let spans = lanes.map { lane in
            lane.spans.map { span in
                [span.from, span.to].map { "\($0.nanoseconds / 1_000_000_000)" }
                    .joined(separator: "–") + " \(span.label)"
            }
        }
        #expect(
            spans == [
                ["1–3 full", "3–4 full, reads fail", "4–6 reads fail", "8–10 writes fail"],
                ["9–10 full"],
            ])
    }
}
