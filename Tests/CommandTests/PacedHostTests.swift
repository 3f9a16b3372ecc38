import Foundation
import Testing
import TransferClient
import TransferEngine
import TransferHost

/// A queue that is ready to use, over the paced transport.
@Suite struct PacedHostTests {
    @Test(arguments: [(true, false), (false, false), (true, true)])
    func `a file goes up, and comes back, by the paced transport`(
        hasAccounts: Bool, hasTLS: Bool
    ) async throws {
        let (folder, content) = try ReadyHostTests.app()
        let users = try TemporaryFolder()
        let file = users.url.appending(path: "users.json")
        try Data(#"{"users": [{"name": "ada", "password": "secret"}]}"#.utf8).write(to: file)
        let server = try ServedFolder(
            (hasAccounts ? ["--users", file.path] : [])
                + (hasTLS ? ["--tls", folder.url.path] : []))
        let trusted = folder.url.appending(path: "certificate.pem").path
        let host = try TransferHost(
            container: folder.url.path, trusting: hasTLS ? trusted : nil)
        defer { host.close() }
        host.keep(.password(user: "ada", "secret"), as: ReadyHostTests.handle)
        let account = Account(
            host: "127.0.0.1", port: UInt16(server.port), credentials: ReadyHostTests.handle,
            usesTLS: hasTLS)
        var up = SessionRequest(account: account, uploads: ReadyHostTests.upload)
        up.settings.transport = .paced
        #expect(try await ReadyHostTests.result(of: up, by: host) == .completed)
        #expect(try Data(contentsOf: server.docroot.appending(path: "in/film.mov")) == content)
        let back = SessionRequest.File(source: "in/film.mov", destination: "new/film.mov")
        var down = SessionRequest(account: account, downloads: [back])
        down.settings.transport = .paced
        #expect(try await ReadyHostTests.result(of: down, by: host) == .completed)
        #expect(try Data(contentsOf: folder.url.appending(path: "new/film.mov")) == content)
    }

    @Test func `many small files go up at once by the paced transport`() async throws {
        let folder = try TemporaryFolder()
        let names = (1...150).map { "\($0).bin" }
        func content(of name: String) -> Data { Data(repeating: UInt8(name.count), count: 9_000) }
        for name in names { try content(of: name).write(to: folder.url.appending(path: name)) }
        let server = try ServedFolder()
        let host = try TransferHost(container: folder.url.path)
        defer { host.close() }
        var session = SessionRequest(account: ReadyHostTests.account(server), uploads: [])
        session.isPersistent = true
        session.settings.transport = .paced
        let events = host.queue.events()
        let id = try await host.queue.enqueue(session)
        try await host.queue.start()
        var left = names.count
        var (moving, most) = (0, 0)
        for await event in events {
            if event == .session(id, .canAcceptPaths) {
                for name in names {
                    try await host.queue.addPath(
                        from: name, to: "in/\(name)", toPersistent: id)
                }
            }
            if case .session(id, .didStartFile) = event {
                moving += 1
                most = max(most, moving)
            }
            if case .session(id, .didStopFile) = event {
                moving -= 1
                left -= 1
            }
            guard left > 0 else { break }
        }
        #expect(most > 4)
        for name in names {
            let place = server.docroot.appending(path: "in/\(name)")
            #expect(try Data(contentsOf: place) == content(of: name), "\(name)")
        }
    }
}
