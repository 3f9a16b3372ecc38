import RunPlan
import Scenario
import Testing
import TransferEngine

/// Sessions of several files, and paths that leave the docroot (A13, A18).
@Suite struct SeveralFilesReadingTests {
    private static func text(_ entry: String, expecting: String = "the queue refuses never")
        -> String
    {
        """
        name: several files
        why: a session brings one file after the other
        links:
          uplink: { rate: 10 Mbit/s, delay: 20 ms }
          downlink: { rate: 10 Mbit/s, delay: 20 ms }
        files: { a.mov: 400 kB, b.mov: 400 kB }
        queue:
          - { upload: a.mov, to: in/a.mov }
          - \(entry)
        expect:
          - \(expecting)

        """
    }

    private func mistakes(_ text: String) -> String {
        do {
            _ = try Scenario.read(text: text, path: "x.yaml")
            return ""
        } catch { return "\(error)" }
    }

    @Test func `a session may upload or download several files`() throws {
        let up = try Scenario.read(
            text: Self.text("{ uploads: { a.mov: in/1.mov, b.mov: in/2.mov } }"), path: "x.yaml")
        #expect(up.sessions[1].uploads.map(\.destination) == ["in/1.mov", "in/2.mov"])
        #expect(
            up.sentences.contains(
                "Session 2 uploads a.mov (400 kB) to in/1.mov, b.mov (400 kB) to in/2.mov."))
        let down = try Scenario.read(
            text: Self.text("{ downloads: { in/a.mov: 1.mov, in/b.mov: 2.mov } }"), path: "x.yaml")
        #expect(
            down.sessions[1].work
                == .download([
                    PlannedPath(source: "in/a.mov", destination: "1.mov"),
                    PlannedPath(source: "in/b.mov", destination: "2.mov"),
                ]))
    }

    @Test func `only a session that waits may be without files`() {
        #expect(mistakes(Self.text("{ uploads: none, enqueued: no }")) == "")
        #expect(mistakes(Self.text("{ uploads: none }")).contains("there is nothing to upload"))
        #expect(mistakes(Self.text("{ uploads: {} }")).contains("nothing between the braces"))
    }

    @Test func `a destination is said once`() {
        let words = mistakes(Self.text("{ uploads: { a.mov: in/1.mov }, to: in/2.mov }"))
        #expect(words.contains("“to” beside “uploads”"))
    }

    @Test func `a path leaves the docroot only where a refusal is expected`() throws {
        let entry = "{ uploads: { a.mov: in/1.mov, b.mov: in/../../b.mov } }"
        let words = mistakes(Self.text(entry, expecting: "session 1 completes within 1 s"))
        #expect(words.contains("“in/../../b.mov” leaves the docroot"))
        #expect(words.contains("or “the queue refuses once” under “expect” if that is the point"))
        let scenario = try Scenario.read(
            text: Self.text(entry, expecting: "the queue refuses once"), path: "x.yaml")
        #expect(scenario.sessions[1].beginning == .refused)
        #expect(scenario.sessionsAtLaunch == 1)
        // A session that a rule begins is not counted twice.
        let later = try Scenario.read(
            text: Self.text(entry, expecting: "the queue refuses once")
                + "app: [on completed session 1: enqueue session 2]\n", path: "x.yaml")
        #expect(later.sessionsAtLaunch == 1)
    }

    @Test func `an app of the phone is refused like the first one`() throws {
        func text(_ expectation: String) -> String {
            Self.text("{ upload: b.mov, to: in/b.mov }", expecting: expectation)
                + "device: { os: ios-17, apps: { backup: { files: { c.mov: 1 kB }, "
                + "queue: [{ upload: c.mov, to: ../c.mov }] } } }\n"
        }
        #expect(mistakes(text("the queue refuses once")) == "")
        let words = mistakes(text("session 1 completes within 1 s"))
        #expect(words.contains("“../c.mov” leaves the docroot"))
    }
}
