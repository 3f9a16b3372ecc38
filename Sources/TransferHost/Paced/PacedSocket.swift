import Protocols
import Quantities
import TransferEngine

/// The client's end of a session over the paced transport: its socket, and how its channels stand.
final class PacedSocket {
    var trunk: PacedTrunk
    private let socket: DatagramSocket
    private let batch = DatagramBatch()
    private let inbox = DatagramInbox()
    private(set) var isOpen = false
    private var standings = [Standing()]

    private struct Standing {
        var hasPeerFinished = false
        var failure: Disconnection?
        /// Whether its host is through with it.
        var isClosed = false
    }

    /// The most that is received before others have their turn.
    private static let receptionsPerTurn = 16

    init(
        by socket: consuming DatagramSocket, session: UInt64, _ keys: PacedKeys,
        _ settings: PacedSettings, hasChannels: Bool, at now: Instant
    ) {
        trunk = PacedTrunk(
            keys, session: session, at: .client, settings, hasChannels: hasChannels,
            overIPv6: socket.isIPv6, at: now)
        self.socket = socket
    }

    func openChannel() -> Int? {
        guard isOpen, standings.contains(where: { !$0.isClosed && $0.failure == nil }),
            let channel = trunk.open()
        else { return nil }
        standings.append(Standing())
        return channel
    }

    func failure(of channel: Int) -> Disconnection? { standings[channel].failure }

    func hasPeerFinished(_ channel: Int) -> Bool { standings[channel].hasPeerFinished }

    /// The socket, for the host of the channel that looks after it: the first that is not closed,
    /// or any if all are.
    func descriptor(for channel: Int) -> Int32? {
        let first = standings.firstIndex { !$0.isClosed } ?? standings.count - 1
        return first == channel || standings[first].isClosed && standings[channel].isClosed
            ? socket.descriptor.number : nil
    }

    func own(of channel: Int) -> SocketAddress {
        var own = SocketAddress(of: socket.descriptor, isOfDatagrams: true)
        own.channel = UInt16(channel)
        return own
    }

    func close(_ channel: Int) {
        standings[channel].isClosed = true
        trunk.finish(channel, ignoring: true)
    }

    /// Whether nothing is left to send, or the hosts of other channels look after it.
    var isGone: Bool { trunk.isGone || standings.contains { !$0.isClosed } }

    // MARK: Datagrams

    var hasUnsent: Bool { !batch.isEmpty }

    var datagramDeadline: Instant? { hasUnsent ? nil : trunk.deadline }

    /// Receives the datagrams that have come, and sends those that are due.
    func move(by clock: MachineClock) {
        var wasRefused = false
        reception: for _ in 0..<Self.receptionsPerTurn {
            switch socket.receive(into: inbox) {
            case .nothing: break reception
            case .refused: wasRefused = true
            case .datagrams:
                let now = clock.now
                inbox.forEach { datagram, _ in
                    guard let head = PacedHead(UnsafeRawBufferPointer(datagram)) else { return }
                    _ = trunk.take(head, datagram, at: now)
                }
            }
        }
        if !send(by: clock) { wasRefused = true }
        if wasRefused { for change in trunk.wasRefused() { hear(trunk.heard(change)) } }
        hear(trunk.news())
    }

    /// Sends what is due; returns false if nobody listens at the other end.
    private func send(by clock: MachineClock) -> Bool {
        let now = clock.now
        repeat {
            trunk.send(into: batch) { clock.now }
            switch socket.send(batch) {
            case .all: break
            case .full: return true
            case .refused: return false
            }
        } while trunk.deadline.map { $0 <= now } ?? false
        return true
    }

    private func hear(_ news: [(channel: Int, PacedEnd.News)]) {
        for (channel, change) in news {
            switch change {
            case .opened: isOpen = true
            // Whoever uses a channel looks for both after each move.
            case .content, .room: break
            case .peerFinished: standings[channel].hasPeerFinished = true
            case .over(.closed): standings[channel].hasPeerFinished = true
            case .over(.reset): standings[channel].failure = .reset
            case .over(.refused): standings[channel].failure = .refused
            case .over(.silent): standings[channel].failure = .timedOut
            }
        }
    }
}
