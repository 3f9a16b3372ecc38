import Runs
import Scenario
import Testing

/// Random scenarios speak the whole language: what they never say, they never try.
@Suite struct ChanceWordsTests {
    /// Words that chance never draws, and why.
    private static let left: [String: [String]] = [
        "written by people who compose files": [
            "a scenario: include", "a scenario: for each", "a scenario: exclude",
            "a scenario: cites", "a scenario: tags", "a seed: N to N",
            "a series of files: count", "a series of files: size", "a size, or two: SIZE to SIZE",
            "a size, or two: SIZE",
        ],
        "the usual value, which is drawn by leaving the key out": [
            "controller: cubic", "tls: none", "ecn: off", "quick-acknowledgements: on",
            "slow-start: hystart", "writes: non-blocking", "pacing: off", "forwarding: on",
            "enqueued: yes", "saved: yes", "overwrite: diff", "refreshes-token: no",
            "resumable: no", "cellular: yes", "discretionary: no", "resumed: yes",
            "background-task: on", "file-callbacks: on", "starts: on", "hangs-up: no",
            "black-holes: off", "delegate-queue: main", "launch-events: yes",
            "told: by-interface", "ipv6: open", "with: no answer",
        ],
        "breaks S11, or loses its file, whatever the engine does": [
            "something that an app can do: do not call the handler",
            "something that an app can do: call the handler twice",
            "something that an app can do: move it to PATH too late",
            "something that an app can do: ask for time when it is up",
            "something that an app can do: call the handler on the delegate queue",
            "something that an app can do: do not say what came of it",
        ],
        "breaks S1 where a download is refused, whatever the engine does": [
            "something that an app can do: move it to PATH whatever the answer",
            "something that an app can do: copy it to PATH whatever the answer",
            "something that an app can do: keep downloads in PATH whatever the answer",
        ],
        "a session ends once, and rules come often; the timeline draws it": [
            "something that an app can do: invalidate session NAME",
            "something that an app can do: invalidate and cancel session NAME",
        ],
        "judges a run: random ones are judged by the invariants alone": [
            "a scenario: expect", "a scenario: sometimes", "a scenario: excuse",
            "a scenario: must-fail", "a visit: answer", "a visit: with", "a visit: holds",
            "a visit: answer-size",
        ],
        "a file that is longer is refused for good, whatever the engine does": [
            "“server”: longest-body"
        ],
        "a line that carries all at once has no trouble to draw": ["rate: none"],
        "a random scenario is a single file": ["a delay by a trace: trace"],
        "a line that carries nothing never ends a run": [
            "profile: apple-100-loss", "network: apple-100-loss",
        ],
        "every healing has a time within which all must be well": [
            "something that can happen: healing"
        ],
    ]

    /// Books that only judge.
    private static let judging = ["an expectation: ", "excuse: "]

    @Test func `each word of the language is drawn, or left out for a reason`() {
        let words = ChanceRuns(from: 1, count: 1_000).words().filter { entry in
            !Self.judging.contains { entry.word.hasPrefix($0) }
        }
        #expect(words.count > 400)
        let excused = Set(Self.left.values.flatMap(\.self))
        for entry in words where !excused.contains(entry.word) {
            #expect(entry.scenarios > 0, "no random scenario says “\(entry.word)”")
        }
        for entry in words where excused.contains(entry.word) {
            #expect(entry.scenarios == 0, "“\(entry.word)” is drawn, and needs no excuse")
        }
        let known = Set(words.map(\.word))
        // any order: whether it is empty
        #expect(excused.subtracting(known).isEmpty, "\(excused.subtracting(known))")
    }

    @Test func `the words of a scenario are its keys, its sentences and its choices`() {
        let text = """
            name: small
            device: { os: ios-17 }
            links: { wifi: { profile: apple-wifi } }
            files: { a.bin: 80 kB }
            queue: [{ upload: a.bin, to: in/a.bin }]
            timeline:
              - when session 1 at 40 %, if it comes: app killed
            """
        let words = Vocabulary.words(in: text, path: "a.yaml")
        for word in [
            "a scenario: name", "the device: os", "os: ios-17", "profile: apple-wifi",
            "an entry of the queue: upload", "a time or something to wait for: when EVENT",
            "something that can happen: app killed",
        ] {
            #expect(words.contains(word), "\(word) of \(words.sorted())")
        }
        #expect(!words.contains("os: ios-16"))
        #expect(words.isSubset(of: Vocabulary.all))
    }

    @Test func `a text with mistakes uses nothing`() {
        #expect(Vocabulary.words(in: "name: [", path: "a.yaml").isEmpty)
    }
}
