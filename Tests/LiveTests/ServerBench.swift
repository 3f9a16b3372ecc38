import Content
import DocrootServer
import Foundation
import Glibc
import Protocols
import Quantities
import RunLog
import Testing
import TransferHost

@testable import Live

/// A server on a directory of its own, and scripted clients with real sockets: one loop for all.
final class ServerBench {
    let clock = MachineClock()
    private let directory = FileManager.default.temporaryDirectory
        .appending(path: "server-\(UUID().uuidString)")
    private var loop: EventLoop
    private var host: LiveServerHost
    private(set) var log = RunLogSink()

    final class Client {
        let stream: TCPStream
        fileprivate(set) var heard: [UInt8] = []
        fileprivate(set) var isOver = false

        fileprivate init(_ stream: consuming TCPStream) { self.stream = stream }
    }

    struct TooLate: Error {}

    init(versions: [FileVersion] = [], _ settings: ServerSettings = ServerSettings()) throws {
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        loop = try EventLoop()
        host = try LiveServerHost(
            in: directory.path, versions: KnownVersions(versions), settings, on: loop)
    }

    deinit { try? FileManager.default.removeItem(at: directory) }

    var port: UInt16 { host.port }

    var pacedPort: UInt16? { host.pacedPort }

    /// Ends the server, which comes back as soon as it can.
    func restart() { host.goDown(until: clock.now, keepsStaging: true, loop) }

    var isUp: Bool { host.outage == nil }

    /// Turns of the loop for so long.
    func turn(for time: TimeSpan) throws {
        let end = clock.now + time
        try turn { clock.now >= end }
    }

    var isQuiet: Bool { isQuiet(besides: []) }

    func hasClients(_ count: Int) -> Bool { host.connections.count == count }

    func isQuiet(besides lost: Set<SocketAddress>) -> Bool { host.isQuiet(besides: lost) }

    func place(of object: String) -> URL { directory.appending(path: "docroot/\(object)") }

    /// How many files and folders of the server are open.
    var openFiles: Int {
        get throws {
            let all = "/proc/self/fd"
            let files = try FileManager.default.contentsOfDirectory(atPath: all).compactMap {
                try? FileManager.default.destinationOfSymbolicLink(atPath: "\(all)/\($0)")
            }
            return files.count { $0.contains(directory.lastPathComponent) }
        }
    }

    func connect() throws -> Client {
        Client(try TCPStream(connectingTo: TCPListener.host, port: host.port))
    }

    /// The client neither sends nor hears any more.
    func leave(_ client: Client) { shutdown(client.stream.descriptor.number, Int32(SHUT_RDWR)) }

    /// Sends everything, however long the server takes for it.
    func send(_ bytes: [UInt8], on client: Client) throws {
        var rest = bytes[...]
        try turn { () throws -> Bool in
            switch rest.withUnsafeBytes({ client.stream.send($0) }) {
            case .taken(let count): rest = rest.dropFirst(count)
            case .full: break
            case .broken: throw TooLate()
            }
            return rest.isEmpty
        }
    }

    func ask(
        _ request: TusRequest, _ body: [UInt8] = [], on client: Client
    ) throws -> HTTPResponseHead {
        try send(request.head(host: "docroot").bytes + body, on: client)
        return try answer(on: client)
    }

    func answer(on client: Client) throws -> HTTPResponseHead {
        let blankLine = Array("\r\n\r\n".utf8)
        var end: Int?
        try turn {
            listen(to: client)
            end = client.heard.indices.first {
                client.heard[...$0].suffix(4).elementsEqual(blankLine)
            }
            return end != nil
        }
        let place = try #require(end)
        let head = try HTTPResponseHead(parsing: Array(client.heard[...place]))
        let length = head.status == 200 ? 0 : Int(head.fields["Content-Length"] ?? "") ?? 0
        client.heard.removeFirst(min(place + 1 + length, client.heard.count))
        return head
    }

    func waitForEnd(of client: Client) throws {
        try turn {
            listen(to: client)
            return client.isOver
        }
    }

    /// Turns of the loop until it is so.
    func turn(until isDone: () throws -> Bool) throws {
        let deadline = clock.now + .seconds(20)
        while try !isDone() {
            guard clock.now < deadline else { throw TooLate() }
            let wait = host.isBusy ? clock.now : clock.now + .milliseconds(1)
            for ready in try loop.wait(until: wait, by: clock) {
                try host.serve(ready, on: loop, by: clock, into: &log)
            }
            host.endTurn(on: loop, by: clock, into: &log)
        }
    }

    /// Whether this many unread bytes have come.
    func hasHeard(_ count: Int, on client: Client) -> Bool {
        listen(to: client)
        return client.heard.count >= count
    }

    func takeEnds() -> [LiveServerHost.End] { host.takeEnds() }

    var serverFacts: [ServerFact] {
        log.events.compactMap { if case .server(let fact) = $0.fact { fact } else { nil } }
    }

    private func listen(to client: Client) {
        switch client.stream.receive() {
        case .bytes(let bytes): client.heard += bytes
        case .nothing: break
        case .end, .broken: client.isOver = true
        }
    }
}
