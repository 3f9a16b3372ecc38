import Glibc
import TransferHost

/// A port of the loopback interface that this run has for itself, and at which nobody listens: a
/// connection to it is refused. An address that a plan has wrong must not lead to a server of
/// somebody else.
struct DeadPort: ~Copyable {
    private let descriptor: Descriptor
    let number: UInt16

    init() throws(SystemError) {
        let socket = try Descriptor.tcpSocket()
        guard var address = sockaddr_in(ipv4: TCPListener.host, port: 0) else {
            preconditionFailure("\(TCPListener.host) is no address")
        }
        let number = socket.number
        let isBound = address.withSocketAddress { address, length in
            var length = length
            return bind(number, address, length) == 0
                && getsockname(number, address, &length) == 0
        }
        guard isBound else { throw SystemError("take a port of \(TCPListener.host)") }
        descriptor = socket
        self.number = UInt16(bigEndian: address.sin_port)
    }
}
