import Content
import Foundation
import Quantities
import RunLog
import Testing

/// The whole program plays for real: what an app has the system do is done by a process of its own.
@Suite struct PlayedTasksTests {
    private let task = ItemName(1, of: .background)

    @Test func `a task goes on without its app, which is started to hear of its end`() throws {
        let play = try LivePlay(
            """
            name: killed while the system uploads for it
            why: a task is the system's business, whatever becomes of the app
            device: { os: ios-17 }
            links:
              uplink: { rate: 4 Mbit/s, delay: 5 ms, queue: 50 kB }
              downlink: { rate: 4 Mbit/s, delay: 5 ms, queue: 50 kB }
            files: { video.mov: 1 MB }
            background:
              - upload: video.mov
                to: video.mov
                session: films
            timeline:
              - 500 ms after task 1 starts: app crashes
            expect:
              - video.mov holds video.mov
              - task 1 is told within 10 s
            """)
        try play.begin()
        try play.endsGreen()
        let facts = try play.events().map(\.fact)
        #expect(facts.contains(.device(.appKilled(launch: 1, why: .crash))))
        // One undisturbed attempt.
        #expect(openings(in: facts) == ["connection 1 of the daemon"])
        let told = facts.drop { $0 != .device(.appLaunched(launch: 2, by: .system)) }.filter {
            if case .background = $0 { true } else { false }
        }
        #expect(
            told.filter { $0 != .background(.woken) } == [
                .background(.handleEvents(session: "films")),
                .background(.callback(task, .didComplete(.answered(status: 201)))),
                .background(.didFinishEvents(session: "films")),
                .background(.handlerCalled(session: "films")),
            ])
        #expect(try play.leftovers() == [])
    }

    @Test func `who throws an app out has its tasks cancelled, and is told so later`() throws {
        let play = try LivePlay(
            """
            name: thrown out while the system uploads for it
            why: at its next launch the app hears that its task was cancelled
            device: { os: ios-17 }
            links:
              uplink: { rate: 2 Mbit/s, delay: 5 ms, queue: 50 kB }
              downlink: { rate: 2 Mbit/s, delay: 5 ms, queue: 50 kB }
            files: { video.mov: 1 MB }
            background:
              - upload: video.mov
                to: video.mov
            timeline:
              - 500 ms after task 1 starts: app force-quit
              - 6 s: app to foreground
            expect:
              - task 1 is cancelled
              - task 1 fails within 5 s
              - task 1 is told within 10 s
            """)
        try play.begin()
        try play.endsGreen()
        let facts = try play.events().map(\.fact)
        let launches = facts.filter {
            if case .device(.appLaunched) = $0 { true } else { false }
        }
        #expect(
            launches == [.device(.appLaunched(launch: 1)), .device(.appLaunched(launch: 2))])
        #expect(
            !facts.contains { if case .server(.published) = $0 { true } else { false } })
        #expect(try play.leftovers() == [])
    }

    @Test func `a restart of the phone ends the daemon, and its tasks go on after it`() throws {
        let play = try LivePlay(
            """
            name: restarted in the middle of an upload and a download
            why: the system keeps its tasks, and what it has of a download is not fetched again
            device: { os: ios-17 }
            links:
              uplink: { rate: 8 Mbit/s, delay: 5 ms, queue: 50 kB }
              downlink: { rate: 1 Mbit/s, delay: 5 ms, queue: 50 kB }
            files: { video.mov: 1 MB, later.mov: 6 MB }
            background:
              - upload: video.mov
                to: video.mov
              - download: video.mov
                resumed: no
              - upload: later.mov
                to: later.mov
                session: night
            background-sessions: { night: { discretionary: yes } }
            timeline:
              - 0 s: charger connected
              - when task 1 completes: task 2 is resumed
              - 5 s: phone reboots
            expect:
              - task 2 completes after 35 s
              - task 2 is answered 206
              - later.mov is published once
            """)
        try play.begin()
        try play.endsGreen()
        let facts = try play.events().map(\.fact)
        let resumed = facts.compactMap { fact -> ByteCount? in
            if case .engine(.resumes(_, _, let at)) = fact { at } else { nil }
        }
        #expect(resumed.count == 1)
        #expect(resumed.allSatisfy { $0 > ByteCount(30_000) && $0 < ByteCount(1_000_000) })
        let whole = ContentRange(
            FileVersion(file: 1, edit: 0), offset: .zero, length: ByteCount(1_000_000))
        #expect(
            facts.contains {
                if case .file(.downloaded(_, "video.mov", [whole])) = $0 { true } else { false }
            })
        #expect(openings(in: facts) == (1...5).map { "connection \($0) of the daemon" })
        let dead = facts.compactMap { fact -> ConnectionName? in
            if case .connection(.ended(let name, .processDied, _)) = fact { name } else { nil }
        }
        #expect(dead == [ConnectionName(launch: 0, number: 2)])
        #expect(facts.contains(.device(.appLaunched(launch: 2, by: .system))))
        #expect(try play.leftovers() == [])
    }

    @Test func `a disk that takes nothing stops a download, which goes on once it does`() throws {
        let play = try LivePlay(
            """
            name: no room in the middle of a download
            why: what has come stays, and the rest is fetched when there is room for it
            device: { os: ios-17 }
            links:
              uplink: { rate: 20 Mbit/s, delay: 5 ms, queue: 50 kB }
              downlink: { rate: 2 Mbit/s, delay: 5 ms, queue: 50 kB }
            files: { video.mov: 2 MB }
            background:
              - upload: video.mov
                to: video.mov
              - download: video.mov
                resumed: no
            timeline:
              - when task 1 completes: task 2 is resumed
              - 4 s: disk writes fail
              - 5 s: disk writes work again
            expect:
              - task 2 is answered 206
            """)
        try play.begin()
        try play.endsGreen()
        let facts = try play.events().map(\.fact)
        let errors = facts.compactMap { fact -> Int? in
            if case .engine(.fails(_, let code, _, _)) = fact { code } else { nil }
        }
        #expect(errors == [-3003])
        let whole = ContentRange(
            FileVersion(file: 1, edit: 0), offset: .zero, length: ByteCount(2_000_000))
        #expect(
            facts.contains {
                if case .file(.downloaded(_, "video.mov", [whole])) = $0 { true } else { false }
            })
        #expect(try play.leftovers() == [])
    }

    @Test func `what may not use cellular sends nothing there, and goes on over Wi-Fi`() throws {
        let play = try LivePlay(
            """
            name: a task for Wi-Fi only
            why: what the user has forbidden costs him nothing
            device: { os: ios-17 }
            links:
              wifi: { profile: apple-wifi }
              cellular: { profile: apple-lte }
            files: { video.mov: 16 MB }
            background:
              - upload: video.mov
                to: video.mov
                cellular: no
            timeline:
              - 2 s: wifi lost
              - 4 s: wifi back
            expect:
              - video.mov holds video.mov
              - task 1 completes after 4 s
              - at most 0 B over cellular
            """)
        try play.begin()
        try play.endsGreen()
        let facts = try play.events().map(\.fact)
        let interfaces = facts.compactMap { fact -> UInt16? in
            if case .connection(.bound(_, let interface)) = fact { interface } else { nil }
        }
        #expect(interfaces == [0, 0])
        #expect(
            facts.contains {
                if case .engine(.waitsForNetwork(task, _)) = $0 { true } else { false }
            })
        #expect(try play.leftovers() == [])
    }

    @Test func `each phone has a daemon of its own, which tells its connections apart`() throws {
        let play = try LivePlay(twoPhones(kilobytes: 100))
        try play.begin()
        try play.endsGreen()
        #expect(
            Set(openings(in: try play.events().map(\.fact))) == [
                "connection 1 of the daemon", "connection 1000001 of the daemon",
            ])
        #expect(try play.leftovers() == [])
    }

    @Test func `a run that is compared says what both worlds have told of each task`() throws {
        let play = try LivePlay(twoPhones(kilobytes: 50), options: ["--compare"])
        try play.begin()
        try play.endsGreen()
        let texts = try play.texts(named: "comparison.txt")
        #expect(texts.count == 1)
        for task in ["Task 1", "Task 2"] {
            #expect(texts.allSatisfy { $0.contains("\n\(task): the same 1 events.") }, "\(texts)")
        }
    }

    @Test func `an interruption ends the daemons, too`() throws {
        let play = try LivePlay(twoPhones(kilobytes: 9_000))
        try play.begin()
        try play.wait {
            try play.leftovers().count { $0.hasSuffix("/tasks.sqlite") } == 2
        }
        #expect(try play.processes().count == 4)
        play.interrupt()
        #expect(try play.end() == 2)
        #expect(try play.processes() == [])
        #expect(try play.leftovers() == [])
    }

    private func twoPhones(kilobytes: Int) -> String {
        """
        name: two phones
        why: each has the system do something
        device: { os: ios-17 }
        devices:
          tablet:
            os: ios-16
            apps:
              drawing:
                files: { sketch.mov: \(kilobytes) kB }
                background:
                  - upload: sketch.mov
                    to: sketch.mov
        links:
          uplink: { rate: 1 Mbit/s, delay: 5 ms, queue: 50 kB }
          downlink: { rate: 1 Mbit/s, delay: 5 ms, queue: 50 kB }
        files: { video.mov: \(kilobytes) kB }
        background:
          - upload: video.mov
            to: video.mov
        expect:
          - video.mov is published once
          - sketch.mov is published once
        """
    }

    /// The connections that were opened, in their order.
    private func openings(in facts: [RunEvent.Fact]) -> [String] {
        facts.compactMap { fact in
            if case .connection(.opening(let name, _, _)) = fact { "\(name)" } else { nil }
        }
    }
}
