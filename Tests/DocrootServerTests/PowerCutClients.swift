import Content
import Protocols
import Quantities

/// A client that goes on with its uploads over losses of power, and knows what it was promised.
protocol PowerCutClient: AnyObject {
    /// One thing more: a head, a piece of a body, a look for the answer.
    func act(on bench: DocrootBench, _ random: inout RandomStream)
    /// The power is back: is everything there that was promised? What is not, in words.
    func look(at bench: DocrootBench) -> [String]
}

/// Bodies that are told apart by their file, and the numbers of connections.
final class PowerCutSupply {
    private var lastFile: UInt32 = 0
    private var lastConnection: UInt32 = 0
    private var lengths: [UInt32: UInt64] = [:]
    /// What was seen under a name with a tag: never two bodies under one.
    private var seen: [String: [ContentRange]] = [:]
    /// Resources that were given to clients.
    private var resources: Set<String> = []

    func newFile(_ random: inout RandomStream) -> UInt32 {
        lastFile += 1
        lengths[lastFile] = 1 + random.below(20_000)
        return lastFile
    }

    func newConnection() -> UInt32 {
        lastConnection += 1
        return lastConnection
    }

    func length(of file: UInt32) -> UInt64 { lengths[file] ?? 0 }

    func isWhole(_ ranges: [ContentRange], _ file: UInt32) -> Bool {
        ranges.map(Segment.content) == bytes(length(of: file), of: file)
    }

    /// Whether the resource is a new one.
    func isNew(_ resource: String) -> Bool { resources.insert(resource).inserted }

    /// What readers see under a name, and what is wrong with its tag.
    func read(_ path: String, on bench: DocrootBench) -> (ranges: [ContentRange]?, [String]) {
        let reply = bench.ask("GET", path, on: newConnection())
        guard reply?.status == 200, let tag = reply?.head.fields["ETag"] else {
            return (nil, reply?.status == 404 ? [] : ["\(path): \(reply?.status ?? 0)"])
        }
        let ranges = reply?.ranges ?? []
        let before = seen.updateValue(ranges, forKey: "\(path) \(tag)")
        guard before == nil || before == ranges else {
            return (ranges, ["\(path) has two bodies with the tag \(tag)"])
        }
        return (ranges, [])
    }
}

/// Puts one version after another to one place; with a key, each again until it was answered.
final class PuttingClient: PowerCutClient {
    private let path: String
    private let isKeyed: Bool
    private let supply: PowerCutSupply
    private var possible: Set<UInt32?> = [nil]
    private var current: UInt32?
    private var connection: UInt32?
    private var sent: UInt64 = 0
    private var problems: [String] = []

    init(_ name: String, isKeyed: Bool, _ supply: PowerCutSupply) {
        path = "/dav/" + name
        self.isKeyed = isKeyed
        self.supply = supply
    }

    func act(on bench: DocrootBench, _ random: inout RandomStream) {
        let file = current ?? supply.newFile(&random)
        let length = supply.length(of: file)
        guard let connection else {
            current = file
            possible.insert(file)
            sent = 0
            let new = supply.newConnection()
            connection = new
            let key = isKeyed ? [("Idempotency-Key", "\(file)")] : []
            return bench.begin("PUT", path, key, length: ByteCount(length), on: new)
        }
        // Now and then it goes away in the middle.
        guard random.below(12) != 0 else {
            self.connection = nil
            if !isKeyed { current = nil }
            return bench.leave(connection)
        }
        if let reply = bench.reply(on: connection) { return hear(reply, of: file, bench) }
        if sent < length {
            let count = min(1 + random.below(8_000), length - sent)
            bench.send(bytes(count, of: file, at: sent), on: connection)
            sent += count
        }
    }

    private func hear(_ reply: DocrootBench.Reply, of file: UInt32, _ bench: DocrootBench) {
        connection = nil
        // The first try is on its way to its readers: later.
        if isKeyed, reply.status == 409, reply.head.fields["Retry-After"] != nil { return }
        guard reply.status < 300 else { return problems.append("\(path): \(reply.status)") }
        possible = [file]
        current = nil
        problems += check(bench)
    }

    func look(at bench: DocrootBench) -> [String] {
        connection = nil
        if !isKeyed { current = nil }
        defer { problems = [] }
        return problems + check(bench)
    }

    private func check(_ bench: DocrootBench) -> [String] {
        let (ranges, problems) = supply.read(path, on: bench)
        guard let ranges else {
            return problems + (possible.contains(nil) ? [] : ["\(path) is gone"])
        }
        let found = possible.first { $0.map { supply.isWhole(ranges, $0) } ?? false }
        guard let found else { return problems + ["\(path) is \(ranges)"] }
        // A key's body may still come, as its client will send it again.
        possible = [found]
        return problems
    }
}

/// Uploads one object after another by tus, a piece at a time; if it tells checksums, now and then
/// a wrong one.
final class TusClient: PowerCutClient {
    private let name: String
    private let tellsChecksums: Bool
    private let supply: PowerCutSupply
    private var file: UInt32?
    private var resource: String?
    private var offset: UInt64 = 0
    private var connection: UInt32?
    /// What is left of the piece that is being sent.
    private var piece: (from: UInt64, to: UInt64)?
    /// Where the bytes may end that count: where it was told, or where its last piece ends.
    private var ends: Set<UInt64> = [0]
    private var done: [UInt32] = []
    private var problems: [String] = []

    private static let version = [("Tus-Resumable", "1.0.0")]

    init(_ name: String, tellsChecksums: Bool = false, _ supply: PowerCutSupply) {
        self.name = name
        self.tellsChecksums = tellsChecksums
        self.supply = supply
    }

    func act(on bench: DocrootBench, _ random: inout RandomStream) {
        let file = self.file ?? supply.newFile(&random)
        self.file = file
        if let connection, let reply = bench.reply(on: connection) {
            hear(reply, of: file)
        } else if let connection, let piece {
            let count = min(1 + random.below(4_000), piece.to - piece.from)
            bench.send(bytes(count, of: file, at: piece.from), on: connection)
            self.piece = piece.from + count < piece.to ? (piece.from + count, piece.to) : nil
        } else if connection == nil {
            ask(of: file, bench, &random)
        }
    }

    private func ask(of file: UInt32, _ bench: DocrootBench, _ random: inout RandomStream) {
        let connection = supply.newConnection()
        self.connection = connection
        guard let resource else {
            let object = Base64.encode(Array("\(name)/\(file)".utf8))
            let fields = [
                ("Upload-Length", "\(supply.length(of: file))"),
                ("Upload-Metadata", "filename \(object)"),
            ]
            return bench.begin("POST", "/tus", Self.version + fields, length: .zero, on: connection)
        }
        let end = min(offset + 1 + random.below(9_000), supply.length(of: file))
        var fields = [("Upload-Offset", "\(offset)"), ("Content-Type", TusRequest.contentType)]
        if tellsChecksums {
            let isWrong = random.below(8) == 0
            ends = isWrong ? [offset] : [offset, end]
            let sums = bytes(end - offset, of: file, at: isWrong ? offset + 1 : offset)
            fields.append(sum(of: sums))
        }
        bench.begin(
            "PATCH", resource, Self.version + fields, length: ByteCount(end - offset),
            on: connection)
        piece = (offset, end)
    }

    private func hear(_ reply: DocrootBench.Reply, of file: UInt32) {
        connection = nil
        piece = nil
        switch reply.status {
        case 201:
            resource = reply.head.fields["Location"]
            offset = 0
            ends = [0]
            if !supply.isNew(resource ?? "") { problems.append("\(resource ?? "") came twice") }
        case 204: hear(offset: reply.head.fields["Upload-Offset"], of: file)
        case 460 where !ends.contains { $0 > offset }: break
        default: problems.append("\(resource ?? name): \(reply.status)")
        }
    }

    private func hear(offset text: String?, of file: UInt32) {
        offset = text.flatMap { UInt64($0) } ?? 0
        if tellsChecksums, !ends.contains(offset) {
            problems.append("\(name)/\(file) has \(offset), which nobody has looked at")
        }
        ends = [offset]
        guard offset == supply.length(of: file) else { return }
        done.append(file)
        self.file = nil
        resource = nil
    }

    func look(at bench: DocrootBench) -> [String] {
        connection = nil
        piece = nil
        defer { problems = [] }
        if let resource, let file {
            let reply = bench.ask("HEAD", resource, Self.version, on: supply.newConnection())
            let before = offset
            if reply?.status == 200 {
                hear(offset: reply?.head.fields["Upload-Offset"], of: file)
            }
            if reply?.status != 200 || (self.file != nil && offset < before) {
                problems.append("\(resource) had \(before), has \(offset): \(reply?.status ?? 0)")
            }
        } else {
            // Nobody has told its place.
            file = nil
        }
        for file in done {
            let (ranges, wrong) = supply.read("/dav/\(name)/\(file)", on: bench)
            problems += wrong
            if ranges.map({ supply.isWhole($0, file) }) != true {
                problems.append("\(name)/\(file) is \(ranges.map { "\($0)" } ?? "gone")")
            }
        }
        done = done.suffix(3)
        return problems
    }
}
