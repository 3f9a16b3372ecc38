import Content
import Glibc
import Quantities
import TransferEngine

/// A connection of the host: what waits to be sent, and how far connecting is.
struct HostConnection: ~Copyable {
    let id: ConnectionID
    private let stream: TCPStream
    private var outgoing = OutgoingData()
    private var isEstablished = false

    /// What has happened to a connection.
    enum News {
        case happened(AttemptInput)
        /// The last that is to be said of it.
        case over(Disconnection)
    }

    /// The most that is sent or received before the other connections have their turn.
    private static let slice = 256 * 1024

    init(
        _ id: ConnectionID, to address: String, port: UInt16,
        securedBy security: TCPStream.Security?
    ) throws(SystemError) {
        self.id = id
        stream = try TCPStream(connectingTo: address, port: port, securedBy: security)
    }

    mutating func write(_ pieces: [OutgoingPiece]) { outgoing.append(pieces) }

    /// Closing will reset the connection and drop unsent data.
    func resetWhenClosed() { stream.resetWhenClosed() }

    var wanted: pollfd {
        let isConnecting = !isEstablished && !stream.hasBegunTLS
        let hasToSend = isConnecting || stream.hasUnsent || isEstablished && !outgoing.isEmpty
        let events = hasToSend ? POLLIN | POLLOUT : POLLIN
        return pollfd(fd: stream.descriptor.number, events: Int16(events), revents: 0)
    }

    /// Moves what can be moved.
    mutating func serve(_ ready: pollfd, filesBelow folder: String) -> [News] {
        let isOver = ready.revents & Int16(POLLERR | POLLHUP) != 0
        guard isEstablished else {
            switch stream.open() {
            case .failed(let why): return [.over(why)]
            case .underWay: return []
            case .open:
                isEstablished = true
                return [.happened(.connected(id))]
            }
        }
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
            if let sent = send(filesBelow: folder) { news.append(sent) }
        }
        return news
    }

    private mutating func send(filesBelow folder: String) -> News? {
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
