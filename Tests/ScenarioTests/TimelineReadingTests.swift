import Quantities
import RunLog
import RunPlan
import Scenario
import Testing

/// What stands before the colon of an entry: a time, something to wait for, or chance.
@Suite struct TimelineReadingTests {
    private static func scenario(_ entries: String..., limit: String = "2 min") throws -> Scenario {
        let lines = entries.map { "  - \($0)" }.joined(separator: "\n")
        let text = ValidScenario.text(with: 16, replacedBy: lines)
            .replacing("\n  - 7 s: app launched", with: "")
            .replacing("limit: 2 min", with: "limit: \(limit)")
        return try Scenario.read(text: text, path: "x.yaml")
    }

    private static func triggers(_ scenario: Scenario, seed: UInt64 = 7) -> [TimelineEntry.Trigger]
    {
        scenario.plan(seed: seed).timeline.map(\.trigger)
    }

    private static func times(_ scenario: Scenario, seed: UInt64 = 7) -> [Int64] {
        triggers(scenario, seed: seed).compactMap { trigger in
            if case .at(let at) = trigger { at.sinceStart.nanoseconds } else { nil }
        }
    }

    typealias Row = (words: String, kind: TimelineCondition.Kind)
    static let session = ItemName(1)
    static let conditions: [Row] = [
        ("session 1 at 40 %", .sessionHasShare(session, 4_000)),
        ("session 1 at 0.25 %", .sessionHasShare(session, 25)),
        ("session 1 at 3 MB", .sessionHasMoved(session, ByteCount(3_000_000))),
        ("session 1 starts", .sessionStarts(session)),
        ("session 1 retries", .sessionRetries(session)),
        ("session 1 fails", .sessionFails(session)),
        ("session 1 completes", .sessionCompletes(session)),
        ("the server has published incoming/video.mov", .published("incoming/video.mov")),
        ("app killed", .appKilled), ("app launched", .appLaunched),
        ("healing within 30 s", .done(.heal(Healing(name: "healing", within: .seconds(30))))),
    ]

    @Test(arguments: conditions)
    func `an entry waits for something, and the run is red without it`(row: Row) throws {
        let scenario = try Self.scenario("when \(row.words): app killed")
        let condition = TimelineCondition(row.kind, words: row.words)
        #expect(
            Self.triggers(scenario) == [.when(condition, after: .zero, .first)])
        #expect(scenario.expectations.contains { $0.words == "it comes to “\(row.words)”" })
    }

    @Test func `what follows something follows it each time`() throws {
        let scenario = try Self.scenario("3 s after app killed: app launched")
        let condition = TimelineCondition(.appKilled, words: "app killed")
        #expect(
            Self.triggers(scenario) == [.when(condition, after: .seconds(3), .every)])
        #expect(scenario.expectations.contains { $0.words.hasPrefix("it comes to") })
    }

    static let ordinals = [
        ("first", 1), ("second", 2), ("third", 3), ("1st", 1), ("4th", 4), ("11th", 11),
        ("12th", 12), ("22nd", 22), ("101st", 101), ("112th", 112),
    ]

    @Test(arguments: ordinals)
    func `an entry follows one of several times`(word: String, number: Int) throws {
        let scenario = try Self.scenario("3 s after the \(word) app killed: app launched")
        let condition = TimelineCondition(.appKilled, words: "the \(word) app killed")
        #expect(
            Self.triggers(scenario) == [.when(condition, after: .seconds(3), .number(number))])
        #expect(
            scenario.expectations.contains { $0.words == "it comes to “the \(word) app killed”" })
        let now = try Self.scenario("when the \(word) session 1 retries, if it comes: app killed")
        let retry = TimelineCondition(
            .sessionRetries(Self.session), words: "the \(word) session 1 retries")
        #expect(Self.triggers(now) == [.when(retry, after: .zero, .number(number))])
        #expect(
            now.sentences.contains(
                "When it comes to “the \(word) session 1 retries”, the app is killed."))
    }

    @Test(arguments: [
        ("2 s after the 2th app killed", "“2th” does not say which time"),
        ("2 s after the 11st app killed", "“11st” does not say which time"),
        ("2 s after the 0th app killed", "“0th” does not say which time"),
        ("when the 2000th app killed", "“2000th” does not say which time"),
        ("when the second session 1 at 40 %", "it comes to “session 1 at 40 %” only once"),
    ])
    func `a time that cannot come is a mistake`(words: String, message: String) {
        let text = ValidScenario.text(with: 16, replacedBy: "  - \(words): app launched")
        #expect(ValidScenario.diagnostics(of: text).map(\.message) == [message])
    }

    @Test(arguments: ["when session 1 fails, if it comes", "whenever session 1 fails"])
    func `what may never come is not expected`(words: String) throws {
        let scenario = try Self.scenario("\(words): app killed")
        #expect(!scenario.expectations.contains { $0.words.hasPrefix("it comes to") })
        #expect(Self.triggers(scenario).count == 1)
    }

    @Test func `repetitions have their times`() throws {
        let second = Int64(1_000_000_000)
        let rows: [(String, [Int64])] = [
            ("every 50 s", [50, 100]), ("every 50 s from 10 s", [10, 60, 110]),
            ("every 20 s from 5 s to 45 s", [5, 25, 45]), ("3 times, every 20 s", [20, 40, 60]),
            ("twice every 20 s from 1 s", [1, 21]),
        ]
        for (words, times) in rows {
            let scenario = try Self.scenario("\(words): app killed")
            #expect(Self.times(scenario) == times.map { $0 * second }, "\(words)")
        }
    }

    @Test func `another seed moves what is random, and nothing else`() throws {
        let scenario = try Self.scenario(
            "5 s: app killed", "3 times at random between 10 s and 60 s: app launched",
            "about every 10 s from 20 s to 110 s: app killed")
        let one = Self.times(scenario, seed: 1)
        let other = Self.times(scenario, seed: 2)
        #expect(one == Self.times(scenario, seed: 1) && one != other)
        for times in [one, other] {
            #expect(times[0] == 5_000_000_000)
            let random = times[1...3]
            #expect(random.sorted() == Array(random))
            #expect(random.allSatisfy { (10_000_000_000..<60_000_000_000).contains($0) })
            #expect(
                times.dropFirst(4).allSatisfy { (20_000_000_000...110_000_000_000).contains($0) })
            // Nine are to be expected; a mean that is wrong by a factor shows.
            #expect((3...18).contains(times.count - 4), "\(times)")
        }
    }

    @Test func `each entry draws from a stream of its own`() throws {
        let line = "at random between 10 s and 60 s: app killed"
        let alone = Self.times(try Self.scenario(line))
        let beside = Self.times(try Self.scenario(line, line))
        #expect(beside[0] == alone[0] && beside[1] != alone[0])
    }

    @Test func `about so often is so often, over many seeds`() throws {
        let scenario = try Self.scenario("about every 10 s from 0 s to 100 s: app killed")
        let count = (1...200).reduce(0) { $0 + Self.times(scenario, seed: UInt64($1)).count }
        // 2000 ± 45 for a process without memory.
        #expect((1_850...2_150).contains(count), "\(count)")
    }

    @Test func `the log says what the seed has drawn`() throws {
        let scenario = try Self.scenario("at random between 10 s and 60 s: app killed")
        let drawn = try #require(scenario.sentences(seed: 3).last)
        #expect(drawn.hasPrefix("With this seed the app is killed at "), "\(drawn)")
        #expect(!scenario.sentences.contains(drawn))
    }

    @Test func `healing has a deadline that the links allow`() throws {
        // At 2 % of loss 8 MB need 25.6 s: four times that, a minute of pause, a minute of
        // patience, and eight round trips with full queues.
        let scenario = try Self.scenario("50 s: healing", limit: "10 min")
        #expect(ValidScenario.diagnostics(of: scenario.text).isEmpty)
        guard case .heal(let healing) = try #require(scenario.plan().timeline.first).action
        else {
            Issue.record("something else")
            return
        }
        #expect(healing.within >= .milliseconds(102_400 + 120_000))
        #expect(healing.within <= .milliseconds(102_500 + 120_000 + 1_000))
    }
}
