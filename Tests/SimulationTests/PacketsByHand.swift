@testable import Simulation

/// Packets that a test has made, where in a run they lie on their link.
extension TCPReceiver {
    mutating func take(_ packet: borrowing Packet, at now: UInt64) {
        withUnsafePointer(to: packet) { take($0, at: now) }
    }

    mutating func takeEmpty(_ packet: borrowing Packet) {
        withUnsafePointer(to: packet) { takeEmpty($0) }
    }

    mutating func synArrived(_ packet: borrowing Packet, at now: UInt64) {
        withUnsafePointer(to: packet) { synArrived($0, at: now) }
    }
}

extension TCPSender {
    mutating func acknowledgementArrived(
        _ packet: borrowing Packet, with blocks: SelectiveAcknowledgement = .init(), at now: UInt64
    ) -> Bool {
        withUnsafePointer(to: packet) {
            blocks.isEmpty
                ? acknowledgementArrived($0, at: now)
                : acknowledgementArrived($0, with: blocks, at: now)
        }
    }
}
