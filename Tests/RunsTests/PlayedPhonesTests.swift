import Quantities
import Reports
import RunLog
import Scenario
import Testing

@testable import Runs

/// Phones with networks of their own, played in the virtual world.
@Suite struct PlayedPhonesTests {
    private static func play(_ timeline: [String], size: String = "4 MB", limits: String = "")
        throws -> PlayedRun
    {
        let text = """
            name: two phones
            why: the networks of two phones are two
            device: { os: ios-17 }
            links: { wifi: { profile: apple-wifi }, cellular: { profile: apple-lte } }
            files: { a.mov: 4 MB }
            queue: [{ upload: a.mov, to: in/a.mov }]
            devices:
              tablet:
                os: ios-17
                links: { wifi: { profile: apple-wifi }, cellular: { profile: apple-3g } }
                apps:
                  other:
                    files: { b.mov: \(size), c.mov: 1 MB }
                    queue:
                      - { upload: b.mov, to: in/b.mov }
                      - { upload: c.mov, to: in/c.mov\(limits) }
            limit: 30 min
            timeline:
            \(timeline.map { "  - \($0)\n" }.joined())
            """
        return try PlayedRun(Scenario.read(text: text, path: "phones.yaml"))
    }

    private static func paths(of device: UInt16?, in run: PlayedRun) throws -> [PathTerms] {
        try run.events().compactMap { event in
            if case .network(.path(let terms, device)) = event.fact { terms } else { nil }
        }
    }

    @Test func `what happens to one phone's network is told to its apps alone`() throws {
        let run = try Self.play(["500 ms: wifi lost on tablet"])
        #expect(run.model.judgement.isGreen, "\(run.model.judgement)")
        #expect(try Self.paths(of: nil, in: run).map(\.interface) == [0])
        let told = try Self.paths(of: 2, in: run)
        #expect(told.map(\.interface) == [2, nil, 3])
        #expect(told.allSatisfy { $0.apps == [2] })
        let lost = try run.events().filter {
            if case .connection(.ended(_, .networkLost, _)) = $0.fact { true } else { false }
        }
        #expect(lost.map(\.app) == [2])
    }

    @Test func `connections of each go over its own interfaces`() throws {
        let run = try Self.play([
            "500 ms: wifi lost on tablet", "600 ms: airplane mode on",
            "5 s: airplane mode off",
        ])
        #expect(run.model.judgement.isGreen, "\(run.model.judgement)")
        for event in try run.events() {
            guard case .connection(.bound(_, let interface)) = event.fact else { continue }
            #expect((event.app == 2 ? [2, 3] : [0, 1]).contains(interface), "\(event)")
        }
        let figures = try #require(run.model.figures.interfaces)
        #expect(figures.map(\.device) == [nil, nil, 2, 2])
        #expect(figures.map(\.name) == ["Wi-Fi", "cellular", "Wi-Fi", "cellular"])
        #expect(figures[1].sent.packets == 0 && figures[3].sent.packets > 0)
        #expect(figures[3].radio?.promotions == 1)
        let report = String(decoding: try run.data(of: "report.html"), as: UTF8.self)
        #expect(report.contains("cellular of “tablet”"))
        #expect(report.contains(">“other”<") && report.contains("network of “tablet”"))
        #expect(report.contains("“other”: launch 2 of the app"))
        #expect(report.contains("apps of “tablet” are told: the network is cellular"))
        #expect(!report.contains("phone 2") && !report.contains("App 2"), "\(report)")
    }

    @Test func `a session that waits on one phone owes nothing when another's network changes`()
        throws
    {
        let run = try Self.play(
            [
                "50 ms: wifi lost on tablet", "20 s: airplane mode on", "25 s: airplane mode off",
                "30 s: app killed", "35 s: app launched", "40 s: wifi back on tablet",
            ], size: "400 kB", limits: ", network: wifi only")
        #expect(run.model.judgement.isGreen, "\(run.model.judgement)")
        #expect(run.model.figures.completed == 3)
    }

    @Test func `a healing gives all phones their networks back`() throws {
        let run = try Self.play([
            "500 ms: network lost on tablet", "600 ms: airplane mode on",
            "20 s: healing",
        ])
        #expect(run.model.judgement.isGreen, "\(run.model.judgement)")
        #expect(run.model.figures.completed == 3)
    }
}
