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
        case paced(PacedClient, isOpen: Bool)
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

    /// Opens a stream of the paced transport.
    init(_ id: ConnectionID, by stream: PacedClient) {
        self.id = id
        security = nil
        way = .paced(stream, isOpen: false)
    }

    /// The address of the server, once the connection is open.
    var server: InternetAddress? {
        if case .open(let end) = way { end.stream.server } else { nil }
    }

    /// The stream, if this is one of the paced transport.
    var paced: PacedClient? { if case .paced(let stream, _) = way { stream } else { nil } }

    mutating func write(_ pieces: [OutgoingPiece]) { outgoing.append(pieces) }

    /// Closing will reset the connection and drop unsent data.
    func resetWhenClosed(at now: Instant) {
        switch way {
        case .racing: break
        case .opening(let end), .open(let end): end.stream.resetWhenClosed()
        case .paced(let stream, _): stream.reset(at: now)
        }
    }

    /// What it waits for.
    var wanted: [pollfd] {
        switch way {
        case .racing(let race): race.wanted
        case .opening(let end): [Self.wanted(of: end.stream, toSend: false)]
        case .open(let end): [Self.wanted(of: end.stream, toSend: !outgoing.isEmpty)]
        case .paced(let stream, _): stream.wanted.map { [$0] } ?? []
        }
    }

    private static func wanted(of stream: borrowing TCPStream, toSend: Bool) -> pollfd {
        let events = toSend || stream.hasUnsent ? POLLIN | POLLOUT : POLLIN
        return pollfd(fd: stream.descriptor.number, events: Int16(events), revents: 0)
    }

    /// When it wants to be served although nothing is ready.
    var deadline: Instant? {
        switch way {
        case .racing(let race): race.deadline
        case .opening, .open: nil
        // A channel has no socket of its own that would become ready.
        case .paced(let stream, isOpen: false):
            stream.open() == .underWay ? stream.deadline : .start
        case .paced(let stream, isOpen: true):
            !outgoing.isEmpty && stream.room > 0 ? .start : stream.deadline
        }
    }

    /// Moves what can be moved.
    mutating func serve(
        _ ready: ArraySlice<pollfd>, by clock: MachineClock, filesBelow folder: String
    ) -> [News] {
        switch way {
        case .racing(var race):
            switch race.advance(ready, at: clock.now, securedBy: security) {
            case .lost(let why): return [.over(why)]
            case .underWay:
                way = .racing(race)
                return []
            case .won(let end): return open(end)
            }
        case .opening(let end): return open(end)
        case .open(let end):
            return ready.first.map { serve(end.stream, $0, filesBelow: folder) } ?? []
        case .paced(let stream, let isOpen):
            return serve(stream, isOpen: isOpen, by: clock, filesBelow: folder)
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
            if let sent = send(atMost: Self.slice, filesBelow: folder, { stream.send($0) }) {
                news.append(sent)
            }
        }
        return news
    }

    private mutating func serve(
        _ stream: PacedClient, isOpen: Bool, by clock: MachineClock, filesBelow folder: String
    ) -> [News] {
        stream.move(by: clock)
        var news: [News] = []
        if !isOpen {
            switch stream.open() {
            case .failed(let why): return [.over(why)]
            case .underWay: return []
            case .open:
                way = .paced(stream, isOpen: true)
                news.append(.happened(.connected(id)))
            }
        }
        switch stream.receive(atMost: Self.slice, at: clock.now) {
        case .nothing: break
        case .bytes(let bytes): news.append(.happened(.received(id, [.bytes(bytes)])))
        case .end: return news + [.over(.closedByPeer)]
        case .broken(let why): return news + [.over(why)]
        }
        let room = min(stream.room, Self.slice)
        if let sent = send(atMost: room, filesBelow: folder, { stream.send($0) }) {
            news.append(sent)
        }
        return news
    }

    private mutating func send(
        atMost limit: Int, filesBelow folder: String,
        _ send: (UnsafeRawBufferPointer) -> TCPStream.Sent
    ) -> News? {
        let before = outgoing.taken
        do throws(OutgoingData.Failure) {
            while !outgoing.isEmpty, outgoing.taken < before + ByteCount(UInt64(limit)),
                let sent = try outgoing.send(atMost: limit, filesBelow: folder, by: send),
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
