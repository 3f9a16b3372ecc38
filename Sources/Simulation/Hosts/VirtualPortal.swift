import Content
import Quantities
import RunLog

/// A captive portal: whatever is asked of the server, it sends the client to a page where somebody
/// has to log in (RFC 7710 §1 tells of them).
struct VirtualPortal: Sendable {
    /// What each of its connections has said so far.
    private var heard: [StreamHandle: [UInt8]] = [:]

    private static let page = "<html><title>Log in to this network</title></html>\n"
    private static let answer = """
        HTTP/1.1 302 Found\r
        Location: http://portal.example/login\r
        Content-Type: text/html\r
        Content-Length: \(page.utf8.count)\r
        Connection: close\r
        \r
        \(page)
        """

    /// Asked of every packet, and nearly always there is none.
    func has(_ handle: StreamHandle) -> Bool { !heard.isEmpty && heard[handle] != nil }

    mutating func accepted(_ handle: StreamHandle) { heard[handle] = [] }

    mutating func ended(_ handle: StreamHandle) { heard[handle] = nil }

    /// Answers as soon as a head is whole; the body is nobody's business.
    mutating func readable(_ handle: StreamHandle, of network: inout SecuredNetwork) {
        guard var bytes = heard[handle] else { return }
        var segments: [Segment] = []
        network.read(handle, into: &segments)
        for case .bytes(let more) in segments { bytes += more }
        heard[handle] = bytes
        guard let head = Self.head(in: bytes) else { return }
        heard[handle] = []
        let interface = UInt16(network.transport.interface(of: handle))
        network.log.record(
            .network(.portalAnswered(interface: interface, request: head)), at: network.now)
        network.send(handle, [.bytes(Array(Self.answer.utf8))])
        network.finish(handle)
    }

    /// The first line, once there is an empty one.
    private static func head(in bytes: [UInt8]) -> String? {
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.contains("\r\n\r\n") else { return nil }
        return text.split(separator: "\r\n").first.map { line in
            line.split(separator: " ").prefix(2).joined(separator: " ")
        }
    }
}
