import Capture
import Content
import Foundation
import Quantities
import RunLog
import Testing
import TransferHost

/// The whole program plays for real: its app is a process of its own, and is really killed.
@Suite struct PlayedForRealTests {
    @Test func `an app that is killed in the middle goes on after its next launch`() throws {
        let play = try LivePlay(
            """
            name: killed in the middle
            why: an upload goes on where the server is
            links:
              uplink: { rate: 4 Mbit/s, delay: 5 ms, queue: 50 kB }
              downlink: { rate: 4 Mbit/s, delay: 5 ms, queue: 50 kB }
            files:
              video.mov: 1 MB
            queue:
              - upload: video.mov
                to: incoming/video.mov
            server: { faults: { spare: { do: answer 500, starts: off } } }
            timeline:
              - 1 s: app killed
              - 1500 ms: app launched
            expect:
              - session 1 resumes once
              - at most 1 MB sent again
              - incoming/video.mov is published once
            """)
        try play.begin()
        try play.endsGreen()
        let model = try #require(try play.texts(named: "run.json").first)
        #expect(model.contains("the fault “spare” was never switched on"))
        let facts = try play.events().map(\.fact)
        #expect(facts.filter { $0 == .device(.appKilled(launch: 1)) }.count == 1)
        let size = ByteCount(1_000_000)
        let resumed = facts.compactMap { fact -> ByteCount? in
            if case .engine(.resumes(_, _, let at)) = fact { at } else { nil }
        }
        #expect(resumed.count == 1)
        #expect(resumed.allSatisfy { $0 > ByteCount(250_000) && $0 < size })
        let died = facts.compactMap { fact -> ByteCount? in
            if case .connection(.ended(_, .processDied, let sent)) = fact { sent } else { nil }
        }
        #expect(died.count == 1)
        #expect(zip(died, resumed).allSatisfy { $0 > $1 })
        let whole = [ContentRange(FileVersion(file: 1, edit: 0), offset: .zero, length: size)]
        #expect(
            facts.contains {
                if case .server(.published(_, "incoming/video.mov", 1, whole)) = $0 {
                    true
                } else {
                    false
                }
            })
        try checkCapture(of: play, facts, atLeast: size)
        #expect(try play.leftovers() == [])
    }

    @Test func `an app behind is suspended by a signal, and goes on where it stood still`() throws {
        let play = try LivePlay(
            """
            name: suspended in the middle
            why: a process that stands still says nothing and loses nothing
            device: { os: ios-17, background-task: off }
            links:
              uplink: { rate: 1 Mbit/s, delay: 5 ms, queue: 50 kB }
              downlink: { rate: 1 Mbit/s, delay: 5 ms, queue: 50 kB }
            files:
              video.mov: 1 MB
            queue:
              - upload: video.mov
                to: incoming/video.mov
            timeline:
              - 500 ms: app to background
              - 6500 ms: app updated
              - 6600 ms: app launched
            expect:
              - session 1 resumes once
              - incoming/video.mov is published once
            """)
        try play.begin()
        try play.endsGreen()
        let events = try play.events()
        let stages = events.compactMap { event -> AppStage? in
            if case .device(.appEntered(_, let stage, _)) = event.fact { stage } else { nil }
        }
        #expect(stages == [.active, .background, .suspended, .active])
        let from = events.firstIndex {
            if case .device(.appEntered(_, .suspended, _)) = $0.fact { true } else { false }
        }
        let to = events.firstIndex { $0.fact == .device(.appKilled(launch: 1, why: .update)) }
        let between = events[try #require(from)..<(try #require(to))].filter {
            if case .queue = $0.fact { true } else { false }
        }
        #expect(between == [])
        #expect(try play.leftovers() == [])
    }

    @Test func `a file that is edited under its upload goes up whole, in its new version`() throws {
        let play = try LivePlay(
            """
            name: edited in the middle
            why: bytes of two versions are never joined
            links:
              uplink: { rate: 8 Mbit/s, delay: 5 ms, queue: 50 kB }
              downlink: { rate: 8 Mbit/s, delay: 5 ms, queue: 50 kB }
            files:
              video.mov: 2 MB
            queue:
              - upload: video.mov
                to: incoming/video.mov
            timeline:
              - 1 s: video.mov replaced by 3 MB
            expect:
              - incoming/video.mov is published once
            """)
        try play.begin()
        try play.endsGreen()
        let facts = try play.events().map(\.fact)
        let edited = FileVersion(file: 1, edit: 1)
        let whole = [ContentRange(edited, offset: .zero, length: ByteCount(3_000_000))]
        let published = facts.compactMap { fact -> [ContentRange]? in
            if case .server(.published(_, _, _, let content)) = fact { content } else { nil }
        }
        #expect(published == [whole])
        #expect(try play.leftovers() == [])
    }

    @Test func `a file that was edited before the app's data was cleared stays edited`() throws {
        let play = try LivePlay(
            """
            name: cleared after an edit
            why: what the app kept is gone, what the user edited is not
            device: { os: android-14 }
            links:
              uplink: { rate: 2 Mbit/s, delay: 5 ms, queue: 50 kB }
              downlink: { rate: 2 Mbit/s, delay: 5 ms, queue: 50 kB }
            files:
              video.mov: 1 MB
            queue:
              - upload: video.mov
                to: incoming/video.mov
            timeline:
              - 500 ms: video.mov replaced by 300 kB
              - 600 ms: app data cleared
              - 700 ms: app launched
            expect:
              - incoming/video.mov holds video.mov
            """)
        try play.begin()
        try play.endsGreen()
        #expect(try play.leftovers() == [])
    }

    @Test func `an interruption ends a run at once, and everything that belongs to it`() throws {
        let play = try LivePlay(
            """
            name: interrupted
            why: nothing may be left behind
            links:
              uplink: { rate: 1 Mbit/s, delay: 5 ms, queue: 50 kB }
              downlink: { rate: 1 Mbit/s, delay: 5 ms, queue: 50 kB }
            files:
              video.mov: 10 MB
            queue:
              - upload: video.mov
                to: incoming/video.mov
            expect:
              - incoming/video.mov is published once
            """)
        try play.begin()
        try play.wait { try play.leftovers().contains { $0.hasSuffix("queue.sqlite") } }
        #expect(try play.processes().count == 1)
        play.interrupt()
        #expect(try play.end() == 2)
        #expect(try play.processes() == [])
        #expect(try play.leftovers() == [])
    }

    /// The capture is complete; without the right to capture, the log says so.
    private func checkCapture(
        of play: LivePlay, _ facts: [RunEvent.Fact], atLeast size: ByteCount
    ) throws {
        let isMissing = facts.contains {
            guard case .run(.limited(let what, let remedy)) = $0 else { return false }
            return what.hasPrefix("nothing was captured") && remedy.contains("setcap")
        }
        guard !isMissing else { return }
        let reader = try CaptureReader(path: play.capture)
        var sent = 0
        while let frame = try reader.next() {
            let packet = try TCPFrame(
                parsing: frame.bytes, originalLength: frame.originalLength, link: reader.link)
            sent += packet.payload
        }
        #expect(sent > Int(size.bytes))
    }
}
