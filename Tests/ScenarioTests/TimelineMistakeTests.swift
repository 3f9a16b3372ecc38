import Scenario
import Testing

/// Each mistake in when something happens: one diagnostic, in the right place.
@Suite struct TimelineMistakeTests {
    typealias Row = (entry: String, at: String, message: String)

    static let rows: [Row] = [
        ("soon: app killed", "16:5", "“soon” does not begin with a number"),
        ("when session 2 fails: app killed", "16:18", "there is no session 2"),
        (
            "when session 1 breaks: app killed", "16:10",
            "“session 1 breaks” is not something to wait for"
        ),
        ("when session 1 at 101 %: app killed", "16:23", "“101 %” is out of range"),
        ("when session 1 at 0 %: app killed", "16:23", "“0 %” is not a share of a file"),
        ("when session 1 at 40: app killed", "16:23", "“40” has no unit"),
        (
            "when session 1 at 9 MB: app killed", "16:23",
            "session 1 never reaches 9 MB: its file has 8 MB"
        ),
        (
            "when the server has published x: app killed", "16:35", "nothing is uploaded to “x”"
        ),
        (
            "3 s after app kiled: app launched", "16:15",
            "“app kiled” is not something to wait for"
        ),
        ("3 after app killed: app launched", "16:5", "“3” has no unit"),
        ("4 s if it comes: app killed", "16:5", "“4 s” always comes"),
        ("every 0 s: app killed", "16:11", "“0 s” makes too many entries"),
        ("every 1 ms: app killed", "16:11", "“1 ms” makes too many entries"),
        (
            "every 10 s from 3 min: app killed", "16:21",
            "“3 min” is too late: the run ends at its limit of 2 min"
        ),
        (
            "every 10 s from 40 s to 20 s: app killed", "16:29",
            "“20 s” does not come after “40 s”"
        ),
        (
            "7 times every 20 s: app killed", "16:19",
            "the last moment is too late: the run ends at its limit of 2 min"
        ),
        ("never every 20 s: app killed", "16:5", "“never” is out of range"),
        (
            "at random between 9 s and 9 s: app killed", "16:31",
            "“9 s” does not come after “9 s”"
        ),
        ("about every 1 µs: app killed", "16:17", "“1 µs” makes too many entries"),
        (
            "50 s: healing within 80 s", "16:11",
            "everything must end by 130 s, but the run ends at its limit of 2 min"
        ),
        (
            "when session 1 at 40 %: healing within 0 s", "16:44",
            "that is too long to wait: the run ends at its limit of 2 min"
        ),
    ]

    @Test(arguments: rows)
    func `a mistake in when something happens has its place and its words`(row: Row) {
        let text = ValidScenario.text(with: 16, replacedBy: "  - \(row.entry)")
            .replacing("\n  - 7 s: app launched", with: "")
        let seen = ValidScenario.diagnostics(of: text)
        #expect(
            seen.map { "\($0.line):\($0.column) \($0.message)" } == ["\(row.at) \(row.message)"],
            "\(text)")
    }

    typealias Chaos = (entries: [String], at: String, message: String)
    static let chaos: [Chaos] = [
        (["50 s: healing within 30 s", "60 s: app killed"], "17:5", "after the healing at 50 s"),
        (
            ["about every 9 s: app killed", "50 s: healing within 30 s"], "16:5",
            "after the healing"
        ),
        (
            ["50 s: healing within 30 s", "when session 1 retries: healing within 9 s"], "17:5",
            "there are 2 healings"
        ),
    ]

    @Test(arguments: chaos)
    func `nothing goes wrong behind the healing, as far as times are known`(row: Chaos) {
        let entries = row.entries.map { "  - \($0)" }.joined(separator: "\n")
        let text = ValidScenario.text(with: 16, replacedBy: entries)
            .replacing("\n  - 7 s: app launched", with: "")
        let seen = ValidScenario.diagnostics(of: text)
        #expect(seen.map { "\($0.line):\($0.column)" } == [row.at])
        #expect(seen.first?.message.contains(row.message) == true, "\(seen)")
    }

    @Test func `a fault that begins behind the healing is one too late`() {
        let text =
            ValidScenario.text(with: 16, replacedBy: "  - 50 s: healing within 30 s")
            .replacing("\n  - 7 s: app launched", with: "")
            + "server: { faults: { late: { do: reset, from: 51 s } } }\n"
        #expect(
            ValidScenario.diagnostics(of: text).map(\.message)
                == ["the fault “late” begins at 51 s, after the healing"])
    }

    @Test func `what is meant is guessed`() {
        let text = ValidScenario.text(with: 16, replacedBy: "  - when session 1 start: app killed")
        #expect(ValidScenario.diagnostics(of: text).first?.suggestion == "“session 1 starts”")
    }

    @Test func `what cannot happen is judged only while all times are known`() {
        for line in [
            "when session 1 retries: app killed", "at random between 1 s and 3 s: app killed",
        ] {
            let text = ValidScenario.text(
                with: 16, replacedBy: "  - \(line)\n  - 5 s: app launched\n  - 6 s: app launched")
            #expect(ValidScenario.diagnostics(of: text) == [], "\(line)")
        }
    }
}
