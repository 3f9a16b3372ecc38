import Protocols
import Quantities

/// How a lane has the server open a session of the paced transport.
extension Lane {
    /// The stream that is being opened, if there is one.
    var opening: ConnectionID? {
        if case .opening(let stream, _) = phase { stream } else { nil }
    }

    /// The size of the file that moves, as far as it is known.
    var size: ByteCount? { fetch.map(\.total) ?? source?.fingerprint.size }

    mutating func askForPaced(
        _ rate: RateWish, _ nonce: PacedNonce, hasChannels: Bool, at now: Instant,
        into wanted: inout [AttemptOutput]
    ) {
        lastActivity = now
        let request = PacedRequest.open(PacedSettings(rate), nonce, hasChannels: hasChannels)
        begin(.paced(request), into: &wanted)
    }

    /// Asks whether anything of a session has arrived.
    mutating func askWhatArrived(
        of session: UInt64, at now: Instant, into wanted: inout [AttemptOutput]
    ) {
        lastActivity = now
        phase = .idle
        begin(.paced(.ask(session: session)), into: &wanted)
    }

    mutating func told(_ head: HTTPResponseHead, of question: PacedRequest) -> Need {
        if case .ask = question { return .told(.heard(PacedNews.hasHeard(parsing: head))) }
        if let grant = PacedGrant(parsing: head) { return .told(.granted(grant)) }
        guard !(200..<300).contains(head.status) else { return .fail(.protocolViolation) }
        let need = greeted(head)
        return need == .told(.accepted) ? .told(.notOffered) : need
    }
}

extension PacedSettings {
    /// The rates of a session, as far as the transport knows such rates.
    package init(_ wish: RateWish) {
        let policy: PacedPolicy =
            switch wish.policy {
            case .fixed: .fixed
            case .high: .high
            case .fair: .fair
            case .low: .low
            }
        func bounded(_ wish: UInt64, _ lowest: Bitrate) -> Bitrate {
            let most = min(wish, Self.highestTarget.bitsPerSecond)
            return Bitrate(bitsPerSecond: max(most, lowest.bitsPerSecond))
        }
        self.init(
            policy: policy, target: bounded(wish.target, Bitrate(bitsPerSecond: 1)),
            minimum: bounded(wish.minimum, Self.lowestMinimum))
    }
}
