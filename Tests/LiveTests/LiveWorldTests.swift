import Foundation
import Glibc
import LinkModels
import Quantities
import RunLog
import RunPlan
import Testing
import TransferEngine

@testable import Live

/// A shell plays the app: it notes its process and the path of its orders, and then misbehaves.
@Suite struct LiveWorldTests {
    private let note = FileManager.default.temporaryDirectory
        .appending(path: "app-\(UUID().uuidString)").path

    @Test func `the log begins with what live cannot do, the files and the launch`() throws {
        let (facts, _) = try play(plan(limit: .seconds(1)), app: "exec sleep 60")
        guard case .run(.limited(let what, _)) = facts.first else {
            Issue.record("nothing is said of the links")
            return
        }
        #expect(what.contains("paced to 8 Mbit/s"))
        let file = plan(limit: .zero).files[0]
        #expect(
            facts.dropFirst().prefix(2) == [
                .file(.stands(path: file.path, version: file.version, size: file.size)),
                .device(.appLaunched(launch: 1)),
            ])
        try expectNothingLeft()
    }

    @Test func `the log says that the kernel's TCP does not do what a scenario asks`() throws {
        var plan = plan(limit: .seconds(1))
        plan.tcp.controller = .bbr
        plan.tcp.security = .tls13Resumed
        let (facts, _) = try play(plan, app: "exec sleep 60")
        let limited = facts.compactMap {
            if case .run(.limited(let what, _)) = $0 { what } else { nil }
        }
        #expect(limited.contains { $0.hasPrefix("“tcp” did not apply: ") })
        #expect(limited.contains { $0.hasPrefix("each TLS handshake was a full one") })
        try expectNothingLeft()
    }

    @Test func `the log says that packets of any size passed`() throws {
        var plan = plan(limit: .seconds(1))
        plan.interfaces[0].uplink.filters = [.sizeLimit(SizeLimit(ByteCount(1_280)))]
        let (facts, _) = try play(plan, app: "exec sleep 60")
        let limited = facts.compactMap {
            if case .run(.limited(let what, _)) = $0 { what } else { nil }
        }
        #expect(limited.contains { $0.hasPrefix("“mtu” did not apply") })
        try expectNothingLeft()
    }

    @Test func `the time limit ends a run that is still busy, and its process`() throws {
        let (_, outcome) = try play(plan(limit: .seconds(1)), app: "exec sleep 60")
        #expect(outcome.ending == .limit)
        #expect(outcome.at >= .start + .seconds(1))
        try expectNothingLeft()
    }

    @Test func `an app that is killed and not launched again leaves a quiet run`() throws {
        var plan = plan(limit: .seconds(30))
        plan.timeline = [TimelineEntry(at: .start + .seconds(1), .killApp)]
        let (facts, outcome) = try play(plan, app: "exec sleep 60")
        #expect(outcome.ending == .quiet)
        #expect(facts.last == .device(.appKilled(launch: 1)))
        try expectNothingLeft()
    }

    @Test func `each launch has orders of its own`() throws {
        var plan = plan(limit: .seconds(30))
        plan.timeline = [
            TimelineEntry(at: .start + .seconds(1), .killApp),
            TimelineEntry(at: .start + .milliseconds(1_100), .launchApp),
            TimelineEntry(at: .start + .milliseconds(2_100), .killApp),
        ]
        let (facts, outcome) = try play(plan, app: "exec sleep 60")
        #expect(outcome.ending == .quiet)
        let life = facts.filter { if case .device = $0 { true } else { false } }
        #expect(
            life == [
                .device(.appLaunched(launch: 1)), .device(.appKilled(launch: 1)),
                .device(.appLaunched(launch: 2)), .device(.appKilled(launch: 2)),
            ])
        #expect(
            try notes().map { ($0.orders as NSString).lastPathComponent }
                == ["orders-1.json", "orders-2.json"])
        try expectNothingLeft()
    }

    @Test func `what is waited for is heard in this process and in the app's`() throws {
        var plan = plan(limit: .seconds(30))
        let killed = TimelineCondition(.appKilled, words: "app killed")
        let again = TimelineCondition(.done(.launchApp), words: "app launched")
        plan.timeline = [
            TimelineEntry(at: .start + .milliseconds(300), .killApp),
            TimelineEntry(.when(killed, after: .milliseconds(100), .first), .launchApp),
            TimelineEntry(.when(again, after: .milliseconds(300), .first), .killApp),
        ]
        let (facts, outcome) = try play(plan, app: "exec sleep 60")
        #expect(outcome.ending == .quiet)
        let life = facts.filter { if case .device = $0 { true } else { false } }
        #expect(
            life == [
                .device(.appLaunched(launch: 1)), .device(.appKilled(launch: 1)),
                .device(.appLaunched(launch: 2)), .device(.appKilled(launch: 2)),
            ])
        #expect(facts.contains(.run(.conditionMet("app killed"))))
        try expectNothingLeft()
    }

    @Test func `an app that breaks down ends the run, with its last words`() throws {
        let (facts, outcome) = try play(
            plan(limit: .seconds(30)), app: "echo the disk is on fire >&2; exit 3")
        #expect(outcome.ending == .crashed)
        let how = "exit status 3: the disk is on fire"
        #expect(facts.last == .device(.appCrashed(launch: 1, how: how)))
        try expectNothingLeft()
    }

    @Test func `an app that talks nonsense is an error, and nothing of the run is left`() throws {
        #expect(throws: LiveError.self) {
            try play(plan(limit: .seconds(30)), app: "echo nonsense; exec sleep 60")
        }
        try expectNothingLeft()
    }

    @Test func `a world that is let go in the middle takes everything with it`() throws {
        do {
            let world = try world(plan(limit: .seconds(30)), app: "exec sleep 60")
            var log = RunLogSink()
            while !FileManager.default.fileExists(atPath: note) {
                #expect(try world.advance(into: &log) == nil)
            }
            while try notes().isEmpty { _ = try world.advance(into: &log) }
        }
        try expectNothingLeft()
    }

    @Test func `a daemon that breaks down is an error, with its last words`() throws {
        var plan = plan(limit: .seconds(30))
        plan.app.tasks = [
            PlannedTask(session: "films", .upload("films/1.mov", to: "1.mov"))
        ]
        let how = "exit status 3: no room to breathe"
        #expect(throws: LiveError.daemonBrokeDown(phone: 0, how: how)) {
            try play(
                plan, app: "exec sleep 60", daemon: "echo no room to breathe >&2; exit 3")
        }
        try expectNothingLeft()
    }

    @Test func `a run waits for its daemon to rest, and for its apps to have heard of it`() throws {
        var plan = plan(limit: .seconds(5))
        plan.sessions = []
        plan.app.tasks = [
            PlannedTask(session: "films", .upload("films/1.mov", to: "1.mov"))
        ]
        // The parent tells a daemon one thing, that the app runs in front, and an app nothing.
        let (_, quiet) = try play(
            plan, app: "\(Self.hasHeard); exec sleep 60",
            daemon: "\(Self.rests(after: 1)); exec sleep 60")
        #expect(quiet.ending == .quiet)
        let (_, deaf) = try play(
            plan, app: "exec sleep 60",
            daemon: "\(Self.rests(after: 1)); exec sleep 60")
        #expect(deaf.ending == .limit)
        let (_, busy) = try play(
            plan, app: "\(Self.hasHeard); exec sleep 60",
            daemon: "\(Self.rests(after: 0)); exec sleep 60")
        #expect(busy.ending == .limit)
        try expectNothingLeft()
    }

    @Test(arguments: [1, 99])
    func `what is told to an app that is not there any more is told to nobody`(
        launch: UInt32
    ) throws {
        var plan = plan(limit: .seconds(3))
        plan.sessions = []
        plan.app.tasks = [
            PlannedTask(session: "films", .upload("films/1.mov", to: "1.mov"))
        ]
        let word = DaemonWord.tells(0, launch: launch, .eventsEnd(session: "films"))
        // An app that was told something does not answer that it has heard it.
        let (_, outcome) = try play(
            plan, app: "\(Self.hasHeard); exec sleep 60",
            daemon: "\(Self.says(word)); \(Self.rests(after: 1)); exec sleep 60")
        #expect(outcome.ending == (launch == 1 ? .limit : .quiet))
        try expectNothingLeft()
    }

    /// The shell's command that says a word to the parent.
    private static func says(_ word: some ProcessWord) -> String {
        "echo '\(word.line.dropLast())'"
    }

    private static let hasHeard = says(AppRequest.hasHeard(0))

    private static func rests(after count: UInt64) -> String {
        says(DaemonWord.rests(after: count))
    }

    private func plan(limit: TimeSpan) -> RunPlan {
        var plan = RunPlan.uploads(1, of: 1_000, megabits: 8)
        plan.limit = limit
        return plan
    }

    private func world(
        _ plan: RunPlan, app script: String, daemon: String = "exec sleep 60"
    ) throws -> LiveWorld {
        let shell = { (script: String) in
            ProcessCommand(
                program: "/bin/sh", arguments: ["-c", "echo $$ $0 >> \(self.note); \(script)"])
        }
        return try LiveWorld(
            LiveSetup(
                plan: plan, scenario: ScenarioText(text: "", path: ""), app: shell(script),
                daemon: shell(daemon), captureFile: nil))
    }

    private func play(
        _ plan: RunPlan, app script: String, daemon: String = "exec sleep 60"
    ) throws -> (facts: [RunEvent.Fact], outcome: LiveOutcome) {
        let world = try world(plan, app: script, daemon: daemon)
        var log = RunLogSink()
        while true {
            guard let outcome = try world.advance(into: &log) else { continue }
            #expect(log.events.map(\.at) == log.events.map(\.at).sorted())
            return (log.events.map(\.fact), outcome)
        }
    }

    private func notes() throws -> [(process: pid_t, orders: String)] {
        let text = try String(contentsOf: URL(filePath: note), encoding: .utf8)
        return try text.split(separator: "\n").map { line in
            let words = line.split(separator: " ")
            return (try #require(pid_t(words[0])), String(words[1]))
        }
    }

    private func expectNothingLeft() throws {
        let notes = try notes()
        #expect(!notes.isEmpty)
        for (process, orders) in notes {
            #expect(kill(process, 0) == -1 && errno == ESRCH, "process \(process) is left")
            let folder = (orders as NSString).deletingLastPathComponent
            #expect(!FileManager.default.fileExists(atPath: folder), "\(folder) is left")
        }
        try FileManager.default.removeItem(atPath: note)
    }
}
