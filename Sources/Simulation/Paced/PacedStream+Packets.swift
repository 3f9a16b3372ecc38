import Content
import LinkModels
import Protocols
import Quantities
import RunLog
import RunPlan

/// What happens to the ends of a stream.
extension PacedStream {
    /// Does what is due.
    mutating func wake(_ fabric: inout NetworkFabric, _ news: inout HostNews) {
        for side in [PacedSide.client, .server]
        where !isDead[side.rawValue] && unheard[side.rawValue] == nil {
            sendPackets(side, &fabric)
            sendReports(side, &fabric)
            tell(side, &fabric, &news)
        }
    }

    /// Takes a packet; returns false if there is nobody to take it.
    mutating func arrived(
        _ packet: borrowing Packet, at side: PacedSide, _ fabric: inout NetworkFabric,
        _ news: inout HostNews
    ) -> Bool {
        let place = side.rawValue
        guard !isDead[place] else { return false }
        if let waiting = unheard[place] {
            if waiting.count < Self.mostUnheard { unheard[place]?.append(KeptPacket(packet)) }
            return true
        }
        let now = fabric.kernel.now
        if side == .client, translation?.letsIn(packet, at: now) == false { return true }
        let newest = ends[place].newest
        defer {
            if side == .server, translation != nil {
                follow(packet, isNewest: ends[place].newest > newest, &fabric)
            }
        }
        if packet.generation == PacedWay.kindOfReport {
            guard let report = ways[place].takeReport(packet), ends[place].heard(report, at: now)
            else { return true }
            sendPackets(side, &fabric)
        } else {
            if side == .server, !ends[place].isOpen { accept(&news) }
            let other = side.other.rawValue
            if ends[place].arrived(PacedPacket(packet), at: now) {
                for chunk in ends[other].sender.chunks(of: packet.acknowledgement) {
                    ends[place].take(chunk)
                }
            }
            sendReports(side, &fabric)
        }
        tell(side, &fabric, &news)
        return true
    }

    /// Lets the process at an end stand still, or go on with what the system has kept for it.
    mutating func standStill(
        _ side: PacedSide, _ stands: Bool, _ fabric: inout NetworkFabric, _ news: inout HostNews
    ) {
        let place = side.rawValue
        if stands {
            if unheard[place] == nil { unheard[place] = [] }
            return
        }
        let waiting = unheard[place] ?? []
        unheard[place] = nil
        guard !isDead[place] else { return }
        for kept in waiting { _ = arrived(kept.packet, at: side, &fabric, &news) }
        sendPackets(side, &fabric)
        sendReports(side, &fabric)
        tell(side, &fabric, &news)
    }

    /// Follows the client to another address, once that has answered a challenge.
    private mutating func follow(
        _ packet: borrowing Packet, isNewest: Bool, _ fabric: inout NetworkFabric
    ) {
        let (place, now) = (PacedSide.server.rawValue, fabric.kernel.now)
        guard !ends.isEmpty,
            let sender = translation?.sender(at: Instant(nanoseconds: packet.stamp))
        else { return }
        let hasAnswered = ends[place].hasAnswer
        switch client.came(from: sender, isNewest: isNewest, hasAnswered: hasAnswered, at: now) {
        case .stay: break
        case .challenge(let address):
            let probe = ends[place].challenge(at: now)
            translation?.challenged(address, by: probe.number)
            ways[place].send(probe, offset: 0, &fabric)
        case .move:
            translation?.serverMoves(to: sender, at: now)
            ends[place].moves(at: now)
        }
    }

    /// Nobody listens at the other end.
    mutating func wasRefused(_ side: PacedSide, _ news: inout HostNews) {
        guard !isDead[side.rawValue] else { return }
        tell(ends[side.rawValue].wasRefused(), side, &news)
    }

    mutating func sendPackets(_ side: PacedSide, _ fabric: inout NetworkFabric) {
        let place = side.rawValue
        while let packet = ends[place].next(at: fabric.kernel.now) {
            if side == .client { translation?.passesOut(at: fabric.kernel.now) }
            ways[place].send(packet, offset: ends[place].sender.offset, &fabric)
        }
        if !channels.isEmpty { channels[place].transmitted(ends[place].transmitted) }
    }

    mutating func sendReports(_ side: PacedSide, _ fabric: inout NetworkFabric) {
        while let report = ends[side.rawValue].report(at: fabric.kernel.now) {
            if side == .client { translation?.passesOut(at: fabric.kernel.now) }
            ways[side.other.rawValue].send(report, &fabric)
        }
    }

    private mutating func accept(_ news: inout HostNews) {
        ends[PacedSide.server.rawValue].accept()
        news.append(.accepted(handle(of: .server, 0), .server, port: PacedDoor.port))
    }

    /// Tells the host what has changed at its end.
    mutating func tell(
        _ side: PacedSide, _ fabric: inout NetworkFabric, _ news: inout HostNews
    ) {
        let place = side.rawValue
        let changes = ends[place].news()
        guard !channels.isEmpty else { return tell(changes, side, &news) }
        dealOut(side, &fabric)
        for (channel, change) in channels[place].news() { tell(change, side, channel, &news) }
        tell(changes, side, &news)
        if side == .server, isPeerThrough, channels[place].hasFinished { ends[place].finish() }
    }

    private mutating func tell(
        _ changes: [PacedEnd.News], _ side: PacedSide, _ news: inout HostNews
    ) {
        for change in changes {
            guard !channels.isEmpty else {
                tell(change, side, 0, &news)
                continue
            }
            if change == .peerFinished, side == .server { isPeerThrough = true }
            for (channel, change) in channels[side.rawValue].heard(change) {
                tell(change, side, channel, &news)
            }
        }
    }

    private func tell(
        _ change: PacedEnd.News, _ side: PacedSide, _ channel: Int, _ news: inout HostNews
    ) {
        let handle = handle(of: side, channel)
        switch change {
        case .opened where side == .server:
            news.append(.accepted(handle, .server, port: PacedDoor.port))
        case .opened: news.append(.connected(handle))
        case .content: news.append(.readable(handle))
        case .room: news.append(.roomAvailable(handle))
        case .peerFinished: news.append(.peerFinished(handle))
        case .over(let why): news.append(.ended(handle, ConnectionEnd(why)))
        }
    }
}

/// A packet that waits in its host's system.
final class KeptPacket: Sendable {
    let packet: Packet

    init(_ packet: borrowing Packet) { self.packet = Packet(packet) }
}

extension ConnectionEnd {
    fileprivate init(_ end: PacedEnd.End) {
        switch end {
        case .closed: self = .closed
        case .reset: self = .reset
        case .refused: self = .refused
        case .silent: self = .timedOut
        }
    }
}
