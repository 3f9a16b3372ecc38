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
        case .created(let resource, let object, let length):
            .created(ResourceName(resource), object: object, length: length)
        case .acknowledged(let resource, let offset):
            .acknowledged(ResourceName(resource), offset: offset)
        case .appendBegan(let resource, let offset, let staged):
            .appendBegan(ResourceName(resource), at: offset, staged: staged)
        case .appendEnded(let resource, let staged, let complete):
            .appendEnded(ResourceName(resource), staged: staged, complete: complete)
        case .published(let resource, let object, let version, let content):
            .published(ResourceName(resource), object: object, version: version, content)
        case .refused(let method, let target, let status, let why):
            .refused(method: method, target: target, status: status, why: why)
        case .discarded(let resource, let why): .discarded(ResourceName(resource), why: why)
        case .reading(let object, let version, let offset, let length):
            .reading(object: object, version: version, at: offset, length: length)
        case .readingBroken(let object, let offset, let why):
            .readingBroken(object: object, at: offset, why: why)
        case .removed(let object): .removed(object: object)
        case .connected(let id, let client):
            .connected(connection: id.number, client: client.description)
        case .disconnected(let id): .disconnected(connection: id.number)
        case .answered(let id, let client, let method, let target, let status):
            .answered(
                connection: id.number, client: client.description, method: method,
                target: target, status: status)
        case .fault(let name, let connection, let client, let request, let effect):
            .fault(
                name, connection: connection, client: client?.description, request: request,
                effect: effect)
        case .faultSwitched(let name, let isOn): .faultSwitched(name, on: isOn)
        }
    }
}
