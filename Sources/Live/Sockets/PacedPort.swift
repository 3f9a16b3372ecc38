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
    private var sessions: [UInt64: PacedServerSession] = [:]
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

    deinit {
        // any order: each is let go by itself
        for session in sessions.values { session.letGo() }
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
        for session in sessions.values { next.advance(to: session.deadline) }
        return next
    }

    /// Receives the datagrams that have come; returns the streams to which something happened.
    func receive(by clock: MachineClock) -> [PacedServerStream] {
        var changed: Set<UInt64> = []
        for _ in 0..<Self.receptionsPerTurn {
            guard socket.receive(into: inbox) == .datagrams else { break }
            if door == .blocked { continue }
            let now = clock.now
            inbox.forEach { datagram, sender in
                if let session = take(datagram, from: sender, at: now) {
                    changed.insert(session.number)
                } else {
                    refusedCount += 1
                }
            }
        }
        return changed.sorted().flatMap { sessions[$0]?.changed ?? [] }
    }

    /// Returns the session to which a datagram belongs; `nil` if it is not genuine.
    private func take(
        _ datagram: UnsafeMutableRawBufferPointer, from sender: SocketAddress, at now: Instant
    ) -> PacedServerSession? {
        guard let head = PacedHead(UnsafeRawBufferPointer(datagram)) else { return nil }
        if let session = sessions[head.session] {
            return session.take(head, datagram, from: sender, at: now) ? session : nil
        }
        guard let place = admitted.firstIndex(where: { $0.number == head.session }) else {
            return nil
        }
        let session = PacedServerSession(admitted[place], from: sender, at: now)
        guard session.take(head, datagram, from: sender, at: now) else { return nil }
        admitted.remove(at: place)
        sessions[head.session] = session
        return session
    }

    /// Sends the datagrams that are due; returns the streams to which something happened.
    func send(by clock: MachineClock) -> [PacedServerStream] {
        var changed: [PacedServerStream] = []
        let now = clock.now
        for (number, session) in sessions.sorted(by: { $0.key < $1.key }) {
            session.send(by: socket, isMute: door == .mute, by: clock)
            changed += session.changed
            if session.isGone(at: now) { sessions.removeValue(forKey: number)?.letGo() }
        }
        return changed
    }
}
