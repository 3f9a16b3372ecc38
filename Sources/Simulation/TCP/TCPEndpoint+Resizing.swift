import Quantities
import RunLog

/// Changes the size of segments, as the path demands.
extension TCPEndpoint {
    /// Handles a router's message that a packet was too large (RFC 1191 §6.4). The packet must be
    /// one on the way, so that old messages and forged ones do no harm.
    mutating func heardOfLimit(
        _ message: UnsafePointer<Packet>, _ fabric: inout NetworkFabric
    ) {
        let size = message.pointee.sayableSegment
        guard end == nil, state.isSynchronized, size < sender.segment,
            message.pointee.sequence >= sender.unacknowledged,
            message.pointee.sequence < sender.next
        else { return }
        resize(to: size, because: .message, &fabric)
        transmit(&fabric)
    }

    /// Changes the size after a timeout if larger packets seem to vanish.
    mutating func searchForBlackHole(_ fabric: inout NetworkFabric) {
        let size = sender.blackHole.timedOut(
            count: sender.timer.expiries, segment: sender.segment,
            largest: sender.scoreboard.largestPayload, at: fabric.kernel.nowNanoseconds)
        guard let size, size != sender.segment else { return }
        resize(to: size, because: size < sender.segment ? .silence : .inVain, &fabric)
    }

    private mutating func resize(
        to size: UInt64, because cause: ResizingCause, _ fabric: inout NetworkFabric
    ) {
        sender.resize(to: size)
        // Negative numbers are those of other traffic.
        guard index >= 0 else { return }
        let fact = NetworkFact.packetsResized(
            flow: UInt16(truncatingIfNeeded: index >> 1), isOpeners: index & 1 == 0,
            to: ByteCount(size + sender.family.headerSize), because: cause)
        fabric.log.record(.network(fact), at: fabric.kernel.now)
    }
}
