import Content
import Quantities
import RunLog
import Testing
import TransferHost

/// The processes of a phone meet the trouble of its disk.
@Suite struct FullDiskForRealTests {
    private static func scenario(
        _ timeline: [String], _ files: [String], disk capacity: String = "64 MB"
    ) -> String {
        """
        name: a disk in trouble
        why: what cannot be stored is tried again
        device: { os: android-14, disk: \(capacity) }
        links:
          uplink: { rate: 8 Mbit/s, delay: 5 ms, queue: 50 kB }
          downlink: { rate: 8 Mbit/s, delay: 5 ms, queue: 50 kB }
        files:
        \(files.map { "  \($0): 1 MB" }.joined(separator: "\n"))
        queue:
        \(files.map { "  - { upload: \($0), to: in/\($0) }" }.joined(separator: "\n"))
        timeline:
        \(timeline.map { "  - \($0)" }.joined(separator: "\n"))
        """
    }

    @Test func `an upload whose beginning cannot be stored waits until the disk takes it`() throws {
        let play = try LivePlay(
            Self.scenario(
                [
                    // By then the store has kept the beginning of session 1.
                    "when session 1 at 30 %: disk writes fail",
                    "100 ms after session 1 at 30 %: a.bin touched",
                    "100 ms after session 2 retries: disk writes work again",
                ], ["a.bin", "b.bin"]))
        try play.begin()
        try play.endsGreen()
        let facts = try play.events().map(\.fact)
        let failures = facts.compactMap { fact -> (ItemName, Int)? in
            if case .engine(.fails(let session, let code, _, _)) = fact {
                (session, code)
            } else {
                nil
            }
        }
        #expect(failures.map(\.0) == [ItemName(2)])
        #expect(failures.map(\.1) == [36])
        #expect(facts.contains { if case .store(.failed) = $0 { true } else { false } })
        #expect(facts.contains(.file(.kept(path: "a.bin", because: "the disk takes no write"))))
        let published = facts.compactMap { fact -> String? in
            if case .server(.published(_, let object, _, _)) = fact { object } else { nil }
        }
        #expect(published == ["in/a.bin", "in/b.bin"])
        let limits = facts.compactMap { fact -> String? in
            if case .run(.limited(let what, _)) = fact { what } else { nil }
        }
        #expect(!limits.contains { $0.contains("disk") })
        #expect(try play.leftovers() == [])
    }

    @Test func `a file grows as far as its phone has room, and what cannot be read waits`() throws {
        let play = try LivePlay(
            Self.scenario(
                [
                    "when session 1 at 5 %: b.bin grows by 2 MB",
                    "when session 1 at 10 %: b.bin grows by 500 kB",
                    // By then the store has kept the session's beginning, for which it reads too.
                    "when session 1 at 30 %: disk reads fail",
                    "1 s after session 1 at 30 %: disk reads work again",
                ], ["a.bin", "b.bin"], disk: "3 MB"))
        try play.begin()
        try play.endsGreen()
        let facts = try play.events().map(\.fact)
        let refusal = "the disk has no room for more"
        #expect(facts.contains(.file(.kept(path: "b.bin", because: refusal))))
        let failures = facts.compactMap { fact -> Int? in
            if case .engine(.fails(_, let code, _, _)) = fact { code } else { nil }
        }
        #expect(failures == [35])
        let published = facts.compactMap { fact -> String? in
            if case .server(.published(_, let object, _, let content)) = fact {
                "\(object) \(content.reduce(0) { $0 + $1.length.bytes })"
            } else {
                nil
            }
        }
        #expect(published == ["in/a.bin 1000000", "in/b.bin 1500000"])
        #expect(try play.leftovers() == [])
    }

    @Test(arguments: [("disk full", "healing within 1 min"), ("disk writes fail", "healing")])
    func `an app that cannot make its store crashes at its launch, and comes up later`(
        trouble: String, healing: String
    ) throws {
        let play = try LivePlay(
            Self.scenario(
                [
                    "when session 1 at 5 %: app data cleared",
                    "100 ms after session 1 at 5 %: \(trouble)",
                    "200 ms after session 1 at 5 %: app launched",
                    "4 s: \(healing)", "4100 ms: app launched",
                ], ["a.bin"]))
        try play.begin()
        try play.endsGreen()
        let facts = try play.events().map(\.fact)
        let crashes = facts.compactMap { fact -> UInt32? in
            if case .device(.appCrashed(let launch, _)) = fact { launch } else { nil }
        }
        #expect(crashes == [2])
        let opened = facts.compactMap { fact -> UInt32? in
            if case .store(.opened(let launch, _, _)) = fact { launch } else { nil }
        }
        #expect(opened == [1, 3])
        #expect(
            facts.contains {
                if case .server(.published(_, "in/a.bin", _, _)) = $0 { true } else { false }
            })
        #expect(try play.leftovers() == [])
    }
}
