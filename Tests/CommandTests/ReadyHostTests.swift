import Dispatch
import Foundation
import Quantities
import Synchronization
import Testing
import TransferClient
import TransferEngine
import TransferHost

/// A queue that is ready to use, against the server that a user would start.
@Suite struct ReadyHostTests {
    static let handle = CredentialHandle("mine")

    static func account(_ server: ServedFolder, host: String = "127.0.0.1") -> Account {
        Account(host: host, port: UInt16(server.port), credentials: handle)
    }

    /// The app's folder, with a file of a megabyte.
    static func app() throws -> (folder: TemporaryFolder, content: Data) {
        let folder = try TemporaryFolder()
        let noise = try #require(FileHandle(forReadingAtPath: "/dev/urandom"))
        let content = try #require(try noise.read(upToCount: 1_000_000))
        try content.write(to: folder.url.appending(path: "film.mov"))
        return (folder, content)
    }

    static let upload = [
        SessionRequest.File(source: "film.mov", destination: "in/film.mov")
    ]

    /// Starts the queue, and waits for the end of a session's turn.
    static func result(
        of session: SessionRequest, by host: TransferHost
    ) async throws -> SessionResult? {
        let events = host.queue.events()
        let id = try await host.queue.enqueue(session)
        try await host.queue.start()
        for await case .session(id, .didDeactivate(let result)) in events { return result }
        return nil
    }

    /// Waits until a session stands so; each change of it is an event.
    private static func standing(
        of id: SessionID, in events: AsyncStream<QueueEvent>, by host: TransferHost,
        where isMeant: (SessionStanding) -> Bool
    ) async -> SessionStanding? {
        if let now = host.queue.standing(of: id), isMeant(now) { return now }
        for await _ in events {
            if let now = host.queue.standing(of: id), isMeant(now) { return now }
        }
        return nil
    }

    @Test(arguments: ["127.0.0.1", "localhost"])
    func `a file goes up, and comes back`(name: String) async throws {
        let server = try ServedFolder()
        let (folder, content) = try Self.app()
        let host = try TransferHost(container: folder.url.path)
        defer { host.close() }
        let account = Self.account(server, host: name)
        let up = SessionRequest(account: account, uploads: Self.upload)
        #expect(try await Self.result(of: up, by: host) == .completed)
        #expect(try Data(contentsOf: server.docroot.appending(path: "in/film.mov")) == content)
        let back = SessionRequest.File(source: "in/film.mov", destination: "new/film.mov")
        let down = SessionRequest(account: account, downloads: [back])
        #expect(try await Self.result(of: down, by: host) == .completed)
        #expect(try Data(contentsOf: folder.url.appending(path: "new/film.mov")) == content)
        #expect(host.queue.standings.map(\.state) == [.completed, .completed])
        #expect(host.queue.standings.map { $0.progress.done.bytes } == [1_000_000, 1_000_000])
    }

    @Test(.enabled(if: Relay.hasIPv6, "this machine has no IPv6"))
    func `a server that has IPv6 alone is reached`() async throws {
        let server = try ServedFolder()
        let relay = try Relay(to: server.port)
        let (folder, content) = try Self.app()
        let host = try TransferHost(container: folder.url.path)
        defer { host.close() }
        let account = Account(host: "::1", port: UInt16(relay.port), credentials: Self.handle)
        let up = SessionRequest(account: account, uploads: Self.upload)
        #expect(try await Self.result(of: up, by: host) == .completed)
        #expect(try Data(contentsOf: server.docroot.appending(path: "in/film.mov")) == content)
        #expect(try relay.hosts() == ["[::1]"])
    }

    @Test func `an operation goes up beside the queue`() async throws {
        let server = try ServedFolder()
        let (folder, content) = try Self.app()
        let host = try TransferHost(container: folder.url.path)
        defer { host.close() }
        let events = host.operations.events()
        let operation = host.operations.upload(
            fromFile: "film.mov", to: Self.account(server), path: "in/operation.mov")
        for await event in events where event.change != .progress && event.change != .added {
            #expect(event.change == .completed && event.operation === operation)
            break
        }
        #expect(
            try Data(contentsOf: server.docroot.appending(path: "in/operation.mov")) == content)
        #expect(operation.fraction == 1)
    }

    @Test func `a resumable transfer is suspended, and goes on with the next host`() async throws {
        let server = try ServedFolder()
        let (folder, content) = try Self.app()
        let account = Self.account(server)
        let first = try TransferHost(container: folder.url.path)
        let up = first.resumable.manager(ofBucket: "films", in: "lab")
            .uploader(of: "film", fromFile: "film.mov", account: account)
        let moves = up.events()
        up.transfer(nil)
        up.suspend()
        for await case .cameToRest(let why) in moves {
            #expect(why == .kii(.suspended))
            break
        }
        first.close()

        let second = try TransferHost(container: folder.url.path)
        defer { second.close() }
        let manager = second.resumable.manager(ofBucket: "films", in: "lab")
        let found = try #require(manager.transfers.first)
        let ends = found.events()
        #expect(found.number == up.number && found.status == .suspended)
        found.transfer(nil)
        for await case .cameToRest(let why) in ends {
            #expect(why == nil)
            break
        }
        let down = manager.downloader(of: "film", toFile: "back.mov", account: account)
        let news = down.events()
        down.transfer(nil)
        for await case .cameToRest(let why) in news {
            #expect(why == nil)
            break
        }
        #expect(try Data(contentsOf: folder.url.appending(path: "back.mov")) == content)
    }

    @Test(arguments: ["127.0.0.1", "localhost"])
    func `a file goes up and comes back over TLS`(name: String) async throws {
        let (folder, content) = try Self.app()
        let server = try ServedFolder("--tls", folder.url.path)
        let trusted = folder.url.appending(path: "certificate.pem").path
        let host = try TransferHost(container: folder.url.path, trusting: trusted)
        defer { host.close() }
        let account = Account(
            host: name, port: UInt16(server.port), credentials: Self.handle, usesTLS: true)
        let up = SessionRequest(account: account, uploads: Self.upload)
        #expect(try await Self.result(of: up, by: host) == .completed)
        #expect(try Data(contentsOf: server.docroot.appending(path: "in/film.mov")) == content)
        let back = SessionRequest.File(source: "in/film.mov", destination: "new/film.mov")
        let down = SessionRequest(account: account, downloads: [back])
        #expect(try await Self.result(of: down, by: host) == .completed)
        #expect(try Data(contentsOf: folder.url.appending(path: "new/film.mov")) == content)
    }

    @Test func `a server that nobody vouches for gets nothing`() async throws {
        let (folder, _) = try Self.app()
        let server = try ServedFolder("--tls", folder.url.path)
        let host = try TransferHost(container: folder.url.path)
        defer { host.close() }
        let account = Account(
            host: "127.0.0.1", port: UInt16(server.port), credentials: Self.handle, usesTLS: true)
        let events = host.queue.events()
        let id = try await host.queue.enqueue(
            SessionRequest(account: account, uploads: Self.upload))
        try await host.queue.start()
        let waits = await Self.standing(of: id, in: events, by: host) { $0.state == .retrying }
        #expect(waits?.error == .connectionFailed)
        #expect(server.end(by: SIGTERM) == 0)
        #expect(!server.lines.contains { $0.contains("created") }, "\(server.lines)")
    }

    @Test func `the next host knows how all stand, and counts on`() async throws {
        let server = try ServedFolder()
        let (folder, _) = try Self.app()
        let missing = [SessionRequest.File(source: "gone.mov", destination: "in/gone.mov")]
        let account = Self.account(server)
        let first = try TransferHost(container: folder.url.path)
        let failed = try await Self.result(
            of: SessionRequest(account: account, uploads: missing), by: first)
        #expect(failed == .failed(code: 4, message: "no such file"))
        first.close()
        let second = try TransferHost(container: folder.url.path)
        defer { second.close() }
        #expect(second.queue.standings.map(\.state) == [.failed])
        #expect(second.queue.standings.map(\.error) == [.noSuchFile])
        let request = SessionRequest(account: account, uploads: Self.upload)
        #expect(try await second.queue.enqueue(request) == SessionID(2))
    }

    @Test func `a secret is used, and outlives the host in its keychain`() async throws {
        let users = try TemporaryFolder()
        let file = users.url.appending(path: "users.json")
        try Data(#"{"users": [{"name": "ada", "password": "secret"}]}"#.utf8).write(to: file)
        let server = try ServedFolder("--users", file.path)
        let (folder, _) = try Self.app()
        let keychain = users.url.appending(path: "keychain").path
        let request = SessionRequest(account: Self.account(server), uploads: Self.upload)
        let stranger = try TransferHost(container: folder.url.path, keychain: keychain)
        #expect(
            try await Self.result(of: request, by: stranger)
                == .failed(code: 19, message: "authentication"))
        stranger.keep(.password(user: "ada", "secret"), as: Self.handle)
        #expect(try await Self.result(of: request, by: stranger) == .completed)
        stranger.close()
        let next = try TransferHost(container: folder.url.path, keychain: keychain)
        defer { next.close() }
        #expect(try await Self.result(of: request, by: next) == .completed)
    }

    @Test func `a server that is away is waited for, until a moment`() async throws {
        let (folder, _) = try Self.app()
        // Nothing listens on the port that only this machine's root may open.
        let account = Account(host: "127.0.0.1", port: 1, credentials: Self.handle)
        let host = try TransferHost(container: folder.url.path)
        defer { host.close() }
        let events = host.queue.events()
        let id = try await host.queue.enqueue(
            SessionRequest(account: account, uploads: Self.upload))
        try await host.queue.start()
        let waits = await Self.standing(of: id, in: events, by: host) { $0.state == .retrying }
        #expect(waits?.error == .connectionFailed)
        guard case .pause(let until)? = waits?.wait else {
            Issue.record("\(String(describing: waits?.wait))")
            return
        }
        // The first pause is two seconds, and each is twice as long; a busy machine sees it late.
        let longest = pow(2, Double(waits?.record.failures ?? 0))
        #expect(host.date(of: until).timeIntervalSinceNow <= longest)
        let later = host.date(of: until + .seconds(100)).timeIntervalSince(host.date(of: until))
        #expect(abs(later - 100) < 5)
    }

    @Test func `a name that nobody has is an error`() async throws {
        let (folder, _) = try Self.app()
        let host = try TransferHost(container: folder.url.path)
        defer { host.close() }
        let events = host.queue.events()
        let account = Account(host: "nobody.invalid", port: 80, credentials: Self.handle)
        let id = try await host.queue.enqueue(
            SessionRequest(account: account, uploads: Self.upload))
        try await host.queue.start()
        let waits = await Self.standing(of: id, in: events, by: host) { $0.error != nil }
        #expect(waits?.error == .connectionFailed)
    }

    @Test func `the delegate is called on the app's queue`() async throws {
        let (folder, _) = try Self.app()
        let callbacks = DispatchQueue(label: "mine")
        let host = try TransferHost(container: folder.url.path, callingOn: callbacks)
        defer { host.close() }
        let ear = Ear(callbacks)
        host.queue.delegate = ear
        let events = host.queue.events()
        try await host.queue.start()
        for await case .didStart in events { break }
        #expect(ear.heard.withLock { $0 } == ["did start"])
        await #expect(throws: QueueRefusal.noSuchSession(SessionID(9))) {
            try await host.queue.run(SessionID(9))
        }
    }

    @Test func `a folder has one host at a time`() throws {
        let folder = try TemporaryFolder()
        let host = try TransferHost(container: folder.url.path)
        let error = #expect(throws: TransferHostError.self) {
            try TransferHost(container: folder.url.path)
        }
        #expect(
            error?.description.hasSuffix("is in use by another process; end that process first")
                == true)
        host.close()
        host.close()
        try TransferHost(container: folder.url.path).close()
    }

    @Test func `whoever asks a host that has ended is told so, and no reader waits for ever`()
        async throws
    {
        let folder = try TemporaryFolder()
        let host = try TransferHost(container: folder.url.path)
        let events = host.queue.events()
        try await host.queue.start()
        host.close()
        await #expect(throws: QueueRefusal.hostHasEnded) { try await host.queue.stop() }
        for await _ in events {}
        for await _ in host.queue.events() {}
    }

    @Test func `a folder that is not there, or a store that is none, is an error`() throws {
        let folder = try TemporaryFolder()
        let error = #expect(throws: TransferHostError.self) {
            try TransferHost(container: folder.url.path + "/gone")
        }
        #expect(error?.description == "there is no folder \(folder.url.path)/gone: make it first")
        let locked = #expect(throws: TransferHostError.self) {
            try TransferHost(
                container: folder.url.path, keychain: folder.url.path + "/gone/keychain")
        }
        #expect(locked?.description.contains("make the folder \(folder.url.path)/gone") == true)
        try Data("text".utf8).write(to: folder.url.appending(path: "trusted.pem"))
        for name in ["trusted.pem", "gone.pem"] {
            let path = folder.url.appending(path: name).path
            let untrusted = #expect(throws: TransferHostError.self) {
                try TransferHost(container: folder.url.path, trusting: path)
            }
            let words = untrusted?.description ?? ""
            let action = "cannot read the certificates to trust in \(path): "
            #expect(words.hasPrefix(action), "\(words)")
            #expect(words.hasSuffix("; name a file of certificates in PEM form"), "\(words)")
        }
        let database = folder.url.appending(path: "queue.sqlite")
        try FileManager.default.createDirectory(at: database, withIntermediateDirectories: false)
        let other = #expect(throws: TransferHostError.self) {
            try TransferHost(container: folder.url.path)
        }
        #expect(other?.description.contains("queue.sqlite") == true)
    }

    private final class Ear: TransferQueueDelegate {
        let heard = Mutex<[String]>([])
        private let callbacks: DispatchQueue

        init(_ callbacks: DispatchQueue) { self.callbacks = callbacks }

        func queueDidStart() {
            dispatchPrecondition(condition: .onQueue(callbacks))
            heard.withLock { $0.append("did start") }
        }
    }
}
