import Content
import Protocols
import Quantities

@testable import DocrootServer

/// What the server makes of bytes from anybody. Each target traps if something is wrong, as a
/// fuzzer wants it; `./lab test --long fuzz-http` and its like look for such bytes.
enum FuzzTarget: String, CaseIterable {
    /// A stream of requests.
    case http
    /// Fields of tus, a line each.
    case tus
    /// Range, If-Range and Content-Range, a line each.
    case range
    /// Packets and reports of the paced transport.
    case paced

    func run(_ input: [UInt8]) {
        switch self {
        case .http: Self.talk(input)
        case .tus: Self.upload(Lines(input))
        case .range: Self.read(Lines(input))
        case .paced: PacedTalk.run(input)
        }
    }

    /// Bytes between line ends; what is missing is empty.
    private struct Lines {
        private let lines: [ArraySlice<UInt8>]

        init(_ input: [UInt8]) {
            lines = input.split(
                separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        }

        /// A field with this line for its value; none for an empty one.
        func field(_ name: String, _ index: Int) -> [UInt8] {
            guard index < lines.count, !lines[index].isEmpty else { return [] }
            return Array("\(name): ".utf8) + lines[index] + Array("\r\n".utf8)
        }
    }

    private static let settings = ServerSettings(
        uploadLifetime: .seconds(100), bodyLimit: ByteCount(1_000),
        patience: Patience(request: .seconds(10), progress: .seconds(20)))

    private static func request(_ line: String, _ fields: [UInt8], body: [UInt8] = []) -> [UInt8] {
        Array("\(line) HTTP/1.1\r\nHost: h\r\nContent-Length: \(body.count)\r\n".utf8) + fields
            + Array("\r\n".utf8) + body
    }

    // MARK: Targets

    /// The same bytes in other pieces are the same requests, and nothing is left of the client.
    private static func talk(_ input: [UInt8]) {
        var seed: UInt64 = 14_695_981_039_346_656_037
        for byte in input { seed = (seed ^ UInt64(byte)) &* 1_099_511_628_211 }
        var random = RandomStream(seed: seed, name: "pieces")
        let whole = DocrootBench(settings)
        let pieces = DocrootBench(settings)
        for bench in [whole, pieces] {
            bench.ask("PUT", "/dav/a", body: bytes(100), on: 1)
            bench.connect(2)
        }
        whole.send([.bytes(input)], on: 2)
        var rest = input[...]
        while !rest.isEmpty {
            let count = 1 + Int(random.below(UInt64(min(rest.count, 40))))
            pieces.send([.bytes(Array(rest.prefix(count)))], on: 2)
            rest = rest.dropFirst(count)
        }
        let answers = [whole, pieces].map { $0.raw(on: 2) }
        precondition(answers[0] == answers[1], "in pieces: \(answers[1])\nwhole: \(answers[0])")
        precondition(
            whole.notes == pieces.notes, "in pieces: \(pieces.notes)\nwhole: \(whole.notes)")
        for bench in [whole, pieces] {
            bench.leave(2)
            precondition(bench.server.exchanges.count == 1, "the client is still there")
            precondition(bench.server.uploads.values.allSatisfy { $0.writer == nil }, "it writes")
        }
    }

    private static func upload(_ lines: Lines) {
        let bench = DocrootBench(settings)
        let tus = [("Tus-Resumable", "1.0.0")]
        let creation = [("Upload-Length", "100"), ("Upload-Metadata", "filename YQ==")]
        bench.ask("POST", "/tus", tus + creation)
        let common = lines.field("Tus-Resumable", 0)
        let ten = [UInt8](repeating: 7, count: 10)
        let append =
            common + lines.field("Upload-Offset", 1) + lines.field("Upload-Checksum", 2)
            + lines.field("Content-Type", 3)
        let appended = answer(to: request("PATCH /tus/1", append, body: ten), of: bench, on: 2)
        let offset = bench.ask("HEAD", "/tus/1", tus, on: 3)?.head.fields["Upload-Offset"]
        precondition(
            offset == (appended?.status == 204 ? "10" : "0"),
            "\(appended?.status ?? 0), and the offset is \(offset ?? "none")")
        let create =
            common + lines.field("Upload-Length", 4) + lines.field("Upload-Metadata", 5)
            + lines.field("Upload-Concat", 6) + lines.field("Upload-Defer-Length", 7)
        for (index, body) in [[], ten].enumerated() {
            let fields =
                create + (body.isEmpty ? [] : append)
            answer(to: request("POST /tus", fields, body: body), of: bench, on: 4 + UInt32(index))
        }
        answer(to: request("DELETE /tus/1", common), of: bench, on: 6)
        answer(to: request("OPTIONS /tus", common), of: bench, on: 7)
        precondition(bench.server.uploads.count <= 3, "more uploads than were asked for")
    }

    private static func read(_ lines: Lines) {
        let bench = DocrootBench(settings)
        bench.ask("PUT", "/dav/a", body: bytes(900))
        let fields = lines.field("Range", 0) + lines.field("If-Range", 1)
        if let reply = answer(to: request("GET /dav/a", fields), of: bench, on: 2) {
            check(reply)
        }
        let chunks = "/api/apps/a/buckets/b/objects/o/body/uploads"
        bench.ask("POST", chunks, on: 3)
        let ten = [UInt8](repeating: 7, count: 10)
        let chunk = request(
            "PUT \(chunks)/2/data", lines.field("Content-Range", 2), body: ten)
        answer(to: chunk, of: bench, on: 4)
        let staged = bench.staged(UploadID(2))
        precondition(staged == .zero || staged == ByteCount(10), "\(staged) of a chunk of ten")
    }

    /// What came back says of itself what it is.
    private static func check(_ reply: DocrootBench.Reply) {
        let told = reply.head.fields["Content-Range"]
        switch reply.status {
        case 200: precondition(reply.ranges == [whole], "200 with \(reply.ranges)")
        case 206 where reply.head.fields["Content-Type"]?.hasPrefix("multipart/") != true:
            let range = reply.ranges.first ?? whole
            let right = "bytes \(range.offset.bytes)-\(range.end.bytes - 1)/900"
            precondition(
                told == right && reply.ranges.count == 1, "\(reply.ranges) as \(told ?? "nothing")")
        case 206:
            precondition(reply.ranges.allSatisfy { $0.end <= whole.end }, "\(reply.ranges)")
        case 416: precondition(told == "bytes */900", "416 with \(told ?? "nothing")")
        default: precondition(reply.ranges.isEmpty, "\(reply.status) with a body")
        }
    }

    private static let whole = {
        guard case .content(let range) = bytes(900)[0] else { preconditionFailure("no content") }
        return range
    }()

    /// No mistake of a client is a mistake of the server.
    @discardableResult
    private static func answer(
        to request: [UInt8], of bench: DocrootBench, on connection: UInt32
    ) -> DocrootBench.Reply? {
        bench.connect(connection)
        bench.send([.bytes(request)], on: connection)
        let reply = bench.reply(on: connection)
        let status = reply?.status ?? 200
        precondition(status < 500 || status == 501 || status == 505, "answered with \(status)")
        bench.leave(connection)
        return reply
    }
}
