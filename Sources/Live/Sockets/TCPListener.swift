import CLinux
import Glibc
import TransferHost

/// Takes connections on a port, by default a free port of the loopback interface.
struct TCPListener: ~Copyable {
    static let host = "127.0.0.1"
    let descriptor: Descriptor
    let host: String
    let port: UInt16
    /// The server's side of TLS; `nil`: its clients speak plainly.
    private let security: SecureContext?

    init(
        host: String = host, port wanted: UInt16 = 0, securedBy security: SecureContext? = nil
    ) throws(SystemError) {
        let socket = try Descriptor.tcpSocket()
        guard var address = sockaddr_in(ipv4: host, port: wanted) else {
            throw SystemError("take “\(host)” for an IPv4 address", code: EINVAL)
        }
        let number = socket.number
        if wanted != 0 {
            // A server that has just ended leaves its port in use for a minute.
            socket.set(SO_REUSEADDR, to: Int32(1))
        }
        let isListening = address.withSocketAddress { address, length in
            var length = length
            guard bind(number, address, length) == 0 else { return false }
            // Accepted connections inherit this: the port can be used again while they end.
            socket.set(SO_REUSEADDR, to: Int32(1))
            return listen(number, 1024) == 0 && getsockname(number, address, &length) == 0
        }
        guard isListening else { throw SystemError("listen on \(host):\(wanted)") }
        descriptor = socket
        self.host = host
        self.security = security
        port = UInt16(bigEndian: address.sin_port)
    }

    /// Takes the next connection that waits, if one does.
    func accept() throws(SystemError) -> TCPStream? {
        let flags = Int32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        var address = sockaddr_in()
        let number = address.withSocketAddress { address, length in
            var length = length
            return retryingInterrupted { accept4(descriptor.number, address, &length, flags) }
        }
        if number >= 0 {
            return TCPStream(
                adopting: Descriptor(adopting: number), from: SocketAddress(address),
                securedBy: security)
        }
        // A client that gave up already is no error.
        if errno == EAGAIN || errno == ECONNABORTED { return nil }
        throw SystemError("take a connection")
    }
}
