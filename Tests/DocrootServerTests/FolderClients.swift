import Content
import Quantities

/// The folder into which everybody puts something, until the next one is made.
final class NewestFolder {
    private(set) var path = "/dav/new-0"
    private var number = 0

    func next() -> String {
        number += 1
        path = "/dav/new-\(number)"
        return path
    }
}

/// Makes one folder after another.
final class FolderMakingClient: PowerCutClient {
    private let newest: NewestFolder
    private let supply: PowerCutSupply
    private var current: (path: String, connection: UInt32)?
    private var done: [String] = []

    init(_ newest: NewestFolder, _ supply: PowerCutSupply) {
        self.newest = newest
        self.supply = supply
    }

    func act(on bench: DocrootBench, _ random: inout RandomStream) {
        guard let current else {
            let connection = supply.newConnection()
            let path = newest.next()
            self.current = (path, connection)
            return bench.begin("MKCOL", path, length: .zero, on: connection)
        }
        guard let reply = bench.reply(on: current.connection) else { return }
        if reply.status == 201 { done.append(current.path) }
        self.current = nil
    }

    func look(at bench: DocrootBench) -> [String] {
        current = nil
        defer { done = done.suffix(3) }
        return done.compactMap { path in
            let depth = [("Depth", "0")]
            let reply = bench.ask("PROPFIND", path, depth, on: supply.newConnection())
            return reply?.status == 207 ? nil : "\(path) is gone"
        }
    }
}

/// Puts an object after another into the folder that somebody else is just making.
final class FolderFillingClient: PowerCutClient {
    private let newest: NewestFolder
    private let supply: PowerCutSupply
    private var current: (path: String, file: UInt32, connection: UInt32)?
    private var done: [(path: String, file: UInt32)] = []

    init(_ newest: NewestFolder, _ supply: PowerCutSupply) {
        self.newest = newest
        self.supply = supply
    }

    func act(on bench: DocrootBench, _ random: inout RandomStream) {
        guard let current else {
            let file = supply.newFile(&random)
            let path = "\(newest.path)/\(file)"
            let connection = supply.newConnection()
            self.current = (path, file, connection)
            let length = supply.length(of: file)
            bench.begin("PUT", path, length: ByteCount(length), on: connection)
            return bench.send(bytes(length, of: file), on: connection)
        }
        guard let reply = bench.reply(on: current.connection) else { return }
        if reply.status < 300 { done.append((current.path, current.file)) }
        self.current = nil
    }

    func look(at bench: DocrootBench) -> [String] {
        current = nil
        defer { done = done.suffix(3) }
        return done.flatMap { path, file in
            let (ranges, problems) = supply.read(path, on: bench)
            let isThere = ranges.map { supply.isWhole($0, file) } ?? false
            return problems + (isThere ? [] : ["\(path) is \(ranges.map { "\($0)" } ?? "gone")"])
        }
    }
}
