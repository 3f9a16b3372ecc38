/// A connection to a captive portal. The portal answers with a redirect to a login page (RFC 7710
/// §1).
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

    /// Returns the request once its head is complete. The connection ends after the answer; bodies
    /// are ignored.
    package mutating func hear(_ bytes: [UInt8]) -> String? {
        guard !hasAnswered else { return nil }
        heard += bytes
        // An empty line ends the head.
        let text = String(decoding: heard, as: UTF8.self)
        guard text.contains("\r\n\r\n") else { return nil }
        hasAnswered = true
        heard = []
        return text.split(separator: "\r\n").first.map { line in
            line.split(separator: " ").prefix(2).joined(separator: " ")
        }
    }
}
