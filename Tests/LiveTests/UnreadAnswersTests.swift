import DocrootServer
import Glibc
import Protocols
import Testing
import TransferHost

@testable import Live

/// A client that asks and asks, and reads nothing of what it is told.
@Suite struct UnreadAnswersTests {
    private let question = Array("GET /nowhere HTTP/1.1\r\nHost: docroot\r\n\r\n".utf8)

    @Test func `who reads nothing is not listened to until it does`() throws {
        let listener = try TCPListener()
        let client = try TCPStream(connectingTo: TCPListener.host, port: listener.port)
        var accepted: ServerConnection?
        while accepted == nil {
            if let stream = try listener.accept() {
                accepted = ServerConnection(id: ServerConnectionID(1), over: .tcp(stream))
            }
        }
        let connection = try #require(accepted)
        let answer = [UInt8](repeating: 65, count: 100_000)
        var said = 0
        while connection.interest.contains(.readable), said < 1_000 {
            connection.send(answer)
            said += 1
            try #require(connection.flush())
        }
        #expect(connection.interest == .writable)
        var heard = 0
        while heard < said * answer.count {
            if case .bytes(let bytes) = client.receive() { heard += bytes.count }
            try #require(connection.flush())
        }
        #expect(connection.interest == .readable)
    }

    @Test func `who asks much and reads late is answered all of it`() throws {
        let bench = try ServerBench()
        let client = try bench.connect()
        let count = 4_000
        try bench.send(Array(repeatElement(question, count: count).joined()), on: client)
        for _ in 0..<count { #expect(try bench.answer(on: client).status == 404) }
    }
}
