import Foundation
import Quantities
import Testing

@testable import RunLog

@Suite struct EventLinesTests {
    @Test func `an event survives the way to a line and back`() throws {
        for event in RunDigestTests.log {
            #expect(try EventLines.event(from: EventLines.line(for: event), number: 1) == event)
        }
    }

    @Test func `a last line that a kill cut off is left out`() throws {
        var contents = Data()
        for event in RunDigestTests.log {
            contents += EventLines.line(for: event) + Data("\n".utf8)
        }
        let cut = contents.dropLast(5)
        #expect(try EventLines.events(in: cut) == Array(RunDigestTests.log.dropLast()))
    }

    @Test func `a damaged line is named by its number`() {
        let contents = Data("{\"at\":1}\n".utf8)
        #expect(throws: EventLines.Unreadable(line: 1, reason: "no subject is known")) {
            try EventLines.events(in: contents)
        }
    }
}
