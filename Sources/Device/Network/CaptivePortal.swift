/// A captive portal: whatever is asked of a server, it sends the client to a page where somebody
/// has to log in (RFC 7710 §1 tells of them). This is one connection of it.
package struct CaptivePortal: Sendable {
    private var heard: [UInt8] = []
    private var hasAnswered = false

    package init() {}

    private static let page = "<html><title>Log in to this network</title></html>\n"
    package static let answer = """
        HTTP/1.1 302 Found\r
        Location: http://portal.example/login\r
        Content-Type: text/html\r
        Content-Length: \(page.utf8.count)\r
        Connection: close\r
        \r
        \(page)
        """

    /// What was asked for, as soon as a head is whole: that is to be answered, and the connection
    /// is over. The body is nobody's business.
    package mutating func hear(_ bytes: [UInt8]) -> String? {
        guard !hasAnswered else { return nil }
        heard += bytes
        // The first line, once there is an empty one.
        let text = String(decoding: heard, as: UTF8.self)
        guard text.contains("\r\n\r\n") else { return nil }
        hasAnswered = true
        heard = []
        return text.split(separator: "\r\n").first.map { line in
            line.split(separator: " ").prefix(2).joined(separator: " ")
        }
    }
}
