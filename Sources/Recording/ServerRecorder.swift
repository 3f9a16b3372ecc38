package import DocrootServer
package import Quantities
package import RunLog

/// Turns the server's decisions into events of the log, in both worlds alike.
package struct ServerRecorder: Sendable {
    package init() {}

    package func record(_ output: ServerOutput, at now: Instant, into log: inout RunLogSink) {
        guard case .note(let note) = output else { return }
        log.record(.server(fact(of: note)), at: now)
    }

    private func fact(of note: ServerNote) -> ServerFact {
        switch note {
        case .created(let upload, let object, let length):
            .created(name(upload), object: object, length: length)
        case .acknowledged(let upload, let offset): .acknowledged(name(upload), offset: offset)
        case .appendBegan(let upload, let offset, let staged):
            .appendBegan(name(upload), at: offset, staged: staged)
        case .appendEnded(let upload, let staged, let complete):
            .appendEnded(name(upload), staged: staged, complete: complete)
        case .published(let upload, let object, let version, let content):
            .published(name(upload), object: object, version: version, content)
        case .refused(let method, let target, let status, let why):
            .refused(method: method, target: target, status: status, why: why)
        }
    }

    private func name(_ upload: UploadID) -> ResourceName { ResourceName(upload.resource) }
}
