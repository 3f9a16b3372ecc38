import Testing

@testable import Runs

@Suite struct EventFileTests {
    @Test func `a log that cannot be begun says why`() {
        do {
            try EventFile(at: "/nowhere/events.jsonl").close()
            Issue.record("there is no such folder")
        } catch {
            let reason = "cannot write /nowhere/events.jsonl: No such file or directory; choose"
            #expect(error.description.hasPrefix(reason))
        }
    }
}
