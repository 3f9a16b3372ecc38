import Foundation
import Glibc

/// The name of a server, or its address.
struct HostName: Sendable {
    private let text: String

    init(_ text: String) { self.text = text }

    /// The address, if the name is one.
    static func address(in text: String) -> String? {
        sockaddr_in(ipv4: text, port: 0) == nil ? nil : text
    }

    /// Looks up the name on another thread, as that may take its time; `nil` if there is none.
    func whenFound(_ hear: @escaping @Sendable (String?) -> Void) {
        Thread.detachNewThread { hear(address()) }
    }

    private func address() -> String? {
        var wanted = addrinfo()
        wanted.ai_family = AF_INET
        wanted.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(text, nil, &wanted, &found) == 0 else { return nil }
        defer { freeaddrinfo(found) }
        guard let entry = found?.pointee, let address = entry.ai_addr else { return nil }
        var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        guard
            getnameinfo(
                address, entry.ai_addrlen, &name, socklen_t(name.count), nil, 0, NI_NUMERICHOST)
                == 0
        else { return nil }
        return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
    }
}
