import Glibc
import TransferHost

/// A TUN device as a port of an emulated link. Its owner keeps the descriptor open.
struct TunPort: PacketPort, Sendable {
    let descriptor: Int32

    func take(into bytes: UnsafeMutableRawBufferPointer) -> Int? {
        let count = retryingInterrupted { read(descriptor, bytes.baseAddress, bytes.count) }
        return count > 0 ? count : nil
    }

    /// A packet that the kernel refuses is lost, as on a real wire.
    func give(_ packet: UnsafeRawBufferPointer) {
        _ = retryingInterrupted { write(descriptor, packet.baseAddress, packet.count) }
    }
}
