import DocrootServer
import Glibc
import Protocols
import Quantities
import RunPlan
import TransferHost

/// The server's port of the paced transport: one socket for the sessions of all clients.
final class PacedPort {
    private let socket: DatagramSocket
    private let door: PacedDoor
    private let inbox = DatagramInbox()
    /// Sessions that wait for their clients, in the order of their numbers.
    private var admitted: [PacedSession] = []
    private var streams: [UInt64: PacedServerStream] = [:]
    /// Datagrams that were not genuine.
    private(set) var refusedCount: UInt64 = 0

    static let source = EventLoop.Source(kind: .datagrams)
    /// Clients come soon or never.
    private static let mostAdmitted = 4_096
    private static let receptionsPerTurn = 16

    /// Takes a port.
    init(behind door: PacedDoor, at host: String, _ port: UInt16) throws(SystemError) {
        socket = try DatagramSocket(host: host, port: port)
        self.door = door
    }

    /// Takes the port with this number, as TCP has it, or any if somebody else has it.
    convenience init(
        behind door: PacedDoor, near host: String, _ port: UInt16
    ) throws(SystemError) {
        do throws(SystemError) {
            try self.init(behind: door, at: host, port)
        } catch {
            guard error.code == EADDRINUSE else { throw error }
            try self.init(behind: door, at: host, 0)
        }
    }

    var number: UInt16 { socket.port }

    /// Begins to listen; returns `nil` if nobody listens there, and gives the port back.
    func opened(on loop: borrowing EventLoop) throws(SystemError) -> PacedPort? {
        guard door != .closed else { return nil }
        try loop.watch(socket.descriptor.number, as: Self.source, for: .readable)
        return self
    }

    func close(on loop: borrowing EventLoop) { loop.forget(socket.descriptor.number) }

    /// Lets a client open this session.
    func admit(_ session: PacedSession) {
        admitted.append(session)
        if admitted.count > Self.mostAdmitted { admitted.removeFirst() }
    }

    /// When a datagram is due.
    var deadline: Instant? {
        var next: Instant?
        // any order: the earliest
        for stream in streams.values { next.advance(to: stream.deadline) }
        return next
    }

    /// Receives the datagrams that have come; returns the streams to which something happened.
    func receive(by clock: MachineClock) -> [PacedServerStream] {
        var changed: [PacedServerStream] = []
        for _ in 0..<Self.receptionsPerTurn {
            guard socket.receive(into: inbox) == .datagrams else { break }
            if door == .blocked { continue }
            let now = clock.now
            inbox.forEach { datagram, sender in
                guard let stream = take(datagram, from: sender, at: now) else {
                    refusedCount += 1
                    return
                }
                if !stream.isChanged {
                    stream.isChanged = true
                    changed.append(stream)
                }
            }
        }
        return changed
    }

    /// Returns the stream to which a datagram belongs; `nil` if it is not genuine.
    private func take(
        _ datagram: UnsafeMutableRawBufferPointer, from sender: SocketAddress, at now: Instant
    ) -> PacedServerStream? {
        guard let head = PacedHead(UnsafeRawBufferPointer(datagram)) else { return nil }
        if let stream = streams[head.session] {
            return stream.take(head, datagram, at: now) ? stream : nil
        }
        guard let place = admitted.firstIndex(where: { $0.number == head.session }) else {
            return nil
        }
        let stream = PacedServerStream(admitted[place], from: sender, at: now)
        guard stream.take(head, datagram, at: now) else { return nil }
        admitted.remove(at: place)
        streams[head.session] = stream
        return stream
    }

    /// Sends the datagrams that are due; returns the streams to which something happened.
    func send(by clock: MachineClock) -> [PacedServerStream] {
        var changed: [PacedServerStream] = []
        let now = clock.now
        for (session, stream) in streams.sorted(by: { $0.key < $1.key }) {
            if stream.send(by: socket, isMute: door == .mute, by: clock) { changed.append(stream) }
            if stream.isGone(at: now) { streams[session] = nil }
        }
        return changed
    }
}
