import Content
import DocrootServer
import Foundation
import Protocols
import Quantities
import RunLog
import Testing
import TransferHost

@testable import Live

@Suite struct LiveServerHostTests {
    private let version = FileVersion(file: 1, edit: 0)
    private let size = ByteCount(1_200_000)

    @Test func `an upload that breaks off goes on at its offset and is published whole`() throws {
        let bench = try ServerBench(versions: [version])
        let bytes = content(of: version)
        let first = try bench.connect()
        #expect(try create("films/a.mov", size, on: first, bench) == "/tus/1")
        let append = TusRequest.append(resource: "/tus/1", at: .zero, length: size)
        let part = Array(bytes[..<400_000])
        try bench.send(append.head(host: "docroot").bytes + part, on: first)
        bench.leave(first)

        let second = try bench.connect()
        var offset = ByteCount.zero
        try bench.turn {
            let head = try bench.ask(.offset(resource: "/tus/1"), on: second)
            offset = try self.offset(in: head)
            return offset == ByteCount(400_000)
        }
        let rest = TusRequest.append(resource: "/tus/1", at: offset, length: size - offset)
        let answer = try bench.ask(rest, Array(bytes[400_000...]), on: second)
        #expect(answer.status == 204)
        #expect(try self.offset(in: answer) == size)
        #expect(try Data(contentsOf: bench.place(of: "films/a.mov")) == Data(bytes))
        let published = ServerFact.published(
            ResourceName("/tus/1"), object: "films/a.mov", version: 1,
            [ContentRange(version, offset: .zero, length: size)])
        #expect(bench.serverFacts.contains(published))
    }

    @Test func `uploads that are left hold few files open, and go on all the same`() throws {
        let bench = try ServerBench()
        let client = try bench.connect()
        let (half, length) = (Array("half ".utf8), ByteCount(10))
        for number in 1...100 {
            #expect(try create("\(number)", length, on: client, bench) == "/tus/\(number)")
            let append = TusRequest.append(
                resource: "/tus/\(number)", at: .zero, length: ByteCount(5))
            #expect(try bench.ask(append, half, on: client).status == 204)
        }
        #expect(try bench.openFiles < 80)
        let append = TusRequest.append(resource: "/tus/1", at: ByteCount(5), length: ByteCount(5))
        #expect(try bench.ask(append, Array("whole".utf8), on: client).status == 204)
        #expect(try Data(contentsOf: bench.place(of: "1")) == Data("half whole".utf8))
    }

    @Test func `the log tells whose bytes readers see, not what was announced`() throws {
        let other = FileVersion(file: 2, edit: 0)
        let bench = try ServerBench(versions: [version, other])
        let half = ByteCount(524_288)
        let bytes =
            content(of: version)[..<Int(half.bytes)] + content(of: other)[Int(half.bytes)...]
        let client = try bench.connect()
        _ = try create("mixed", size, on: client, bench)
        _ = try bench.ask(
            .append(resource: "/tus/1", at: .zero, length: size), Array(bytes), on: client)
        let published = ServerFact.published(
            ResourceName("/tus/1"), object: "mixed", version: 1,
            [
                ContentRange(version, offset: .zero, length: half),
                ContentRange(other, offset: half, length: size - half),
            ])
        #expect(bench.serverFacts.contains(published))
    }

    @Test func `an empty object is published when it is created`() throws {
        let bench = try ServerBench()
        let client = try bench.connect()
        #expect(try create("empty", .zero, on: client, bench) == "/tus/1")
        #expect(try Data(contentsOf: bench.place(of: "empty")).isEmpty)
    }

    @Test func `what leaves the docroot is refused, and nothing is written`() throws {
        let bench = try ServerBench()
        let client = try bench.connect()
        let request = TusRequest.create(
            collection: DocrootServer.collection, object: "../stolen", length: .zero)
        #expect(try bench.ask(request, on: client).status == 403)
        #expect(!FileManager.default.fileExists(atPath: bench.place(of: "../stolen").path))
    }

    @Test func `an object that the disk will not take is an error to the client`() throws {
        let bench = try ServerBench(versions: [version])
        let place = bench.place(of: "folder")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        let client = try bench.connect()
        _ = try create("folder", ByteCount(4), on: client, bench)
        let append = TusRequest.append(resource: "/tus/1", at: .zero, length: ByteCount(4))
        #expect(try bench.ask(append, [1, 2, 3, 4], on: client).status == 409)
    }

    @Test func `a client that is turned away may finish what it was saying`() throws {
        let bench = try ServerBench()
        let client = try bench.connect()
        try bench.send(Array("nonsense\r\n\r\n".utf8), on: client)
        #expect(try bench.answer(on: client).status == 400)
        try bench.waitForEnd(of: client)
        // If the server had closed at once, this would be answered by a reset.
        for _ in 0..<10 { try bench.send([UInt8](repeating: 0, count: 300_000), on: client) }
        bench.leave(client)
        try bench.turn { bench.isQuiet }
        #expect(bench.takeEnds().map(\.isWhole) == [true])
    }

    @Test func `the end of a connection tells how much came over it`() throws {
        let bench = try ServerBench()
        let client = try bench.connect()
        try bench.send([UInt8](repeating: 65, count: 5_000), on: client)
        bench.leave(client)
        try bench.turn { bench.isQuiet && bench.takeEnds().map(\.received) == [ByteCount(5_000)] }
    }

    @Test func `a client that is never heard again keeps no server busy`() throws {
        let bench = try ServerBench()
        let lost = try bench.connect()
        try bench.send(Array("GET / HTTP/1.1\r\n".utf8), on: lost)
        let other = try bench.connect()
        try bench.turn {
            bench.hasClients(2) && bench.isQuiet(besides: [lost.stream.own, other.stream.own])
        }
        #expect(!bench.isQuiet(besides: [lost.stream.own]))
        bench.leave(other)
        try bench.turn { bench.isQuiet(besides: [lost.stream.own]) }
        #expect(!bench.isQuiet)
    }

    @Test func `a server whose ports are taken comes back when both are free`() throws {
        var settings = ServerSettings()
        settings.pacedPort = 0
        let bench = try ServerBench(versions: [], settings)
        let port = try #require(bench.pacedPort)
        bench.restart()
        let other = try DatagramSocket(host: TCPListener.host, port: port)
        try bench.turn(for: .milliseconds(300))
        #expect(!bench.isUp)
        _ = consume other
        try bench.turn { bench.isUp }
        let client = try bench.connect()
        #expect(try create("empty", .zero, on: client, bench) == "/tus/1")
    }

    private func create(
        _ object: String, _ length: ByteCount, on client: ServerBench.Client, _ bench: ServerBench
    ) throws -> String? {
        let request = TusRequest.create(
            collection: DocrootServer.collection, object: object, length: length)
        return try bench.ask(request, on: client).fields["Location"]
    }

    private func offset(in head: HTTPResponseHead) throws -> ByteCount {
        ByteCount(try #require(UInt64(head.fields["Upload-Offset"] ?? "")))
    }

    private func content(of version: FileVersion) -> [UInt8] {
        DeterministicBytes.bytes(of: ContentRange(version, offset: .zero, length: size))
    }
}
