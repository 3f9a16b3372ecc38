import Protocols
package import Quantities

/// How a lane says who asks, and what the server says to that.
extension Lane {
    /// Whether the lane is open, and waits for its credential before it asks for anything.
    var awaitsIdentity: Bool { identity == .awaited && isEstablished && phase == .idle }

    /// Whether the lane waits for its credential, or will when it is open.
    var needsIdentity: Bool { identity == .awaited || rejections > 0 }

    /// Whether the app has heard that something of the file has moved on this connection.
    var hasToldProgress: Bool {
        if case .sending(let append) = phase { append.reported > append.from } else { false }
    }

    /// Introduces the session before anything is transferred (A2).
    mutating func introduce(at now: Instant, into wanted: inout [AttemptOutput]) {
        lastActivity = now
        begin(
            .hello(HelloRequest(wire.isDownload ? "/dav" : TusDialogue.collection)), into: &wanted)
    }

    /// Returns what the server rejects with this answer; `nil` if it accepts it, or if the request
    /// did not say who asks.
    mutating func rejects(
        _ head: HTTPResponseHead, _ request: TransferRequest
    ) -> CredentialUse? {
        guard let use = lastUse else { return nil }
        guard head.status == 401 else {
            // A token may expire between any two requests: only content shows that it lasts (L2).
            if request.movesContent, (200..<300).contains(head.status) { rejections = 0 }
            return nil
        }
        return use
    }

    /// Ends the introduction. A server that does not know the method has nothing against the user.
    mutating func greeted(_ head: HTTPResponseHead) -> Need {
        phase = .idle
        return switch head.status {
        case 300..<400: .fail(.connectionFailed)
        case 401: .fail(.authentication)
        case 403: .fail(.unauthorised)
        case 408, 423, 429, 500, 502...: .fail(.peerEndedSession)
        default: .told(.accepted)
        }
    }
}

extension HTTPRequestHead {
    /// The head as pieces to send, with a credential as its last field.
    func pieces(by use: CredentialUse?) -> [OutgoingPiece] {
        guard let use else { return [.bytes(bytes)] }
        return [
            .bytes(bytes.dropLast(2) + Array("Authorization: ".utf8)), .credential(use),
            .bytes(Array("\r\n\r\n".utf8)),
        ]
    }
}

extension OutgoingPiece {
    package var length: ByteCount {
        switch self {
        case .bytes(let bytes): ByteCount(UInt64(bytes.count))
        case .credential(let use): use.length
        case .file(_, _, let length, _): length
        }
    }
}
