import CLinux
import Glibc
package import Quantities
package import Recording
package import RunPlan
import TransferHost

/// A bulk flow of the kernel's own TCP over an emulated link in real time.
///
/// The emulator's thread has the highest priority, and those of the ends the next, so that the flow
/// never waits for an end.
package struct KernelFlow: Sendable {
    package let book: BulkFlowBook
    package let lateness: Lateness
    package let states: [SenderState]
    /// When the flow left its slow start, to a tenth of a second, after connecting began.
    package var leftSlowStartAt: TimeSpan? {
        states.first { $0.threshold < SenderState.infiniteThreshold }?.at
    }
    package let received: ByteCount
    /// The counters of the sending kernel, which sends for the rival, too.
    package let counters: [KernelCounter]
    /// Packets lost because the emulator read its devices too late.
    package let overflows: UInt64

    private static let emulatorPriority: Int32 = 20

    /// Carries out the flow; `controller` is the kernel's name of a congestion control.
    package init(_ plan: BulkFlowPlan, controller: String) throws(EmulationError) {
        try Self.demandRights()
        do throws(SystemError) {
            let (near, far) = (BulkSockets.clientAddress, BulkSockets.serverAddress)
            let client = try NetworkSpace(
                address: near, peer: far, buffers: plan.buffers)
            let server = try NetworkSpace(
                address: far, peer: near, buffers: plan.buffers)
            let sockets = try BulkSockets(
                from: client, to: server, port: BulkSockets.port, controller: controller)
            let rival = try BulkSockets(
                from: client, to: server, port: BulkSockets.rivalPort, controller: controller)
            let carried = try Self.carry(plan, from: client, to: server, sockets, rival)
            switch carried.outcome.ending {
            case .flowIsOver: break
            case .nothingCame: throw SystemError(Self.connecting, code: ETIMEDOUT)
            case .interrupted: throw SystemError(Self.connecting, code: ECANCELED)
            }
            book = carried.outcome.book
            lateness = carried.outcome.lateness
            states = carried.states
            received = carried.received
            counters = carried.counters
            let dropped = { @Sendable () throws(SystemError) in KernelCounter.devicesDropped() }
            overflows = try client.inside(dropped) + server.inside(dropped)
        } catch {
            throw EmulationError(error, controller)
        }
    }

    private struct Carried {
        var outcome: LinkEmulator.Outcome
        var counters: [KernelCounter]
        var states: [SenderState]
        var received: ByteCount
    }

    private static func carry(
        _ plan: BulkFlowPlan, from client: borrowing NetworkSpace,
        to server: borrowing NetworkSpace, _ sockets: borrowing BulkSockets,
        _ rival: borrowing BulkSockets
    ) throws(SystemError) -> Carried {
        let (near, far) = (client.device.number, server.device.number)
        let interruption = try Interruption()
        let interrupted = interruption.descriptor
        let isReady = try DescriptorPipe()
        let (ready, waiting) = (isReady.writing.number, isReady.reading.number)
        let stop = BulkStop()
        let emulator = try RealTimeThread(priority: emulatorPriority) {
            var emulator = LinkEmulator(
                plan, client: TunPort(descriptor: near), server: TunPort(descriptor: far))
            // A byte for each sender.
            let bytes: [UInt8] = [1, 1]
            _ = write(ready, bytes, bytes.count)
            return emulator.run(interruption: interrupted)
        }
        // From here on no error may abandon the emulator. Without an end it has no flow, and ends
        // by itself.
        let ends = sockets.start(plan, conversation: plan.conversation, ready: waiting, stop: stop)
        let rivals = plan.rivalBegin.map {
            rival.start(plan, conversation: nil, after: $0, ready: waiting, stop: stop)
        }
        let outcome = emulator.join()
        stop.set()
        // At once, as a link that carries nothing any more soon causes timeouts.
        let counters = try? client.inside { () throws(SystemError) in KernelCounter.all() }
        let takenByRival = rivals?.join().received
        let (states, received) = ends.join()
        // Without it, the flow would be measured alone.
        if outcome.ending == .flowIsOver, takenByRival == .zero {
            throw SystemError(connecting, code: ETIMEDOUT)
        }
        return Carried(
            outcome: outcome, counters: counters ?? [], states: states, received: received)
    }

    /// Throws if this process may not emulate links.
    package static func demandRights() throws(EmulationError) {
        guard access("/dev/net/tun", F_OK) == 0 else {
            throw .notPossible("this machine has no /dev/net/tun")
        }
        guard geteuid() == 0 else { throw .notPossible("this is not root") }
    }

    static let connecting = "carry a flow"
}

extension EmulationError {
    init(_ error: SystemError, _ controller: String) {
        self =
            switch (error.action, error.code) {
            case (BulkSockets.choosing, ENOENT): .unknownController(controller)
            case (KernelFlow.connecting, ETIMEDOUT): .nothingCame
            case (KernelFlow.connecting, ECANCELED): .interrupted
            case (_, EPERM): .notPossible("\(error)")
            default: .system(error)
            }
    }
}
