package import Foundation
package import Live
import Quantities
import Reports
import RunLog

/// Serves a docroot to real clients, with a log on standard output, a status page, and perhaps a
/// recording.
package enum Serve {
    /// Serves until a signal ends it. `tell` gets each line of the log, and `complain` each problem
    /// that does not end the server.
    package static func run(
        _ settings: ServiceSettings, recording: ServiceRecording?,
        tell: (Data) throws(RunFailure) -> Void, complain: (String) -> Void
    ) throws(RunFailure) {
        var settings = settings
        settings.capture = recording?.capturePlan
        var log = RunLogSink()
        let book = ServiceBook(recording: recording?.path)
        let service: DocrootService
        do throws(LiveError) {
            service = try DocrootService(settings, into: &log, show: book.show)
        } catch {
            throw RunFailure("the server cannot start: \(reason(error))")
        }
        let writer = try recording.map { (recording) throws(RunFailure) in
            try recording.begin(settings, at: service.wallNanosecondsAtStart)
        }
        var lines = Lines(writer: writer)
        do throws(RunFailure) {
            var goesOn = true
            while true {
                log.drain(into: &lines)
                try writer?.flush()
                for event in lines.events {
                    book.note(event)
                    if case .run(.limited(let what, let remedy)) = event.fact {
                        complain("\(what); \(remedy)")
                    }
                    try tell(EventLines.line(for: event))
                }
                lines.events = []
                guard goesOn else { break }
                do throws(LiveError) { goesOn = try service.advance(into: &log) } catch {
                    throw RunFailure("the server stopped: \(error.message)")
                }
            }
        } catch {
            // Keeps this error, even if ending the recording fails, too.
            if let writer { try? recording?.end(writer, at: nil) }
            throw error
        }
        if let writer { try recording?.end(writer, at: service.now) }
    }

    private static func reason(_ error: LiveError) -> String {
        switch error {
        case .portInUse(let port, .clients):
            "port \(port) is in use; choose another port with --port, or leave --port out"
        case .portInUse(let port, .status):
            "port \(port), for the status page, is in use; choose another port with --status, or "
                + "leave --status out"
        case .noCapture(let reason):
            "\(reason), or record only the log with --no-capture"
        case .security(let error):
            "\(error); with --tls, name a folder of its own, which may be empty"
        case .system, .unreadableEvent, .unreadableWord, .daemonBrokeDown, .orders, .interrupted:
            error.message
        }
    }

    private struct Lines: RunLogReader {
        let writer: ServiceRecording.Writer?
        var events: [RunEvent] = []

        mutating func read(_ event: RunEvent) {
            writer?.read(event)
            events.append(event)
        }

        mutating func read(packets: UnsafeBufferPointer<PacketRecord>) {
            writer?.read(packets: packets)
        }
    }
}
