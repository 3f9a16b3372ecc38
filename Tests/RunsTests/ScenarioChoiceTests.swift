import Reports
import RunLog
import Scenario
import Testing

@testable import Runs

/// Which scenarios of a folder are played: by their tags.
@Suite struct ScenarioChoiceTests {
    private static let paths = ["plain", "short", "long", "live-only", "long-and-short"]

    private static func found() throws -> [Scenario] {
        let text = try HouseScenarios.readShort(SeedTests.lossless).text
        return try paths.map { name in
            let tags = name == "plain" ? [] : name.split(separator: "-and-").map(String.init)
            let line = tags.isEmpty ? "" : "tags: [\(tags.joined(separator: ", "))]\n"
            return try Scenario.read(text: line + text, path: "S/\(name).yaml")
        }
    }

    private static func chosen(
        at paths: [String] = ["S"], tags: [String] = [],
        in world: RunBeginning.World = .simulated
    ) throws -> [String] {
        try ScenarioChoice(of: found(), at: paths, tags: tags, in: world).scenarios.map {
            String($0.path.dropFirst(2).dropLast(5))
        }
    }

    @Test func `a folder's long ones and those for real sockets are left out, with the reason`()
        throws
    {
        #expect(try Self.chosen() == ["plain", "short"])
        let choice = try ScenarioChoice(of: Self.found(), at: ["S"], in: .simulated)
        #expect(
            choice.leftOut.map(\.reason) == [
                "it is tagged “long”; --filter long includes it",
                "it is tagged “live-only”; --filter live-only includes it",
                "it is tagged “long”; --filter long includes it",
            ])
    }

    @Test func `for real, those for real sockets are played`() throws {
        #expect(try Self.chosen(in: .live) == ["plain", "short", "live-only"])
    }

    @Test func `for real, one that goes on for minutes is left out, unless its file is named`()
        throws
    {
        let text = try HouseScenarios.readShort(SeedTests.lossless).text
        let found = try ["119 s", "121 s"].map { time in
            try Scenario.read(
                text: text + "timeline:\n  - \(time): app killed\n", path: "S/\(time).yaml")
        }
        let choice = try ScenarioChoice(of: found, at: ["S"], in: .live)
        #expect(choice.scenarios.map(\.path) == ["S/119 s.yaml"])
        #expect(
            choice.leftOut.map(\.reason) == [
                "it acts after 121 s of real time; name its file to play it"
            ])
        for (paths, world) in [(["S/121 s.yaml"], RunBeginning.World.live), (["S"], .simulated)] {
            let all = try ScenarioChoice(of: found, at: paths, in: world)
            #expect(all.scenarios.count == 2)
        }
    }

    @Test func `one whose server loses its power is not played for real`() throws {
        let text = try HouseScenarios.readShort(SeedTests.lossless).text
        let dark = try Scenario.read(
            text: text + "server: { faults: { dark: { do: lose power, from: 1 s } } }\n",
            path: "S/dark.yaml")
        let found = try Self.found() + [dark]
        let choice = try ScenarioChoice(of: found, at: ["S"], in: .live)
        #expect(choice.leftOut.last?.reason == "fault “dark” takes the power of a simulated server")
        #expect(
            throws: RunFailure(
                "S/dark.yaml cannot be played live: fault “dark” takes the server's power, which "
                    + "only a simulated server can lose; use ./lab run S/dark.yaml")
        ) { try ScenarioChoice(of: found, at: ["S/dark.yaml"], in: .live) }
        #expect(try ScenarioChoice(of: [dark], at: ["S"], in: .simulated).scenarios.count == 1)
    }

    @Test func `whoever names a file asks for it`() throws {
        #expect(try Self.chosen(at: ["S", "S/long.yaml"]) == ["plain", "short", "long"])
    }

    @Test func `a filter takes those that have one of its tags`() throws {
        #expect(try Self.chosen(tags: ["short"]) == ["short"])
        #expect(try Self.chosen(tags: ["long"]) == ["long", "long-and-short"])
        #expect(try Self.chosen(tags: ["short", "long"]) == ["short", "long", "long-and-short"])
        #expect(try Self.chosen(tags: ["live-only"]) == ["live-only"])
    }

    @Test func `a tag that nobody has is a mistake, with what was meant`() throws {
        let failure = #expect(throws: RunFailure.self) { try Self.chosen(tags: ["lnog"]) }
        #expect(
            failure?.description
                == "no scenario here has the tag “lnog”, did you mean “long”?; the tags are "
                + "live-only, long, short"
        )
    }

    @Test func `nothing to play is a mistake, too`() throws {
        let found = try Self.found().filter { $0.tags == ["long"] }
        let failure = #expect(throws: RunFailure.self) {
            try ScenarioChoice(of: found, at: ["S"], in: .simulated)
        }
        #expect(
            failure?.description
                == "nothing is left to play: S/long.yaml is left out, because it is tagged "
                + "“long”; --filter long includes it"
        )
    }
}
