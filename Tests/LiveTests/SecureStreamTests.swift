import Glibc
import Testing
import TransferEngine
import TransferHost

@testable import Live

/// Whom a client trusts, and what it finds out.
@Suite final class SecureStreamTests {
    private let folder: RunDirectory
    private let identity: ServerIdentity

    init() throws {
        folder = try RunDirectory()
        identity = ServerIdentity(in: folder.path)
        try identity.make(for: ["127.0.0.1"], names: ["docroot.example"])
    }

    private var server: SecureContext {
        get throws { try .server(as: identity) }
    }

    @Test(arguments: ["127.0.0.1", "docroot.example"])
    func `a server is known by its address and its name`(name: String) throws {
        let client = try SecureContext.client(trusting: identity.certificate)
        #expect(try StreamPair(server, client, as: name).opening == .open)
    }

    @Test(arguments: ["127.0.0.2", "elsewhere.example"])
    func `a certificate of another server is not trusted`(name: String) throws {
        let client = try SecureContext.client(trusting: identity.certificate)
        #expect(try StreamPair(server, client, as: name).opening == .failed(.untrusted))
    }

    @Test func `a certificate that nobody has vouched for is not trusted`() throws {
        let pair = try StreamPair(server, .client(), as: "127.0.0.1")
        #expect(pair.opening == .failed(.untrusted))
    }

    @Test func `a certificate that has expired is not trusted`() throws {
        try identity.make(for: ["127.0.0.1"], names: [], days: -1)
        let client = try SecureContext.client(trusting: identity.certificate)
        #expect(try StreamPair(server, client, as: "127.0.0.1").opening == .failed(.untrusted))
    }

    @Test(arguments: [TLSVersion.tls12, .tls13])
    func `either version carries bytes`(version: TLSVersion) throws {
        let client = try SecureContext.client(trusting: identity.certificate)
        client.only(version)
        let pair = try StreamPair(server, client, as: "127.0.0.1")
        try #require(pair.opening == .open)
        let bytes: [UInt8] = [1, 2, 3]
        #expect(bytes.withUnsafeBytes { pair.client.send($0) } == .taken(3))
        #expect(try pair.receive(on: pair.server) == .bytes(bytes))
    }

    @Test func `no bytes are readable on the way`() throws {
        let client = try SecureContext.client(trusting: identity.certificate)
        let pair = try StreamPair(server, client, as: "127.0.0.1")
        let secret = Array("Authorization: Basic YWRhOmVuZ2luZQ==".utf8)
        #expect(secret.withUnsafeBytes { pair.client.send($0) } == .taken(secret.count))
        try pair.wait(for: pair.server)
        var onTheWay = [UInt8](repeating: 0, count: 4_096)
        let count = recv(
            pair.server.descriptor.number, &onTheWay, onTheWay.count, Int32(MSG_PEEK))
        try #require(count > secret.count)
        let text = String(decoding: onTheWay.prefix(count), as: UTF8.self)
        #expect(!text.contains("Authorization"))
    }

    @Test func `a stream that is cut off has not ended`() throws {
        let client = try SecureContext.client(trusting: identity.certificate)
        let pair = try StreamPair(server, client, as: "127.0.0.1")
        let bytes: [UInt8] = [7]
        // The server's end has shaken hands once it reads.
        #expect(bytes.withUnsafeBytes { pair.server.send($0) } == .full)
        #expect(bytes.withUnsafeBytes { pair.client.send($0) } == .taken(1))
        #expect(try pair.receive(on: pair.server) == .bytes(bytes))
        #expect(bytes.withUnsafeBytes { pair.server.send($0) } == .taken(1))
        // As if somebody on the way had ended the connection: no notice, only TCP's end.
        shutdown(pair.server.descriptor.number, Int32(SHUT_WR))
        #expect(try pair.receive(on: pair.client) == .bytes(bytes))
        #expect(try pair.receive(on: pair.client) == .broken(.reset))
    }

    @Test func `a server without TLS is no server with TLS`() throws {
        let listener = try TCPListener()
        let client = try TCPStream(
            connectingTo: TCPListener.host, port: listener.port,
            securedBy: .init(.client(), to: TCPListener.host))
        var accepted: StreamPair.Accepted?
        while accepted == nil {
            if let stream = try listener.accept() { accepted = StreamPair.Accepted(stream) }
        }
        let answer = Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8)
        #expect(client.open() == .underWay)
        #expect(answer.withUnsafeBytes { accepted?.stream.send($0) } == .taken(answer.count))
        var poll = pollfd(fd: client.descriptor.number, events: Int16(POLLIN), revents: 0)
        try #require(Glibc.poll(&poll, 1, 10_000) == 1)
        #expect(client.open() == .failed(.reset))
    }

    @Test func `a file that is no certificate is refused by name`() throws {
        let file = folder.path + "/text"
        let text = try Descriptor(opening: file, O_WRONLY | O_CREAT)
        try text.write(Array("not a certificate".utf8), at: 0)
        let error = #expect(throws: SecurityError.self) {
            try SecureContext.client(trusting: file)
        }
        #expect(error?.description.contains("to trust in \(file): ") == true, "\(error as Any)")
        // A key of another certificate.
        let folder = try RunDirectory()
        let other = ServerIdentity(in: folder.path)
        try other.make(for: ["127.0.0.1"], names: [])
        #expect(unlink(identity.key) == 0 && link(other.key, identity.key) == 0)
        let misfit = #expect(throws: SecurityError.self) { try SecureContext.server(as: identity) }
        #expect(misfit?.description.contains("use the key in \(identity.key) ") == true)
    }
}
