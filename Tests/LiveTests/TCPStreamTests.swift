import Glibc
import Quantities
import Testing
import TransferEngine
import TransferHost

@testable import Live

@Suite struct TCPStreamTests {
    @Test(arguments: [false, true])
    func `bytes come back as they were sent`(isSecured: Bool) throws {
        let pair = try StreamPair(isSecured: isSecured)
        let question = Array("who is there?".utf8)
        #expect(question.withUnsafeBytes { pair.client.send($0) } == .taken(question.count))
        guard case .bytes(let heard) = try pair.receive(on: pair.server) else {
            Issue.record("nothing was heard")
            return
        }
        #expect(heard == question)
        #expect(heard.withUnsafeBytes { pair.server.send($0) } == .taken(heard.count))
        #expect(try pair.receive(on: pair.client) == .bytes(question))
    }

    @Test(arguments: [false, true])
    func `a full socket takes a part, and the rest once there is room again`(isSecured: Bool) throws
    {
        let pair = try StreamPair(isSecured: isSecured)
        let bytes = (0..<32 << 20).map { UInt8(truncatingIfNeeded: $0 / 251) }
        var sent = 0
        var heard: [UInt8] = []
        var wasFull = false
        while heard.count < bytes.count {
            sending: while sent < bytes.count {
                switch bytes[sent...].withUnsafeBytes({ pair.client.send($0) }) {
                case .taken(let count): sent += count
                case .full:
                    wasFull = true
                    break sending
                case .broken(let why):
                    Issue.record("broken: \(why)")
                    return
                }
            }
            _ = pair.client.flush()
            guard case .bytes(let more) = try pair.receive(on: pair.server) else { break }
            heard += more
        }
        #expect(wasFull)
        #expect(heard == bytes)
    }

    @Test(arguments: [false, true])
    func `nothing to read is no end`(isSecured: Bool) throws {
        let pair = try StreamPair(isSecured: isSecured)
        #expect(pair.client.receive() == .nothing)
    }

    @Test(arguments: [false, true])
    func `a half-closed stream still hears the answer`(isSecured: Bool) throws {
        let pair = try StreamPair(isSecured: isSecured)
        pair.client.endSending()
        #expect(try pair.receive(on: pair.server) == .end)
        let answer = Array("good-bye".utf8)
        #expect(answer.withUnsafeBytes { pair.server.send($0) } == .taken(answer.count))
        #expect(try pair.receive(on: pair.client) == .bytes(answer))
    }

    @Test(arguments: [false, true])
    func `a reset is heard as one, and not as an end`(isSecured: Bool) throws {
        let pair = try StreamPair(isSecured: isSecured)
        let bytes: [UInt8] = [7]
        #expect(bytes.withUnsafeBytes { pair.client.send($0) } == .taken(1))
        #expect(try pair.receive(on: pair.server) == .bytes(bytes))
        pair.server.resetWhenClosed()
        pair.closeServer()
        #expect(try pair.receive(on: pair.client) == .broken(.reset))
    }

    @Test func `a port where nobody listens refuses`() throws {
        let port = try { () throws in try TCPListener().port }()
        let stream = try TCPStream(connectingTo: TCPListener.host, port: port)
        #expect(stream.open() == .failed(.refused))
    }

    @Test(arguments: [false, true])
    func `a peer that is gone breaks the stream, not the process`(isSecured: Bool) throws {
        let pair = try StreamPair(isSecured: isSecured)
        // Closing with something unread resets the connection.
        #expect([1].withUnsafeBytes { pair.client.send($0) } != .full)
        _ = try pair.wait(for: pair.server)
        pair.closeServer()
        let bytes = [UInt8](repeating: 0, count: 1 << 20)
        var outcome = TCPStream.Sent.full
        let deadline = pair.clock.now + .seconds(10)
        while pair.clock.now < deadline {
            outcome = bytes.withUnsafeBytes { pair.client.send($0) }
            if case .broken = outcome { break }
        }
        #expect(outcome == .broken(.reset))
    }

    @Test func `a name is no address here`() {
        #expect(throws: SystemError.self) {
            try TCPStream(connectingTo: "localhost", port: 1).open()
        }
    }
}
