import LinkModels
import Quantities
import RunLog
import RunPlan
import Scenario
import Testing

/// What a file includes is as if it stood there, under what the file says itself.
@Suite struct IncludeTests {
    private static let own = """
        include: parts/line.part.yaml
        name: an upload
        why: parts are shared by many scenarios
        links:
          uplink: { rate: 1 Mbit/s }
        files: { video.mov: 8 MB }
        queue: [{ upload: video.mov, to: incoming/video.mov }]
        expect:
          - session 1 completes within 2 min

        """
    private static let line = """
        links:
          uplink: { rate: 10 Mbit/s, delay: 20 ms, loss: 1 % }
          downlink: { rate: 10 Mbit/s, delay: 30 ms }
        files: { note.txt: 1 kB }
        tags: [shared]
        expect:
          - sessions complete in order

        """

    private func scenario(
        _ text: String = own, _ parts: [String: String] = ["S/parts/line.part.yaml": line]
    ) throws(ScenarioError) -> Scenario {
        try Scenario.cases(Array(text.utf8), path: "S/x.yaml") { path in
            parts[path].map { Array($0.utf8) }
        }[0]
    }

    private func mistakes(
        _ text: String = own, _ parts: [String: String] = ["S/parts/line.part.yaml": line]
    ) -> [Diagnostic] {
        do throws(ScenarioError) {
            _ = try scenario(text, parts)
            return []
        } catch {
            return error.diagnostics
        }
    }

    @Test func `mappings are joined, and what the file says itself comes on top`() throws {
        let scenario = try scenario()
        #expect(scenario.uplink.bottleneck.rate == Bitrate(bitsPerSecond: 1_000_000))
        #expect(scenario.uplink.delay == .milliseconds(20))
        #expect(scenario.uplink.filters.count == 1)
        #expect(scenario.downlink.delay == .milliseconds(30))
        #expect(scenario.files.map(\.path) == ["note.txt", "video.mov"])
        #expect(scenario.tags == ["shared"])
    }

    @Test func `lists are joined, and each expectation knows where it stands`() throws {
        let places = try scenario().expectations.map(\.place)
        #expect(places == ["S/parts/line.part.yaml:7:5", "S/x.yaml:9:5"])
    }

    @Test func `what must come about sometimes is joined as well`() throws {
        let scenario = try scenario(
            Self.own + "sometimes: [a session resumes]\n",
            ["S/parts/line.part.yaml": Self.line + "sometimes: [the app is killed]\n"])
        #expect(scenario.sometimes.map(\.words) == ["the app is killed", "a session resumes"])
    }

    @Test func `the part is kept with the scenario, which can be read again from it`() throws {
        let scenario = try scenario()
        #expect(scenario.parts.map(\.path) == ["S/parts/line.part.yaml"])
        let again = try Scenario.read(
            text: scenario.text, path: scenario.path, parts: scenario.parts)
        #expect(again.plan() == scenario.plan())
    }

    @Test func `a mistake in a part has its place there, and says how it came in`() {
        let middle = "include: ../line.part.yaml\n"
        let text = Self.own.replacing("parts/line", with: "parts/a/middle")
        let seen = mistakes(
            text,
            [
                "S/parts/a/middle.part.yaml": middle,
                "S/parts/line.part.yaml": Self.line.replacing("1 %", with: "1"),
            ])
        #expect(seen.map(\.message) == ["“1” has no unit"])
        #expect(seen.first?.file == "S/parts/line.part.yaml")
        #expect(seen.first?.line == 2)
        #expect(
            seen.first?.trail == [
                "included at S/parts/a/middle.part.yaml:1:10", "included at S/x.yaml:1:10",
            ])
        #expect(
            seen.first?.description.hasSuffix("\n  included at S/x.yaml:1:10") == true,
            "\(seen)")
    }

    typealias Row = (include: String, at: String, message: String)
    static let rows: [Row] = [
        ("line.part.yaml", "1:10", "S/line.part.yaml cannot be read"),
        ("parts/line.yaml", "1:10", "“parts/line.yaml” is not a part"),
        ("/parts/line.part.yaml", "1:10", "“/parts/line.part.yaml” is not a part"),
        ("{ a: b }", "1:10", "a mapping of keys to values where a single value is needed"),
        (
            "[parts/line.part.yaml, ./parts/line.part.yaml]", "1:33",
            "“./parts/line.part.yaml” is already included"
        ),
    ]

    @Test(arguments: rows) func `what cannot be included is said`(row: Row) {
        let seen = mistakes(
            Self.own.replacing("parts/line.part.yaml", with: row.include))
        #expect(
            seen.map { "\($0.line):\($0.column) \($0.message)" } == ["\(row.at) \(row.message)"])
    }

    @Test func `a part that includes itself is no endless story`() {
        let seen = mistakes(
            Self.own,
            [
                "S/parts/line.part.yaml": "include: more.part.yaml\n" + Self.line,
                "S/parts/more.part.yaml": "include: line.part.yaml\ntags: [a]\n",
            ])
        #expect(seen.map(\.message) == ["“line.part.yaml” includes itself"])
        #expect(seen.first?.file == "S/parts/more.part.yaml")
    }

    @Test func `parts go so deep and no deeper`() {
        var parts = ["S/parts/line.part.yaml": "include: 1.part.yaml\n" + Self.line]
        for number in 1...20 {
            parts["S/parts/\(number).part.yaml"] = "include: \(number + 1).part.yaml\n"
        }
        #expect(mistakes(Self.own, parts).map(\.message) == ["too many parts are included"])
    }

    @Test func `a part is read as strictly as a scenario`() {
        let seen = mistakes(Self.own, ["S/parts/line.part.yaml": "\tlinks: 1\n"])
        #expect(seen.first?.message == "a tab in the indentation")
        #expect(seen.first?.file == "S/parts/line.part.yaml")
        #expect(seen.count == 1)
        let list = mistakes(Self.own, ["S/parts/line.part.yaml": "[a]\n"])
        #expect(list.first?.message == "a list where keys are needed")
    }

    @Test func `each file has its timeline in order`() throws {
        let text = Self.own + "timeline:\n  - 5 s: app launched\n"
        let line = Self.line + "timeline:\n  - 9 s: app killed\n"
        let entries = try scenario(text, ["S/parts/line.part.yaml": line]).plan().timeline
        #expect(entries.count == 2)
    }
}
