import Glibc

/// A TUN device as the port of an emulated link; its owner keeps the descriptor open.
struct TunPort: PacketPort, Sendable {
    let descriptor: Int32

    func take(into bytes: UnsafeMutableRawBufferPointer) -> Int? {
        let count = retryingInterrupted { read(descriptor, bytes.baseAddress, bytes.count) }
        return count > 0 ? count : nil
    }

    /// A packet that the kernel does not want any more is lost on its side, as on a real wire.
    func give(_ packet: UnsafeRawBufferPointer) {
        _ = retryingInterrupted { write(descriptor, packet.baseAddress, packet.count) }
    }
}
