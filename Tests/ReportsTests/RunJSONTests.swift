import Foundation
import Quantities
import RunLog
import Testing

@testable import Reports

@Suite struct RunJSONTests {
    @Test func `a report survives the way to run.json and back, whatever broke`() throws {
        for model in [SampleRun().model(), SampleRun.broken.model(verdicts: SampleRun.fallen)] {
            #expect(try RunJSON.model(from: RunJSON.data(for: model)) == model)
        }
    }

    @Test func `a replay finds the scenario's text, seed and place in it`() throws {
        let model = try RunJSON.model(from: RunJSON.data(for: SampleRun.broken.model()))
        #expect(model.beginning.text == SampleRun.broken.text)
        #expect(model.beginning.seed == 7)
        #expect(model.beginning.path == "Scenarios/queue/kill.yaml")
    }

    @Test func `the same run makes the same file`() {
        #expect(RunJSON.data(for: SampleRun().model()) == RunJSON.data(for: SampleRun().model()))
    }

    @Test func `a list of numbers is one line, and nothing else is`() throws {
        var model = SampleRun().model()
        model.series.throughput[0].bytes = [1, 20, 300]
        model.series.links?[0].queueingDelay = [nil, .milliseconds(1)]
        model.hints = ["[\n1]", "2"]
        let text = String(decoding: RunJSON.data(for: model), as: UTF8.self)
        for line in [#""bytes" : [1,20,300],"#, #""queueingDelay" : [null,1000000],"#] {
            #expect(text.contains(line))
        }
        #expect(text.contains("[\n    \"[\\n1]\",\n    \"2\"\n  ]"))
        #expect(try RunJSON.model(from: RunJSON.data(for: model)) == model)
    }

    @Test func `a file of another form is refused by name`() {
        let other = Data(#"{"format": "transferlab-run/9 (of the future)"}"#.utf8)
        let words = "its format is “transferlab-run/9 (of the future)”, not “transferlab-run/1”"
        #expect(throws: JSONMistake(words)) {
            try RunJSON.model(from: other)
        }
    }

    @Test func `a damaged file says what is missing`() {
        let form = Data(#"{"format": "transferlab-run/1"}"#.utf8)
        #expect(throws: JSONMistake("“beginning” is missing")) {
            try RunJSON.model(from: form)
        }
    }
}
