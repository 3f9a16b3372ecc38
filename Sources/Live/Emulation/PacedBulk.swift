import DocrootServer
import Glibc
package import Protocols
package import Quantities
package import RunPlan
import TransferHost

/// A bulk flow of the paced transport between real sockets: sealed datagrams of zeros, which the
/// receiver opens, puts in order and drops. Each end has a thread of its own.
package struct PacedBulk: Sendable {
    /// The content that had arrived at each tenth of a second, from the first datagram on.
    package let arrived: [ByteCount]

    package static let interval = TimeSpan.milliseconds(100)
    /// The priority of the ends' threads over an emulated link.
    private static let priority: Int32 = 10
    private static let emulatorPriority: Int32 = 20

    /// Sends for so long over the loopback interface.
    package init(_ settings: PacedSettings, for span: TimeSpan) throws(LiveError) {
        do throws(SystemError) {
            let stop = BulkStop()
            let host = TCPListener.host
            let listener = try DatagramSocket(host: host, port: 0)
            let client = try DatagramSocket(connectingTo: host, port: listener.port)
            let ends = try PacedBulkEnds(client, listener, settings, priority: 0, stop: stop)
            let timer = MachineClock()
            while timer.now.sinceStart < span {
                var nothing: [pollfd] = []
                _ = timer.poll(&nothing, until: .start + span)
            }
            stop.set()
            arrived = ends.join()
        } catch {
            throw .system(error)
        }
    }

    /// Sends over an emulated link, until the plan's time is over.
    package init(_ settings: PacedSettings, over plan: BulkFlowPlan) throws(EmulationError) {
        try KernelFlow.demandRights()
        do throws(SystemError) {
            let (near, far) = (BulkSockets.clientAddress, BulkSockets.serverAddress)
            let client = try NetworkSpace(address: near, peer: far, buffers: plan.buffers)
            let server = try NetworkSpace(address: far, peer: near, buffers: plan.buffers)
            let listener = try server.inside { () throws(SystemError) in
                try DatagramSocket(host: far, port: BulkSockets.port).descriptor.duplicate()
            }
            let sender = try client.inside { () throws(SystemError) in
                try DatagramSocket(connectingTo: far, port: BulkSockets.port).descriptor
                    .duplicate()
            }
            let stop = BulkStop()
            let interruption = try Interruption()
            let (interrupted, ports) = (
                interruption.descriptor, (client.device.number, server.device.number)
            )
            let emulator = try RealTimeThread(priority: Self.emulatorPriority) {
                var emulator = LinkEmulator(
                    plan, client: TunPort(descriptor: ports.0),
                    server: TunPort(descriptor: ports.1))
                return emulator.run(interruption: interrupted)
            }
            let ends = try? PacedBulkEnds(
                DatagramSocket(adopting: sender), DatagramSocket(adopting: listener), settings,
                priority: Self.priority, stop: stop)
            let outcome = emulator.join()
            stop.set()
            arrived = ends?.join() ?? []
            switch outcome.ending {
            case .flowIsOver: break
            case .nothingCame: throw SystemError(KernelFlow.connecting, code: ETIMEDOUT)
            case .interrupted: throw SystemError(KernelFlow.connecting, code: ECANCELED)
            }
        } catch {
            throw EmulationError(error, "")
        }
    }

    /// The content that has arrived after the first second, and in what time.
    package var afterFirstSecond: (content: ByteCount, time: TimeSpan) {
        let first = Int(TimeSpan.seconds(1).nanoseconds / Self.interval.nanoseconds)
        guard arrived.count > first, let last = arrived.last else { return (.zero, .zero) }
        return (last - arrived[first - 1], Self.interval * Int64(arrived.count - first))
    }
}

/// The threads of both ends.
private struct PacedBulkEnds: ~Copyable {
    private let sending: RealTimeThread<Bool>
    private let receiving: RealTimeThread<[ByteCount]>

    private static let keys = PacedKeys(
        authorization: "", client: PacedNonce(identity: 1, count: 1),
        server: PacedNonce(identity: 2, count: 2))
    private static let session: UInt64 = 7
    private static let zeros = [UInt8](repeating: 0, count: 256 << 10)

    init(
        _ client: consuming DatagramSocket, _ server: consuming DatagramSocket,
        _ settings: PacedSettings, priority: Int32, stop: BulkStop
    ) throws(SystemError) {
        let (sender, receiver) = (
            try client.descriptor.duplicate(), try server.descriptor.duplicate()
        )
        let receiving = try RealTimeThread(priority: priority) {
            Self.receive(by: DatagramSocket(adopting: receiver), until: stop)
        }
        do throws(SystemError) {
            sending = try RealTimeThread(priority: priority) {
                Self.send(by: DatagramSocket(adopting: sender), settings, until: stop)
                return true
            }
        } catch {
            stop.set()
            _ = receiving.join()
            throw error
        }
        self.receiving = receiving
    }

    consuming func join() -> [ByteCount] {
        _ = sending.join()
        return receiving.join()
    }

    private static func send(
        by socket: consuming DatagramSocket, _ settings: PacedSettings, until stop: BulkStop
    ) {
        let clock = MachineClock()
        let client = PacedClient(
            by: socket, session: session, keys, settings, at: clock.now)
        while !stop.isSet {
            client.move(by: clock)
            while client.room > 0 { _ = zeros.withUnsafeBytes { client.send($0) } }
            var wanted = [client.wanted].compactMap(\.self)
            let latest = clock.now + .milliseconds(50)
            _ = clock.poll(&wanted, until: min(client.datagramDeadline ?? latest, latest))
        }
    }

    private static func receive(
        by socket: consuming DatagramSocket, until stop: BulkStop
    ) -> [ByteCount] {
        let clock = MachineClock()
        var line = PacedLine(keys, session: session, at: .server, PacedSettings(), at: clock.now)
        let inbox = DatagramInbox()
        var batch = DatagramBatch()
        var total = ByteCount.zero
        var first: Instant?
        var arrived: [ByteCount] = []
        while !stop.isSet {
            var wanted = [pollfd(fd: socket.descriptor.number, events: Int16(POLLIN), revents: 0)]
            let latest = clock.now + .milliseconds(50)
            _ = clock.poll(&wanted, until: min(line.deadline ?? latest, latest))
            var peer: SocketAddress?
            if socket.receive(into: inbox) == .datagrams {
                let now = clock.now
                inbox.forEach { datagram, sender in
                    guard let head = PacedHead(UnsafeRawBufferPointer(datagram)),
                        line.take(head, datagram, at: now)
                    else { return }
                    peer = sender
                    if first == nil { first = now }
                }
            }
            if let peer, batch.peer == nil { batch = DatagramBatch(to: peer) }
            let now = clock.now
            while line.hasUnread {
                total += ByteCount(UInt64(line.read(atMost: 1 << 20, at: now).count))
            }
            while let first, now >= first + PacedBulk.interval * Int64(arrived.count + 1) {
                arrived.append(total)
            }
            line.send(into: batch) { clock.now }
            _ = socket.send(batch)
        }
        return arrived
    }
}
