import CLinux
import Glibc
package import Quantities
package import Recording
package import RunPlan

/// A bulk flow of the kernel's own TCP over an emulated link in real time.
///
/// Of its three threads the emulator has the highest priority and the two ends the next, so that
/// the flow never waits for an end.
package struct KernelFlow: Sendable {
    package let book: BulkFlowBook
    package let lateness: Lateness
    package let states: [SenderState]
    /// When the flow left its slow start, to a tenth of a second, after connecting began.
    package var leftSlowStartAt: TimeSpan? {
        states.first { $0.threshold < SenderState.infiniteThreshold }?.at
    }
    /// The number of bytes received.
    package let received: UInt64
    /// The counters of the sender's kernel.
    package let counters: [KernelCounter]
    /// Packets lost because the emulator read its devices too late.
    package let overflows: UInt64

    private static let clientAddress = "192.0.2.1"
    private static let serverAddress = "192.0.2.2"
    private static let port: UInt16 = 5_001
    private static let emulatorPriority: Int32 = 20
    private static let endPriority: Int32 = 10

    /// Carries out the flow; `controller` is the kernel's name of a congestion control.
    package init(_ plan: BulkFlowPlan, controller: String) throws(EmulationError) {
        try Self.demandRights()
        do throws(SystemError) {
            let (near, far) = (Self.clientAddress, Self.serverAddress)
            let client = try NetworkSpace(
                address: near, peer: far, buffers: plan.buffers)
            let server = try NetworkSpace(
                address: far, peer: near, buffers: plan.buffers)
            let listener = try server.inside { () throws(SystemError) in try Self.listen() }
            defer { close(listener) }
            let sender = try client.inside { () throws(SystemError) in
                try Self.makeSender(controller)
            }
            defer { closeAtOnce(sender) }
            let (outcome, counters, states, received) = try Self.carry(
                plan, from: client, to: server, sender, listener)
            switch outcome.ending {
            case .flowIsOver: break
            case .nothingCame: throw SystemError(Self.connecting, code: ETIMEDOUT)
            case .interrupted: throw SystemError(Self.connecting, code: ECANCELED)
            }
            book = outcome.book
            lateness = outcome.lateness
            self.states = states
            self.received = received
            self.counters = counters
            let dropped = { @Sendable () throws(SystemError) in KernelCounter.devicesDropped() }
            overflows = try client.inside(dropped) + server.inside(dropped)
        } catch {
            throw EmulationError(error, controller)
        }
    }

    private static func carry(
        _ plan: BulkFlowPlan, from client: borrowing NetworkSpace,
        to server: borrowing NetworkSpace, _ sender: Int32, _ listener: Int32
    ) throws(SystemError) -> (LinkEmulator.Outcome, [KernelCounter], [SenderState], UInt64) {
        let (near, far) = (client.device.number, server.device.number)
        let interruption = try Interruption()
        let interrupted = interruption.descriptor
        let isReady = try DescriptorPipe()
        let (ready, waiting) = (isReady.writing.number, isReady.reading.number)
        let stop = BulkStop()
        let emulator = try RealTimeThread(priority: emulatorPriority) {
            var emulator = LinkEmulator(
                plan, client: TunPort(descriptor: near), server: TunPort(descriptor: far))
            var byte: UInt8 = 1
            _ = write(ready, &byte, 1)
            return emulator.run(interruption: interrupted)
        }
        // From here on no error may abandon the emulator. Without an end it has no flow, and ends
        // by itself.
        let receiver = try? RealTimeThread(priority: endPriority) {
            BulkReceiver(listener: listener, stop: stop).run()
        }
        let states = try? RealTimeThread(priority: endPriority) {
            var byte: UInt8 = 0
            _ = retryingInterrupted { read(waiting, &byte, 1) }
            return BulkSender(socket: sender, writes: plan.writes, stop: stop).run(
                to: serverAddress, port: port)
        }
        let outcome = emulator.join()
        stop.set()
        // At once, as a link that carries nothing any more soon causes timeouts.
        let counters = try? client.inside { () throws(SystemError) in KernelCounter.all() }
        return (outcome, counters ?? [], states?.join() ?? [], receiver?.join() ?? 0)
    }

    private static func listen() throws(SystemError) -> Int32 {
        let socket = try Descriptor.tcpSocket()
        guard var address = sockaddr_in(ipv4: serverAddress, port: port) else {
            preconditionFailure("\(serverAddress) is an address")
        }
        let number = socket.number
        let isListening = address.withSocketAddress { address, length in
            bind(number, address, length) == 0 && Glibc.listen(number, 1) == 0
        }
        guard isListening else { throw SystemError("listen on \(serverAddress)") }
        return try socket.duplicate()
    }

    private static func makeSender(_ controller: String) throws(SystemError) -> Int32 {
        let socket = try Descriptor.tcpSocket()
        let name = Array(controller.utf8)
        guard
            setsockopt(
                socket.number, Int32(IPPROTO_TCP), TCP_CONGESTION, name, socklen_t(name.count)) == 0
        else { throw SystemError(choosing) }
        return try socket.duplicate()
    }

    private static func demandRights() throws(EmulationError) {
        guard access("/dev/net/tun", F_OK) == 0 else {
            throw .notPossible("this machine has no /dev/net/tun")
        }
        guard geteuid() == 0 else { throw .notPossible("this is not root") }
    }

    fileprivate static let choosing = "choose a congestion control"
    fileprivate static let connecting = "carry a flow"
}

extension EmulationError {
    fileprivate init(_ error: SystemError, _ controller: String) {
        self =
            switch (error.action, error.code) {
            case (KernelFlow.choosing, ENOENT): .unknownController(controller)
            case (KernelFlow.connecting, ETIMEDOUT): .nothingCame
            case (KernelFlow.connecting, ECANCELED): .interrupted
            case (_, EPERM): .notPossible("\(error)")
            default: .system(error)
            }
    }
}
