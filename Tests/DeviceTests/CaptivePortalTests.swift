import Testing

@testable import Device

@Suite struct CaptivePortalTests {
    @Test func `a request is heard once its head is whole, however it comes`() {
        var portal = CaptivePortal()
        let head = "PATCH /tus/a HTTP/1.1\r\nHost: docroot\r\n\r\n"
        for byte in head.utf8.dropLast() { #expect(portal.hear([byte]) == nil) }
        #expect(portal.hear([UInt8(ascii: "\n")]) == "PATCH /tus/a")
    }

    @Test func `what comes after the head is nobody's business`() {
        var portal = CaptivePortal()
        #expect(portal.hear(Array("GET / HTTP/1.1\r\n\r\nand a body".utf8)) == "GET /")
        #expect(portal.hear(Array("GET / HTTP/1.1\r\n\r\n".utf8)) == nil)
    }

    @Test func `the answer leads elsewhere, and says how long its page is`() throws {
        let answer = String(decoding: CaptivePortal().answer, as: UTF8.self)
        let parts = answer.split(separator: "\r\n\r\n")
        #expect(parts[0].hasPrefix("HTTP/1.1 302 Found\r\nLocation: "))
        #expect(parts[0].contains("Content-Length: \(parts[1].utf8.count)\r\n"))
    }

    @Test func `the page itself comes as a success`() throws {
        let answer = String(decoding: CaptivePortal(answersPage: true).answer, as: UTF8.self)
        let parts = answer.split(separator: "\r\n\r\n")
        #expect(parts[0].hasPrefix("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"))
        #expect(parts[0].contains("Content-Length: \(parts[1].utf8.count)\r\n"))
    }
}
