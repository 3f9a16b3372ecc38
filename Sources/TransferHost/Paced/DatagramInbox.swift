import Glibc

/// Memory for datagrams that have come, several by one call.
package final class DatagramInbox {
    private let buffer = UnsafeMutableRawBufferPointer.allocate(
        byteCount: messages * longestMessage, alignment: 16)
    private let slots = MessageSlots(count: messages)
    private var count = 0

    private static let messages = 16
    private static let longestMessage = 1 << 16

    package init() {}

    deinit { buffer.deallocate() }

    /// Receives what has come to a socket, as far as there is memory, in the place of the datagrams
    /// before.
    func receive(from socket: Int32) -> DatagramSocket.Received {
        for slot in 0..<slots.count { slots.prepareToReceive(slot, space(of: slot)) }
        count = max(slots.receive(from: socket), 0)
        guard count == 0 else { return .datagrams }
        return errno == ECONNREFUSED ? .refused : .nothing
    }

    /// Shows all datagrams, which may be changed, with their senders.
    package func forEach(_ body: (UnsafeMutableRawBufferPointer, SocketAddress) -> Void) {
        for slot in 0..<count {
            let (length, piece, sender) = slots.received(slot)
            let bytes = space(of: slot)
            for start in stride(from: 0, to: length, by: piece) {
                let end = min(start + piece, length)
                body(UnsafeMutableRawBufferPointer(rebasing: bytes[start..<end]), sender)
            }
        }
    }

    private func space(of slot: Int) -> UnsafeMutableRawBufferPointer {
        let start = slot * Self.longestMessage
        return UnsafeMutableRawBufferPointer(rebasing: buffer[start..<start + Self.longestMessage])
    }
}
