import Scenario
import Testing

/// One seed or several: a number, a range, or a list of these.
@Suite struct SeedKeyTests {
    @Test(arguments: [
        ("7", [UInt64(7)]), ("0", [0]), ("2 to 4", [2, 3, 4]), ("5 to 5", [5]),
        ("[7, 3 to 5, 1]", [7, 3, 4, 5, 1]), ("[18446744073709551615]", [UInt64.max]),
    ])
    func `seeds stand in the order in which they are written`(value: String, seeds: [UInt64]) throws
    {
        let text = ValidScenario.text(with: 5, replacedBy: "seed: \(value)")
        #expect(try Scenario.read(text: text, path: "x.yaml").seeds == seeds)
    }

    @Test func `without the key it is 1`() throws {
        let text = ValidScenario.text(with: 5, replacedBy: nil)
        #expect(try Scenario.read(text: text, path: "x.yaml").seeds == [1])
    }

    @Test(arguments: [
        ("[]", "5:7 a list without a seed"),
        ("7 8", "5:7 “7 8” is not a whole number"),
        ("9 to 7", "5:12 7 comes before 9"),
        ("1 to many", "5:12 “many” is not a whole number"),
        ("[3, 1 to 5]", "5:11 the seed 3 is given twice"),
        ("[7, 7]", "5:11 the seed 7 is given twice"),
        ("[9, 1000 to 100999]", "5:11 “1000 to 100999” makes too many seeds"),
        ("0 to 18446744073709551615", "5:7 “0 to 18446744073709551615” makes too many seeds"),
        ("{ from: 7 }", "5:7 a mapping of keys to values where a single value is needed"),
    ])
    func `a mistake has its place and its words`(value: String, mistake: String) {
        let text = ValidScenario.text(with: 5, replacedBy: "seed: \(value)")
        let seen = ValidScenario.diagnostics(of: text).map {
            "\($0.line):\($0.column) \($0.message)"
        }
        #expect(seen == [mistake])
    }
}
