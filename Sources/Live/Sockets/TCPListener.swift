import CLinux
import Glibc

/// Takes connections on a port of the loopback interface that the system has chosen.
struct TCPListener: ~Copyable {
    static let host = "127.0.0.1"
    let descriptor: Descriptor
    let port: UInt16

    init() throws(SystemError) {
        let socket = try Descriptor.tcpSocket()
        guard var address = sockaddr_in(ipv4: Self.host, port: 0) else {
            preconditionFailure("\(Self.host) is an address")
        }
        let number = socket.number
        let isListening = address.withSocketAddress { address, length in
            var length = length
            return bind(number, address, length) == 0 && listen(number, 128) == 0
                && getsockname(number, address, &length) == 0
        }
        guard isListening else { throw SystemError("listen on \(Self.host)") }
        descriptor = socket
        port = UInt16(bigEndian: address.sin_port)
    }

    /// The next connection that waits, if one does.
    func accept() throws(SystemError) -> TCPStream? {
        let flags = Int32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let number = retryingInterrupted { accept4(descriptor.number, nil, nil, flags) }
        if number >= 0 { return TCPStream(adopting: Descriptor(adopting: number)) }
        // A client that gave up before it was taken is not our failure.
        if errno == EAGAIN || errno == ECONNABORTED { return nil }
        throw SystemError("take a connection")
    }
}
