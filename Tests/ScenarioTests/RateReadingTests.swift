import LinkModels
import Quantities
import Scenario
import Testing

@Suite struct RateReadingTests {
    @Test(arguments: [
        (
            "{ 0 s: 10 Mbit/s, 5 s: none, 6 s: 2 Mbit/s }", "",
            "10 Mbit/s from 0 ns, nothing from 5 s, 2 Mbit/s from 6 s"
        ),
        (
            "8 Mbit/s", "outages: [2 s to 3 s, 10 s to 10.5 s]",
            "8 Mbit/s from 0 ns, nothing from 2 s, 8 Mbit/s from 3 s, nothing from 10 s, "
                + "8 Mbit/s from 10.5 s"
        ),
        (
            "8 Mbit/s", "duty: { on: 80 ms, off: 20 ms }",
            "8 Mbit/s from 0 ns, nothing from 80 ms, and so on every 100 ms,"
        ),
        ("{ trace: [1, 2, 4] }", "", "9 Mbit/s on average, by a trace,"),
        ("{ trace: \"|\" }", "", "12 Mbit/s on average, by a trace,"),
        ("8 Mbit/s", "black-hole: 2 s to 3 s", "8 Mbit/s"),
    ])
    func `a schedule arrives in the sentences`(
        rate: String, more: String, words: String
    ) throws {
        let inline = rate.contains("|")
        let line =
            inline
            ? "  uplink:\n    delay: 20 ms\n    rate:\n      trace: |\n        1\n        2"
            : "  uplink: { delay: 20 ms, rate: \(rate)\(more.isEmpty ? "" : ", ")\(more) }"
        let text = ValidScenario.text(with: 7, replacedBy: line)
        let sentence = try Scenario.read(text: text, path: "x.yaml").sentences[0]
        #expect(
            sentence.hasPrefix("The uplink carries \(words) with 20 ms of delay;"), "\(sentence)")
        #expect(sentence.contains("everything is lost from 2 s to 3 s") == more.contains("hole"))
    }
}
