package import Foundation
package import Live
import RunLog

/// A docroot served to real clients, and told about line by line.
package enum Serve {
    /// Serves until it is ended from outside; `tell` gets each line, without its end.
    package static func run(
        _ settings: ServiceSettings, tell: (Data) -> Void
    ) throws(RunFailure) {
        do throws(LiveError) {
            var log = RunLogSink()
            let service = try DocrootService(settings, into: &log)
            var lines = Lines()
            repeat {
                log.drain(into: &lines)
                for event in lines.events { tell(EventLines.line(for: event)) }
                lines.events = []
            } while try service.advance(into: &log)
        } catch {
            throw RunFailure("the server stopped: \(error.message)")
        }
    }

    private struct Lines: RunLogReader {
        var events: [RunEvent] = []
        mutating func read(_ event: RunEvent) { events.append(event) }
        mutating func read(packets: UnsafeBufferPointer<PacketRecord>) {}
    }
}
