import DocrootServer
import Protocols
import Quantities
import TransferHost

/// The server's end of a session over the paced transport, and the streams of its channels.
final class PacedServerSession {
    let number: UInt64
    /// The client's first address, by which it is known.
    let peer: SocketAddress
    /// Its address now.
    private var address: PacedPeer<SocketAddress>
    /// A challenge to another address.
    private var challenge: DatagramBatch?
    var trunk: PacedTrunk
    private(set) var streams: [PacedServerStream?] = []
    private var batch: DatagramBatch
    private(set) var latest: Instant
    private var goneAt: Instant?

    /// What a client may still ask after the end, because an answer was lost.
    private static let lingering = TimeSpan.seconds(10)

    init(_ session: PacedSession, from peer: SocketAddress, at now: Instant) {
        number = session.number
        self.peer = peer
        address = PacedPeer(at: peer)
        let keys = PacedKeys(
            authorization: session.authorization, client: session.client, server: session.server)
        trunk = PacedTrunk(
            keys, session: session.number, at: .server, session.rates,
            hasChannels: session.hasChannels, at: now)
        batch = DatagramBatch(to: peer)
        latest = now
    }

    // MARK: Datagrams

    /// When `send` is to be called.
    var deadline: Instant? {
        if streams.contains(where: { $0?.isReady ?? false }) { return latest }
        if challenge != nil { return latest }
        return batch.isEmpty ? trunk.deadline : latest + .milliseconds(1)
    }

    /// Takes a datagram; returns false if it is not genuine.
    func take(
        _ head: PacedHead, _ datagram: UnsafeMutableRawBufferPointer,
        from sender: SocketAddress, at now: Instant
    ) -> Bool {
        latest = now
        let newest = trunk.newest
        guard trunk.take(head, datagram, at: now) else { return false }
        follow(sender, isNewest: trunk.newest > newest, at: now)
        // The first datagram opens the stream of channel 0.
        _ = stream(of: 0)
        hear()
        return true
    }

    /// Follows the client to another address, once that has answered a challenge.
    private func follow(_ sender: SocketAddress, isNewest: Bool, at now: Instant) {
        let hasAnswered = trunk.hasAnswer
        switch address.came(
            from: sender, isNewest: isNewest, hasAnswered: hasAnswered, at: now)
        {
        case .stay: break
        case .challenge(let other):
            let probe = DatagramBatch(to: other)
            trunk.challenge(into: probe, at: now)
            challenge = probe
        case .move:
            trunk.moves(at: now)
            batch = DatagramBatch(to: sender)
        }
    }

    /// Sends what is due.
    func send(by socket: borrowing DatagramSocket, isMute: Bool, by clock: MachineClock) {
        latest = clock.now
        if let probe = challenge, !isMute { _ = socket.send(probe) }
        challenge = nil
        repeat {
            trunk.send(into: batch) { clock.now }
            if isMute { batch.empty() }
        } while socket.send(batch) == .all && trunk.deadline.map { $0 <= latest } ?? false
        hear()
    }

    /// The streams to which something has happened, in the order of their channels.
    var changed: [PacedServerStream] { streams.compactMap(\.self).filter(\.isReady) }

    private func hear() {
        for (channel, change) in trunk.news() {
            let stream = stream(of: channel)
            switch change {
            // Whoever uses a stream looks for both after each turn.
            case .opened, .content, .room: break
            case .peerFinished, .over(.closed): stream.hasPeerFinished = true
            case .over(.reset), .over(.refused), .over(.silent): stream.isBroken = true
            }
        }
    }

    private func stream(of channel: Int) -> PacedServerStream {
        while streams.count <= channel { streams.append(nil) }
        if let stream = streams[channel] { return stream }
        let stream = PacedServerStream(channel, of: self)
        streams[channel] = stream
        return stream
    }

    /// Forgets the streams, which keep the session as long as their connections are there.
    func letGo() { streams = [] }

    /// Whether nothing will be sent any more, and no client asks.
    func isGone(at now: Instant) -> Bool {
        guard trunk.isGone, streams.allSatisfy({ $0?.connection == nil }) else {
            goneAt = nil
            return false
        }
        let since = goneAt ?? now
        goneAt = since
        return now - since >= Self.lingering
    }
}
