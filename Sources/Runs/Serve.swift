package import Foundation
package import Live
import Quantities
import Reports
import RunLog

/// A docroot served to real clients, told about line by line, and shown in a browser.
package enum Serve {
    /// Serves until it is ended from outside; `tell` gets each line, without its end.
    package static func run(
        _ settings: ServiceSettings, tell: (Data) throws(RunFailure) -> Void
    ) throws(RunFailure) {
        var log = RunLogSink()
        let book = ServiceBook()
        let service: DocrootService
        do throws(LiveError) {
            service = try DocrootService(settings, into: &log, show: book.show)
        } catch {
            throw RunFailure("the server cannot start: \(error.message)")
        }
        var lines = Lines()
        var goesOn = true
        while goesOn {
            log.drain(into: &lines)
            for event in lines.events {
                book.note(event)
                try tell(EventLines.line(for: event))
            }
            lines.events = []
            do throws(LiveError) { goesOn = try service.advance(into: &log) } catch {
                throw RunFailure("the server stopped: \(error.message)")
            }
        }
    }

    private struct Lines: RunLogReader {
        var events: [RunEvent] = []
        mutating func read(_ event: RunEvent) { events.append(event) }
        mutating func read(packets: UnsafeBufferPointer<PacketRecord>) {}
    }
}
