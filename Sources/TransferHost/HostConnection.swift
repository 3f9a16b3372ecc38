import Content
import Glibc
import Quantities
import TransferEngine

/// A connection of the host: what waits to be sent, and how far connecting is.
struct HostConnection: ~Copyable {
    let id: ConnectionID
    private var way: Way
    private let security: TCPStream.Security?
    private var outgoing = OutgoingData()

    /// How far the connection is.
    private enum Way {
        case racing(ConnectionRace)
        /// TLS agrees on its keys.
        case opening(ConnectionRace.Attempt)
        case open(ConnectionRace.Attempt)
    }

    /// What has happened to a connection.
    enum News {
        case happened(AttemptInput)
        /// The last that is to be said of it.
        case over(Disconnection)
    }

    /// The most that is sent or received before the other connections have their turn.
    private static let slice = 256 * 1024

    /// Begins to connect at the first call of `serve`.
    init(
        _ id: ConnectionID, to addresses: [InternetAddress],
        securedBy security: TCPStream.Security?
    ) {
        self.id = id
        self.security = security
        way = .racing(ConnectionRace(to: addresses))
    }

    mutating func write(_ pieces: [OutgoingPiece]) { outgoing.append(pieces) }

    /// Closing will reset the connection and drop unsent data.
    func resetWhenClosed() {
        switch way {
        case .racing: break
        case .opening(let end), .open(let end): end.stream.resetWhenClosed()
        }
    }

    /// What it waits for.
    var wanted: [pollfd] {
        switch way {
        case .racing(let race): race.wanted
        case .opening(let end): [Self.wanted(of: end.stream, toSend: false)]
        case .open(let end): [Self.wanted(of: end.stream, toSend: !outgoing.isEmpty)]
        }
    }

    private static func wanted(of stream: borrowing TCPStream, toSend: Bool) -> pollfd {
        let events = toSend || stream.hasUnsent ? POLLIN | POLLOUT : POLLIN
        return pollfd(fd: stream.descriptor.number, events: Int16(events), revents: 0)
    }

    /// When it wants to be served although nothing is ready.
    var deadline: Instant? { if case .racing(let race) = way { race.deadline } else { nil } }

    /// Moves what can be moved.
    mutating func serve(
        _ ready: ArraySlice<pollfd>, at now: Instant, filesBelow folder: String
    ) -> [News] {
        switch way {
        case .racing(var race):
            switch race.advance(ready, at: now, securedBy: security) {
            case .lost(let why): return [.over(why)]
            case .underWay:
                way = .racing(race)
                return []
            case .won(let end): return open(end)
            }
        case .opening(let end): return open(end)
        case .open(let end):
            return ready.first.map { serve(end.stream, $0, filesBelow: folder) } ?? []
        }
    }

    private mutating func open(_ end: ConnectionRace.Attempt) -> [News] {
        switch end.stream.open() {
        case .failed(let why): return [.over(why)]
        case .underWay:
            way = .opening(end)
            return []
        case .open:
            way = .open(end)
            return [.happened(.connected(id))]
        }
    }

    private mutating func serve(
        _ stream: borrowing TCPStream, _ ready: pollfd, filesBelow folder: String
    ) -> [News] {
        let isOver = ready.revents & Int16(POLLERR | POLLHUP) != 0
        var news: [News] = []
        if isOver || ready.revents & Int16(POLLIN) != 0 {
            switch stream.receive(atMost: Self.slice) {
            case .nothing: break
            case .bytes(let bytes): news.append(.happened(.received(id, [.bytes(bytes)])))
            case .end: return [.over(.closedByPeer)]
            case .broken(let why): return [.over(why)]
            }
        }
        if ready.revents & Int16(POLLOUT) != 0 {
            if case .broken(let why) = stream.flush() { return news + [.over(why)] }
            if let sent = send(on: stream, filesBelow: folder) { news.append(sent) }
        }
        return news
    }

    private mutating func send(
        on stream: borrowing TCPStream, filesBelow folder: String
    ) -> News? {
        let before = outgoing.taken
        do throws(OutgoingData.Failure) {
            while !outgoing.isEmpty,
                outgoing.taken < before + ByteCount(UInt64(Self.slice)),
                let sent = try stream.send(&outgoing, atMost: Self.slice, filesBelow: folder),
                sent > 0
            {}
        } catch {
            switch error {
            case .broken(let why): return .over(why)
            case .unreadable(let found): return .happened(.unreadable(id, found: found))
            }
        }
        return outgoing.taken > before ? .happened(.taken(id, outgoing.taken)) : nil
    }
}
