import CLinux
import Glibc

/// An address of a server, of IPv4 or IPv6, with a port.
package struct InternetAddress: Sendable {
    private var storage = sockaddr_storage()
    private var length: socklen_t

    /// The address that the text names, such as `192.0.2.1`, `2001:db8::1` or `fe80::1%eth0`; `nil`
    /// if it is a name.
    init?(_ text: String, port: UInt16) {
        // Of IPv4 only the usual form: the system would take “127.1” for an address, too.
        guard text.contains(":") || sockaddr_in(ipv4: text, port: port) != nil else { return nil }
        guard let found = Self.find(text, flags: AI_NUMERICHOST, port: port).first
        else { return nil }
        self = found
    }

    /// The address of the peer to which a socket is connected; `nil` if it is to none.
    init?(ofPeerOf descriptor: borrowing Descriptor) {
        length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let number = descriptor.number
        var size = length
        let result = withUnsafeMutablePointer(to: &storage) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getpeername(number, $0, &size)
            }
        }
        guard result == 0 else { return nil }
        length = size
    }

    /// The same host at another port.
    func with(port: UInt16) -> InternetAddress {
        var other = self
        withUnsafeMutableBytes(of: &other.storage) { bytes in
            // Of both families the port comes after the family.
            bytes.storeBytes(of: port.bigEndian, toByteOffset: 2, as: UInt16.self)
        }
        return other
    }

    private init(_ entry: addrinfo) {
        length = entry.ai_addrlen
        withUnsafeMutableBytes(of: &storage) { bytes in
            bytes.copyMemory(from: UnsafeRawBufferPointer(start: entry.ai_addr, count: Int(length)))
        }
    }

    /// Looks up the addresses of a name, which may take its time: in the order in which they are to
    /// be tried, which changes between the families as often as it can (RFC 8305 §4).
    static func addresses(of name: String, port: UInt16) -> [InternetAddress] {
        var rest = find(name, flags: 0, port: port)
        var ordered: [InternetAddress] = []
        while !rest.isEmpty {
            let last = ordered.last?.family
            let next = rest.firstIndex { $0.family != last } ?? 0
            ordered.append(rest.remove(at: next))
        }
        return ordered
    }

    private static func find(_ text: String, flags: Int32, port: UInt16) -> [InternetAddress] {
        var wanted = addrinfo()
        wanted.ai_family = AF_UNSPEC
        wanted.ai_flags = flags | AI_NUMERICSERV
        wanted.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(text, "\(port)", &wanted, &found) == 0 else { return [] }
        defer { freeaddrinfo(found) }
        let entries = sequence(first: found) { $0?.pointee.ai_next }
            .prefix { $0 != nil }.compactMap { $0?.pointee }
        return entries.filter { [AF_INET, AF_INET6].contains($0.ai_family) }
            .map(InternetAddress.init)
    }

    var family: Int32 { Int32(storage.ss_family) }

    func withSocketAddress<Result>(
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        withUnsafePointer(to: storage) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
    }
}

extension InternetAddress: CustomStringConvertible {
    /// `127.0.0.1:80` or `[::1]:80`.
    package var description: String {
        var (host, port) = ([CChar](repeating: 0, count: 64), [CChar](repeating: 0, count: 8))
        let isNamed = withSocketAddress { address, length in
            getnameinfo(
                address, length, &host, socklen_t(host.count), &port, socklen_t(port.count),
                NI_NUMERICHOST | NI_NUMERICSERV) == 0
        }
        guard isNamed else { return "an address" }
        let (name, number) = (Self.text(host), Self.text(port))
        return family == AF_INET6 ? "[\(name)]:\(number)" : "\(name):\(number)"
    }

    private static func text(_ name: [CChar]) -> String {
        String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
