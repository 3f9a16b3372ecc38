import Glibc
import Testing

/// Two ends of a TCP connection over loopback, whose packets the tests capture.
final class LoopbackPair {
    let port: UInt16
    private let listener: Int32
    private let client: Int32
    private let server: Int32

    init() throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let (listener, client) = (listener, client)
        try withUnsafeMutablePointer(to: &address) { address in
            try address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                try #require(bind(listener, address, length) == 0)
                try #require(listen(listener, 1) == 0)
                try #require(getsockname(listener, address, &length) == 0)
                try #require(connect(client, address, length) == 0)
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        server = accept(listener, nil, nil)
        try #require(server >= 0)
    }

    deinit { for descriptor in [client, server, listener] { close(descriptor) } }

    func exchange(_ question: [UInt8], _ answer: [UInt8]) throws {
        try #require(send(client, question, question.count, 0) == question.count)
        try #require(send(server, answer, answer.count, 0) == answer.count)
    }
}
