import Checks
import Quantities
import RunPlan
import Scenario
import Testing

/// Faults of the server as something to expect, and to wait for.
@Suite struct FaultEffectReadingTests {
    private static func text(_ line: Int, _ replacement: String) -> String {
        ValidScenario.text(with: line, replacedBy: replacement)
            + "server: { faults: { very busy: { do: reset, times: 1 } } }\n"
    }

    @Test(
        arguments: [
            ("once", .exactly(1)), ("never", .exactly(0)), ("twice", .exactly(2)),
            ("7 times", .exactly(7)), ("at least once", .atLeast(1)),
        ] as [(String, ExpectationPlan.Times)])
    func `a fault takes effect so often`(words: String, times: ExpectationPlan.Times) throws {
        let text = Self.text(20, "  - fault very busy takes effect \(words)")
        let plan = try Scenario.read(text: text, path: "x.yaml").expectations.last?.plan
        #expect(plan == .happens(.faultEffect("very busy"), times))
    }

    @Test func `an entry of a timeline waits for its effect`() throws {
        let text = Self.text(17, "  - 3 s after fault very busy takes effect: app launched")
        let entry = try Scenario.read(text: text, path: "x.yaml").plan().timeline.last
        let condition = TimelineCondition(
            .faultTakesEffect("very busy"), words: "fault very busy takes effect")
        #expect(entry?.trigger == .when(condition, after: .seconds(3), .every))
    }

    @Test func `an unknown fault is no fault`() {
        let rows = [
            (20, "  - fault busy takes effect once"),
            (17, "  - when fault busy takes effect: app launched"),
        ]
        for (line, words) in rows {
            let diagnostics = ValidScenario.diagnostics(of: Self.text(line, words))
            #expect(diagnostics.map(\.message) == ["there is no fault “busy”"], "\(words)")
        }
    }
}
