package import Content
package import Quantities

/// The docroot server: staging, offsets and published objects.
package enum ServerFact: Hashable, Sendable, Codable {
    /// The server created an upload resource for an object, a path under the docroot.
    case created(ResourceName, object: String, length: ByteCount?)
    /// The server told a client the offset at which an append must begin.
    case acknowledged(ResourceName, offset: ByteCount)
    /// A client began to append at an offset; `staged` counts the bytes on the server.
    case appendBegan(ResourceName, at: ByteCount, staged: ByteCount)
    case appendEnded(ResourceName, staged: ByteCount, complete: Bool)
    /// The server published content; the version counts an object's publications from 1.
    case published(ResourceName, object: String, version: UInt64, [ContentRange])
    case refused(method: String, target: String, status: Int, why: String)
    /// A user got a token, named by when.
    case tokenIssued(user: String, token: String)
    /// The credential of a request is not accepted; a password has no name.
    case credentialRefused(user: String?, token: String?, method: String, target: String)
    case discarded(ResourceName, why: String)
    /// A reader began to read a part of an object. The tag is the number in the body's ETag, which
    /// the store counts over all objects.
    case reading(object: String, tag: UInt64, at: ByteCount, length: ByteCount)
    /// A reader did not get everything; `at` is its progress in whole blocks.
    case readingBroken(object: String, at: ByteCount, why: String)
    case removed(object: String)
    /// After a loss of power an object is gone, or another than readers have seen before.
    case lost(object: String)
    /// At the run's end this file of the staging area belongs to no upload.
    case leftOver(file: String)
    /// A client connected. Connections, their ends and answers are recorded only for clients
    /// outside the run; connections are counted from 1.
    case connected(connection: UInt32, client: String)
    case disconnected(connection: UInt32)
    case answered(
        connection: UInt32, client: String?, method: String, target: String, status: Int)
    /// A fault of the script took effect on a request or on the whole server.
    case fault(
        String, connection: UInt32?, client: String?, request: String?, effect: String)
    case faultSwitched(String, on: Bool)
    /// A client beside the server began a visit of the plan.
    case visited(String, request: String)
    /// The answer to a visit: its head, the length of its body, and the body if it is a short text.
    case visitAnswered(String, head: String, body: ByteCount, text: String?)
    /// The connection of a visit ended without an answer.
    case visitUnanswered(String)
    /// A server without a scenario accepts connections.
    case listening(address: String, port: UInt16, docroot: String)
    /// The status page for browsers is available.
    case statusShown(at: String)
    /// Clients that trust this file take its TLS.
    case certificateKept(in: String)

    // The names in `events.jsonl`, also of values without a label.
    private enum CodingKeys: CodingKey, CaseIterable {
        case created, acknowledged, appendBegan, appendEnded, published, refused, discarded, reading
        case tokenIssued, credentialRefused
        case readingBroken, removed, lost, leftOver, connected, disconnected, answered, fault
        case faultSwitched, visited, visitAnswered, visitUnanswered, listening, statusShown
        case certificateKept
    }
    private enum CreatedCodingKeys: String, CodingKey { case _0 = "resource", object, length }
    private enum AcknowledgedCodingKeys: String, CodingKey { case _0 = "resource", offset }
    private enum AppendBeganCodingKeys: String, CodingKey { case _0 = "resource", at, staged }
    private enum AppendEndedCodingKeys: String, CodingKey { case _0 = "resource", staged, complete }
    private enum DiscardedCodingKeys: String, CodingKey { case _0 = "resource", why }
    private enum FaultCodingKeys: String, CodingKey {
        case _0 = "name", connection, client, request, effect
    }
    private enum FaultSwitchedCodingKeys: String, CodingKey { case _0 = "name", on }
    private enum VisitedCodingKeys: String, CodingKey { case _0 = "visit", request }
    private enum VisitAnsweredCodingKeys: String, CodingKey {
        case _0 = "visit", head, body, text
    }
    private enum VisitUnansweredCodingKeys: String, CodingKey { case _0 = "visit" }
    private enum PublishedCodingKeys: String, CodingKey {
        case _0 = "resource", object, version, _3 = "content"
    }

    package var sentence: String {
        switch self {
        case .created(let resource, let object, let length):
            "\(resource) is created for \(object), \(length.map { "\($0)" } ?? "of unknown length")"
        case .acknowledged(let resource, let offset): "\(resource) has \(offset)"
        case .appendBegan(let resource, let at, _): "an append to \(resource) begins at \(at)"
        case .appendEnded(let resource, let staged, let complete):
            "the append to \(resource) ends with \(staged)\(complete ? ", complete" : "")"
        case .published(_, let object, let version, let ranges):
            ranges.isEmpty
                ? "\(object) is published as version \(version)"
                : "\(object) is published as version \(version): "
                    + ranges.listed
        case .refused(let method, let target, let status, let why):
            "\(method) \(target) is refused with \(status): \(why)"
        case .tokenIssued(let user, let token): "\(user) gets the token \(token)"
        case .credentialRefused(let user, let token, let method, let target):
            "the \(token.map { "token \($0)" } ?? "password") of \(user ?? "nobody known here") is "
                + "not accepted for \(method) \(target)"
        case .discarded(let resource, let why): "\(resource) is discarded: \(why)"
        case .reading(let object, let tag, let at, let length):
            "\(length) of \(object), tagged v\(tag), are read from \(at) on"
        case .readingBroken(let object, let at, let why):
            "the reading of \(object) ends after \(at): \(why)"
        case .removed(let object): "\(object) is removed"
        case .lost(let object): "the loss of power has taken \(object), which was published"
        case .leftOver(let file): "the staging area still has \(file), which belongs to no upload"
        case .connected(let connection, let client):
            "connection \(connection) is opened from \(client)"
        case .disconnected(let connection): "connection \(connection) is over"
        case .answered(let connection, let client, let method, let target, let status):
            "\(method) \(target)\(Self.from(client)) on connection \(connection) is answered with "
                + "\(status)"
        case .fault(let name, _, let client, let request, let effect):
            "fault “\(name)”\(request.map { " on \($0)" } ?? "")\(Self.from(client)): \(effect)"
        case .faultSwitched(let name, let on): "fault “\(name)” is \(on ? "on" : "off")"
        case .visited(let visit, let request): "visit “\(visit)” begins: \(request)"
        case .visitAnswered(let visit, let head, let body, _):
            "visit “\(visit)” is answered: \(head.prefix { !$0.isNewline }), with \(body)"
        case .visitUnanswered(let visit): "visit “\(visit)” ends without an answer"
        case .listening(let address, let port, let docroot):
            "\(docroot) is served on \(address):\(port)"
        case .statusShown(let address): "how it stands is shown at \(address)"
        case .certificateKept(let path): "it speaks TLS with the certificate in \(path)"
        }
    }

    /// The fault that takes effect. The end of the power, which was announced, and the return of
    /// a server are no effects of their own.
    package var faultInEffect: String? {
        guard case .fault(let name, _, _, _, let effect) = self, !effect.hasPrefix(Self.isBack),
            !effect.hasPrefix(Self.hasNoPower)
        else { return nil }
        return name
    }

    /// Whether the server's machine loses its power now.
    package var losesPower: Bool {
        guard case .fault(_, _, _, _, let effect) = self else { return false }
        return effect.hasPrefix(Self.powerFails) || effect.hasPrefix(Self.hasNoPower)
    }

    /// Whether a server is back after a restart or a loss of power.
    package var comesBack: Bool {
        guard case .fault(_, _, _, _, let effect) = self else { return false }
        return effect.hasPrefix(Self.isBack)
    }

    /// The first words about a server that has restarted.
    package static let isBack = "the server is back"

    /// The first words about a loss of power that comes at once.
    package static let powerFails = "the power fails"

    /// The first words about a loss of power that was to come after some disk steps.
    package static let hasNoPower = "the power is gone"

    /// Why an upload that was not durable is discarded after a loss of power.
    package static let lostWithPower = "it was lost with the power"

    private static func from(_ client: String?) -> String { client.map { " from \($0)" } ?? "" }
}
