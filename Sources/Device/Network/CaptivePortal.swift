/// A connection to a captive portal. The portal answers with a redirect to a login page (RFC 7710
/// §1), or with the page.
package struct CaptivePortal: Sendable {
    private var heard: [UInt8] = []
    private var hasAnswered = false

    /// Whether it answers with its page at once, instead of a redirect to it.
    private let answersPage: Bool

    package init(answersPage: Bool = false) { self.answersPage = answersPage }

    private static let page = "<html><title>Log in to this network</title></html>\n"

    package var answer: [UInt8] {
        let first =
            answersPage
            ? "HTTP/1.1 200 OK" : "HTTP/1.1 302 Found\r\nLocation: http://portal.example/login"
        let head = """
            \(first)\r
            Content-Type: text/html\r
            Content-Length: \(Self.page.utf8.count)\r
            Connection: close\r
            \r

            """
        return Array((head + Self.page).utf8)
    }

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
