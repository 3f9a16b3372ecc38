import Foundation
import Quantities
import Reports
import RunLog
import Scenario
import Testing

@testable import Runs

/// Whatever a phone does to its app, and whenever: the invariants hold, and the uploads arrive.
@Suite struct PhoneLifeTests {
    /// Moments from the handshake to the last byte and beyond.
    static let moments: [UInt64] = (0...40).map { 3_000_000 + $0 * 27_345_678 }

    static let courses: [(system: String, course: [(after: UInt64, what: String)])] = [
        ("ios-17", [(0, "app to background"), (60, "app to foreground")]),
        ("ios-17, background-task: off", [(0, "app to background"), (60, "app to foreground")]),
        ("ios-17", [(0, "app to background"), (0, "app to foreground")]),
        ("android-14", [(0, "app to background"), (1, "memory pressure"), (2, "app launched")]),
        ("ios-17", [(0, "screen locked"), (1, "phone reboots"), (2, "app to foreground")]),
        ("ios-17", [(0, "power lost"), (1, "power back"), (40, "app to foreground")]),
        ("ios-17", [(0, "app force-quit"), (5, "app launched")]),
        ("ios-9", [(0, "app updated"), (5, "app launched")]),
        (
            "ios-17",
            [(0, "app crashes"), (1, "app woken by the system"), (50, "app to foreground")]
        ),
        (
            "android-14",
            [(0, "app to background"), (0, "doze begins"), (60, "app to foreground")]
        ),
        ("ios-17", [(0, "clock jumps 2 h ahead"), (1, "clock jumps 4 h back")]),
    ]

    static func text(
        _ system: String, _ course: [(after: UInt64, what: String)], from start: UInt64
    ) -> String {
        let entries = course.map { entry in
            "  - \(start + entry.after * 1_000_000_000) ns: \(entry.what)\n"
        }
        return KilledAnywhereTests.text
            .replacing("links:", with: "device: { os: \(system) }\nlinks:")
            .replacing("within 10 s", with: "within 100 s")
            + "timeline:\n" + entries.joined()
    }

    @Test(arguments: courses.indices)
    func `at any moment it ends well`(index: Int) throws {
        let (system, course) = Self.courses[index]
        for moment in Self.moments {
            let text = Self.text(system, course, from: moment)
            let model = try SimulatedRun(Scenario.read(text: text, path: "phone.yaml"))
                .play(into: nil)
            #expect(
                model.judgement.isGreen,
                """
                \(model.judgement.sentence); reproduce with: ./lab run phone.yaml, where that is
                \(text)
                """)
        }
    }

    /// What was queued is gone and owed nothing; what the app queues anew has numbers of its own.
    @Test func `cleared at any moment, the app begins as on its first day`() throws {
        for moment in Self.moments {
            let text = Self.text(
                "android-9", [(0, "app data cleared"), (5, "app launched")], from: moment
            ).split(separator: "\n").filter { !$0.contains("completes") && $0 != "expect:" }
                .joined(separator: "\n")
            let model = try SimulatedRun(Scenario.read(text: text, path: "phone.yaml"))
                .play(into: nil)
            #expect(model.judgement.isGreen, "\(model.judgement.sentence) in \n\(text)")
            #expect(model.figures.sessions.suffix(2).allSatisfy { $0.outcome == .completed })
        }
    }

    /// Where the time in the background is too short for the upload.
    @Test(arguments: ["ios-17", "ios-17, background-task: off"])
    func `at any moment of a slow upload it is stopped in time, and goes on`(
        system: String
    ) throws {
        for moment in (0...40).map({ UInt64($0) * 1_100_000_000 }) {
            let text = Self.text(
                system, [(0, "app to background"), (60, "app to foreground")], from: moment
            ).replacing("10 Mbit/s", with: "100 kbit/s").replacing("100 s", with: "200 s")
            let model = try SimulatedRun(Scenario.read(text: text, path: "phone.yaml"))
                .play(into: nil)
            #expect(model.judgement.isGreen, "\(model.judgement.sentence) in \n\(text)")
        }
    }

    /// S13: what is suspended says nothing, and goes on where it stood still.
    @Test func `a suspended app does nothing until it goes on`() throws {
        let text = Self.text(
            "ios-17, background-task: off",
            [(0, "app to background"), (60, "app to foreground")], from: 200_000_000
        ).replacing("a.bin: 500 kB", with: "a.bin: 20 MB")
        let events = try PlayedRun(Scenario.read(text: text, path: "phone.yaml")).events()
        let stages = events.compactMap { event -> (RunEvent, AppStage)? in
            guard case .device(.appEntered(_, let stage, _)) = event.fact else { return nil }
            return (event, stage)
        }
        #expect(stages.map(\.1) == [.active, .background, .suspended, .active])
        let from = try #require(events.firstIndex(of: stages[2].0))
        let to = try #require(events.firstIndex(of: stages[3].0))
        #expect(events[to].at == .start + .milliseconds(60_200))
        let between = events[(from + 1)..<to].filter { event in
            switch event.fact {
            case .queue, .engine, .store: true
            default: false
            }
        }
        #expect(between == [])
        let later = events[to...].contains { if case .queue = $0.fact { true } else { false } }
        #expect(later)
    }

    @Test func `a phone without power is silent, and nobody is told`() throws {
        let text = Self.text(
            "ios-17", [(0, "power lost"), (1, "power back"), (40, "app to foreground")],
            from: 200_000_000)
        let events = try PlayedRun(Scenario.read(text: text, path: "phone.yaml")).events()
        let ends = events.filter {
            if case .connection(.ended(_, .processDied, _)) = $0.fact { true } else { false }
        }
        #expect(ends.map(\.at) == [.start + .milliseconds(200)])
        let heard = events.filter {
            if case .server(.appendEnded) = $0.fact { true } else { false }
        }
        // The server learns of it when the phone is back and asks again.
        #expect(heard.allSatisfy { $0.at > .start + .seconds(30) })
    }
}
