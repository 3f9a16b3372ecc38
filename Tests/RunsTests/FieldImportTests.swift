import Foundation
import Quantities
import Scenario
import Testing

@testable import Runs

@Suite struct FieldImportTests {
    @Test func `a log becomes a draft that can be played, and says what it left out`() throws {
        let draft = try Self.draft([
            #"{"time": "2026-11-20T08:15:00Z", "event": "device", "os": "ios-16"}"#,
            #"{"time": "2026-11-20T08:15:00.500Z", "event": "app", "state": "launched"}"#,
            #"{"time": "2026-11-20T08:15:01Z", "event": "network", "interface": "wifi", "#
                + #""up_kbps": 9000, "rtt_ms": 30, "loss_percent": 0.5}"#,
            #"{"time": "2026-11-20T08:15:02Z", "event": "file", "path": "/a/Documents/b/c.mov", "#
                + #""size": 3000000}"#,
            #"{"time": "2026-11-20T08:15:02Z", "event": "enqueue", "#
                + #""source": "/a/Documents/b/c.mov", "destination": "in/c.mov"}"#,
            #"{"time": "2026-11-20T08:15:04Z", "event": "network", "interface": "none"}"#,
            #"{"time": "2026-11-20T08:15:06Z", "event": "network", "interface": "wifi"}"#,
            #"{"time": "2026-11-20T08:15:07Z", "event": "app", "state": "background"}"#,
            #"{"time": "2026-11-20T08:15:08Z", "event": "response", "status": 500}"#,
            #"{"time": "2026-11-20T08:15:09Z", "event": "app", "state": "foreground"}"#,
            #"{"time": "2026-11-20T08:15:20Z", "event": "result", "session": 1, "#
                + #""outcome": "completed"}"#,
        ])
        #expect(
            draft.text == """
                # A draft from a.jsonl: look at what was assumed, then at `expect`.
                name: from a.jsonl
                why: what happened on a phone in the field happens here again
                tags: [field]
                device: { os: ios-16 }
                links:
                  profile: apple-wifi
                  uplink: { rate: 9 Mbit/s, delay: 15 ms, loss: 0.5 %, outages: [4 s to 6 s] }
                  downlink: { delay: 15 ms, loss: 0.5 %, outages: [4 s to 6 s] }
                files:
                  b/c.mov: 3 MB
                queue:
                  - upload: b/c.mov
                    to: in/c.mov
                server:
                  faults:
                    answer 1: { do: answer 500, times: 1, from: 8 s }
                limit: 11 min
                timeline:
                  - 7 s: app to background
                  - 9 s: app to foreground
                expect:
                  - session 1 completes within 40 s

                """)
        #expect(draft.usedCount == 11)
        #expect(draft.unused.isEmpty)
        #expect(draft.assumptions.isEmpty)
        #expect(try Scenario.read(text: draft.text, path: "x.yaml").name == "from a.jsonl")
    }

    @Test(
        arguments: [
            ("no json", "it is not JSON"), ("[1]", "it is not an object in braces"),
            (#"{"event": "app"}"#, "it has no “time”"),
            (#"{"time": true, "event": 3}"#, "it has no “event” in quotes"),
            (#"{"time": "noon", "event": "app"}"#, "its “time” is not a date such as"),
            (#"{"time": [], "event": "app"}"#, "its “time” is neither seconds nor a date"),
            (#"{"time": 1, "event": "battery"}"#, "the event “battery” is unknown"),
            (#"{"time": 1, "event": "netwrk"}"#, "did you mean “network”?"),
            (
                #"{"time": 1, "event": "app", "state": "asleep"}"#,
                "its “state” is not one of launched"
            ),
            (#"{"time": 1, "event": "app", "state": "backgrond"}"#, "did you mean “background”?"),
            (#"{"time": 1, "event": "app", "state": "suspended"}"#, "suspended by itself"),
            (#"{"time": 1, "event": "file", "path": "a"}"#, "no whole number as “size”"),
            (
                #"{"time": 1, "event": "file", "path": "a", "size": -1}"#,
                "not a number of at least 0"
            ),
            (#"{"time": 1, "event": "file", "path": "a", "change": "x"}"#, "is not edited"),
            (#"{"time": 1, "event": "network", "interface": "lan"}"#, "is not wifi, cellular"),
            (#"{"time": 1, "event": "response", "status": 200}"#, "below 400 needs no fault"),
            (#"{"time": 1, "event": "result", "session": 1, "outcome": "?"}"#, "neither completed"),
            (#"{"time": 1, "event": "clock"}"#, "neither “ahead_ms” nor “back_ms”"),
            (#"{"time": 1, "event": "lock", "on": "yes"}"#, "neither true nor false"),
            (#"{"time": 1, "event": "disk", "on": true}"#, "its “full” is neither true nor false"),
            (#"{"time": 1, "event": "disk", "full": false}"#, "the disk is not full then"),
            (#"{"time": 1e9, "event": "reboot"}"#, "more than a year after the first line"),
            // What a scenario will not have comes back with its reason.
            (#"{"time": 1, "event": "call", "on": false}"#, "there is no call then"),
            (#"{"time": 1, "event": "device", "os": "ios-99"}"#, "there is no system “ios-99”"),
            (
                #"{"time": 1, "event": "result", "session": 9, "outcome": "completed"}"#,
                "there is no session 9"
            ),
            (
                #"{"time": 1, "event": "file", "path": "nobody", "change": "touched"}"#,
                "there is no file “nobody”"
            ),
        ])
    func `a line that cannot be used is listed with its reason`(line: String, why: String) throws {
        let enqueue = #"{"time": 0, "event": "enqueue", "source": "a.mov"}"#
        let draft = try Self.draft([enqueue, line])
        #expect(draft.unused.map(\.line) == [2])
        #expect(draft.unused.first?.why.contains(why) == true, "\(draft.unused)")
        #expect(draft.text.contains("# Not used:\n#   line 2: "))
        _ = try Scenario.read(text: draft.text, path: "x.yaml")
    }

    @Test func `a disk that was full is full in the draft, until there was space`() throws {
        let draft = try Self.draft([
            #"{"time": 0, "event": "enqueue", "source": "a.mov"}"#,
            #"{"time": 5, "event": "disk", "full": true}"#,
            #"{"time": 60, "event": "disk", "full": false}"#,
        ])
        #expect(draft.text.contains("  - 5 s: disk full\n  - 60 s: disk has space again\n"))
        #expect(draft.unused.isEmpty)
    }

    @Test func `an app that is launched again without an end was killed before`() throws {
        let draft = try Self.draft([
            #"{"time": 0, "event": "enqueue", "source": "a.mov"}"#,
            #"{"time": 5, "event": "app", "state": "background"}"#,
            #"{"time": 60, "event": "app", "state": "launched"}"#,
        ])
        #expect(draft.text.contains("  - 5 s: app killed\n  - 60 s: app launched\n"))
        #expect(draft.assumptions.contains { $0.hasPrefix("line 3 launches the app") })
    }

    @Test func `a log without a usable line is refused, with a line that would be one`() {
        for lines in [[], ["{}", "x"]] {
            #expect(throws: RunFailure.self) { try Self.draft(lines) }
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `thousands of lines that cannot be played are taken out in one go`() throws {
        let enqueue = #"{"time": "2026-11-20T08:15:02.5Z", "event": "enqueue", "source": "a.mov"}"#
        let wrong = #"{"time": "2026-11-20T08:15:02Z", "event": "call", "on": false}"#
        let draft = try Self.draft([enqueue] + Array(repeating: wrong, count: 5_000))
        #expect(draft.unused.count == 5_000)
        #expect(draft.unused.last?.why.hasPrefix("a draft can have at most 1000 lines") == true)
        #expect(draft.usedCount == 1)
        #expect(draft.text.contains("upload: a.mov"))
    }

    @Test func `whatever is in a log, the draft can be played or the log is refused`() throws {
        let path =
            FileManager.default.currentDirectoryPath + "/Scenarios/field/example.device.jsonl"
        let example = try #require(FileManager.default.contents(atPath: path))
        var random = RandomStream(seed: 7, name: "mutations")
        for _ in 0..<300 {
            var bytes = [UInt8](example)
            for _ in 0..<(1 + random.below(6)) {
                let place = Int(random.below(UInt64(bytes.count)))
                switch random.below(3) {
                case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
                case 1: bytes.remove(at: place)
                default: bytes.insert(bytes[Int(random.below(UInt64(bytes.count)))], at: place)
                }
            }
            guard
                let draft = try? FieldImport(Data(bytes), path: "a.jsonl", name: nil)
            else { continue }
            _ = try Scenario.read(text: draft.text, path: "x.yaml")
        }
    }

    private static func draft(_ lines: [String]) throws -> FieldImport {
        try FieldImport(
            Data(lines.joined(separator: "\n").utf8), path: "somewhere/a.jsonl", name: nil)
    }
}
