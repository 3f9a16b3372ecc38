import LinkModels
import Quantities
import RunLog
import RunPlan
import Scenario
import Testing

/// Traces in files beside the scenario.
@Suite struct TraceFileTests {
    private static func text(_ up: String, _ down: String = "rate: 8 Mbit/s, delay: 20 ms")
        -> String
    {
        """
        name: an upload
        why: a recorded line is in a file of its own
        links:
          uplink: { \(up) }
          downlink: { \(down) }
        files: { a.mov: 1 MB }
        queue: [{ upload: a.mov, to: in/a.mov }]

        """
    }

    private static let files = [
        "S/cell.trace": "1\n1\n4\n", "S/sky.delays": "0 20\n1000 30\n2000 0\n",
        "T/cell.trace": "6\n", "/etc/cell.trace": "12\n", "S/bad.trace": "1\n2\noops\n",
        "S/zero.trace": "0\n", "S/bad.delays": "0 20\n5\n",
    ]

    private func scenarios(
        _ text: String, _ opened: @escaping (String) -> Void = { _ in }
    ) throws(ScenarioError) -> [Scenario] {
        try Scenario.cases(
            Array(text.utf8), path: "S/x.yaml",
            traces: TraceShelf { path, take in
                opened(path)
                guard let text = Self.files[path] else { return "there is no such file" }
                _ = Array(text.utf8).withUnsafeBytes(take)
                return nil
            })
    }

    private func mistakes(_ text: String) -> [String] {
        do throws(ScenarioError) {
            _ = try scenarios(text)
            return []
        } catch { return error.diagnostics.map(\.description) }
    }

    private static let rate = "rate: { trace: cell.trace }, delay: 20 ms"

    @Test(
        arguments: [
            ("cell.trace", 9_000_000), ("../T/cell.trace", 2_000_000),
            ("/etc/cell.trace", 1_000_000),
        ] as [(String, UInt64)])
    func `a trace is found from the scenario's folder`(path: String, rate: UInt64) throws {
        let text = Self.text("rate: { trace: \(path) }, delay: 20 ms")
        let scenario = try #require(try scenarios(text).first)
        #expect(scenario.interfaces[0].uplink.bottleneck.rate == Bitrate(bitsPerSecond: rate))
        #expect(scenario.traces.count == 1)
        #expect(
            scenario.sentences[0].hasPrefix(
                "The uplink carries \(Bitrate(bitsPerSecond: rate)) on average, by a trace of "))
    }

    @Test func `a delay may be a trace, in steps, or constant`() throws {
        let sky = "rate: 8 Mbit/s, delay: { trace: sky.delays }"
        let steps = "rate: 8 Mbit/s, delay: { 0 s: 20 ms, 15 s: 60 ms, 20 s: 10 ms }"
        let scenario = try #require(try scenarios(Self.text(sky, steps)).first)
        let way = scenario.interfaces[0]
        #expect(way.uplink.delay == .milliseconds(20) && way.uplink.delays?.file == 0)
        #expect(way.uplink.longestDelay == .milliseconds(30))
        #expect(way.downlink.delay == .milliseconds(10) && way.downlink.delays?.file == nil)
        #expect(
            scenario.sentences[0].contains("with 20 ms to 30 ms of delay, by a trace of 2 s;"))
        #expect(
            scenario.sentences[1].contains(
                "with a delay of 20 ms from 0 ns, 60 ms from 15 s, 10 ms from 20 s;"))
        // A queue holds what the link carries in the longest round trip: 90 ms.
        #expect(way.uplink.bottleneck.queue == .dropTail(limit: ByteCount(90_000)))
    }

    @Test func `a file is opened once, and each case names what it follows`() throws {
        var opened: [String] = []
        let text =
            Self.text("rate: { trace: '${trace}' }, delay: 20 ms", Self.rate)
            + "for each: { trace: [cell.trace, ../T/cell.trace] }\n"
        let cases = try scenarios(text) { opened.append($0) }
        #expect(opened == ["S/cell.trace", "T/cell.trace"])
        #expect(
            cases.map { $0.traces.map(\.path) } == [
                ["S/cell.trace"], ["T/cell.trace", "S/cell.trace"],
            ])
    }

    @Test func `a scenario is read again from its text and its traces`() throws {
        let sky = "rate: 8 Mbit/s, delay: { trace: sky.delays }"
        let scenario = try #require(try scenarios(Self.text(Self.rate, sky)).first)
        let again = try Scenario.read(
            text: scenario.text, path: scenario.path, traces: scenario.traces)
        #expect(again.interfaces == scenario.interfaces)
        #expect(again.traces == scenario.traces)
    }

    @Test(arguments: [
        (
            "rate: { trace: no.trace }, delay: 20 ms",
            """
            S/x.yaml:4:28: error: the trace S/no.trace cannot be read: there is no such file
              expected the path from here of a text file with a number on each line: a \
            millisecond at which 1500 bytes can leave
            """
        ),
        (
            "rate: { trace: bad.trace }, delay: 20 ms",
            """
            S/bad.trace:3:1: error: “oops” is not a whole number
              expected a number on each line: a millisecond at which 1500 bytes can leave
              3 | oops
                | ^
              named at S/x.yaml:4:28
            """
        ),
        (
            "rate: { trace: zero.trace }, delay: 20 ms",
            "S/x.yaml:4:28: error: the trace ends at 0 ms, so it has no length"
        ),
        (
            "rate: 8 Mbit/s, delay: { trace: bad.delays }",
            "S/bad.delays:2:1: error: a single column"
        ),
        (
            "rate: 8 Mbit/s, delay: { trace: [1, 2] }",
            "S/x.yaml:4:45: error: a list where a single value is needed"
        ),
        (
            "rate: 8 Mbit/s, delay: { 1 s: 20 ms }",
            """
            S/x.yaml:4:36: error: these moments are not in order
              expected rising moments from 0 s on: { 0 s: 20 ms, 15 s: 60 ms }
            """
        ),
        (
            "rate: 8 Mbit/s, delay: { 0 s: 20 ms, 1 s: 2 h }",
            "S/x.yaml:4:55: error: a delay of 2 h one way"
        ),
    ])
    func `a mistake has its place and its remedy`(uplink: String, message: String) {
        let mistakes = mistakes(Self.text(uplink))
        #expect(mistakes.count == 1)
        #expect(mistakes.first?.hasPrefix(message) == true, "\(mistakes)")
    }
}
