import Content
import Foundation
import Protocols
import Quantities
import Testing

@testable import DocrootServer

/// Whatever bytes clients send, the server answers or hangs up, keeps little, and serves others.
@Suite struct MutatedRequestTests {
    /// `TRANSFERLAB_FUZZ=600` goes on for so many seconds.
    private static let seconds = ProcessInfo.processInfo.environment["TRANSFERLAB_FUZZ"]
        .flatMap(Double.init)

    private static let requests: [String] = [
        "GET /dav/a HTTP/1.1\r\nRange: bytes=0-3,5-,-2\r\nIf-Range: \"v1\"\r\n\r\n",
        "GET /dav/a HTTP/1.0\r\nIf-None-Match: \"v1\", W/\"v2\"\r\nConnection: keep-alive\r\n\r\n",
        "PUT /dav/a HTTP/1.1\r\nContent-Length: 5\r\nIf-Match: *\r\n\r\nhello",
        "PUT /dav/c HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nX: y\r\n\r\n",
        "PUT /dav/k HTTP/1.1\r\nIdempotency-Key: k\r\nContent-Length: 5\r\n\r\nhello",
        "PROPFIND /dav/ HTTP/1.1\r\nDepth: 1\r\nContent-Length: 90\r\n\r\n"
            + "<?xml version=\"1.0\"?>"
            + "<D:propfind xmlns:D=\"DAV:\"><D:prop><D:getetag/></D:prop></D:propfind>",
        "PROPPATCH /dav/a HTTP/1.1\r\nContent-Length: 114\r\n\r\n"
            + "<D:propertyupdate xmlns:D=\"DAV:\">"
            + "<D:set><D:prop><x:y xmlns:x=\"z\">&#65;</x:y></D:prop></D:set></D:propertyupdate>  ",
        "MKCOL /dav/f HTTP/1.1\r\n\r\n", "DELETE /dav/f HTTP/1.1\r\nDepth: infinity\r\n\r\n",
        "COPY /dav/a HTTP/1.1\r\nDestination: http://h/dav/b%20c\r\nOverwrite: T\r\n\r\n",
        "MOVE /dav/b%20c HTTP/1.1\r\nDestination: /dav/f/x\r\nDepth: infinity\r\n\r\n",
        "POST /tus HTTP/1.1\r\nTus-Resumable: 1.0.0\r\nUpload-Length: 5\r\n"
            + "Upload-Metadata: filename dHVz,x eQ==\r\n\r\n",
        "PATCH /tus/1 HTTP/1.1\r\nTus-Resumable: 1.0.0\r\nUpload-Offset: 0\r\nContent-Length: 2\r\n"
            + "Content-Type: application/offset+octet-stream\r\n"
            + "Upload-Checksum: sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=\r\n\r\nhe",
        "HEAD /tus/1 HTTP/1.1\r\nTus-Resumable: 1.0.0\r\n\r\n",
        "DELETE /tus/2 HTTP/1.1\r\nTus-Resumable: 1.0.0\r\n\r\n",
        "POST /upload/u HTTP/1.1\r\nUpload-Draft-Interop-Version: 6\r\nUpload-Complete: ?0\r\n"
            + "Upload-Length: 9\r\nContent-Length: 5\r\n\r\nhello",
        "PATCH /uploads/2 HTTP/1.1\r\nUpload-Draft-Interop-Version: 3\r\nUpload-Incomplete: ?0\r\n"
            + "Upload-Offset: 5\r\nContent-Length: 4\r\n\r\nmore",
        "HEAD /uploads/2 HTTP/1.1\r\nUpload-Draft-Interop-Version: 5\r\n\r\n",
        "POST /api/apps/a/buckets/b/objects/o/body/uploads HTTP/1.1\r\n\r\n",
        "PUT /api/apps/a/buckets/b/objects/o/body/uploads/3/data HTTP/1.1\r\n"
            + "Content-Range: bytes=0-4/5\r\nContent-Length: 5\r\n\r\nhello",
        "POST /api/apps/a/buckets/b/objects/o/body/uploads/3/status/committed HTTP/1.1\r\n\r\n",
        "POST /once/o HTTP/1.1\r\n\r\n",
        "PUT /once/o?user=&expires=900&signature=00 HTTP/1.1\r\nContent-Length: 1\r\n\r\nx",
        "OPTIONS * HTTP/1.1\r\nExpect: 100-continue\r\n\r\n",
    ]

    @Test(arguments: [UInt64(1), 2, 3]) func `requests broken at random are answered or ended`(
        seed: UInt64
    ) throws {
        var random = RandomStream(seed: seed, name: "requests")
        let end = Self.seconds.map { Date(timeIntervalSinceNow: $0 / 3) }
        var statuses: Set<Int> = []
        var rounds = 0
        while end.map({ Date() < $0 }) ?? (rounds < 60) {
            rounds += 1
            let bench = DocrootBench(
                ServerSettings(
                    uploadLifetime: .seconds(100), bodyLimit: ByteCount(1_000),
                    patience: Patience(request: .seconds(10), progress: .seconds(20))))
            for connection in UInt32(1)...20 {
                talk(to: bench, on: connection, &random)
                if let reply = bench.reply(on: connection) { statuses.insert(reply.status) }
                bench.wake(at: bench.now + .seconds(1))
            }
            for connection in UInt32(1)...20 { bench.leave(connection) }
            #expect(bench.ask("PUT", "/dav/last", body: bytes(10), on: 99)?.status == 201)
            #expect(bench.server.exchanges.count == 1, "seed \(seed), round \(rounds)")
            let writers = bench.server.uploads.values.filter { $0.writer != nil }
            #expect(writers.isEmpty, "seed \(seed), round \(rounds)")
        }
        // If all were refused, or none, this would prove nothing.
        #expect(statuses.isSuperset(of: [200, 201, 204, 207, 400, 404, 409]))
    }

    /// Some requests in a row, one of them broken, cut into pieces at any place.
    private func talk(
        to bench: DocrootBench, on connection: UInt32, _ random: inout RandomStream
    ) {
        bench.connect(connection)
        for _ in 0...random.below(6) {
            var bytes = Array(Self.requests[Int(random.below(UInt64(Self.requests.count)))].utf8)
            if random.below(2) == 0 { mutate(&bytes, &random) }
            while !bytes.isEmpty {
                let count = min(bytes.count, 1 + Int(random.below(200)))
                bench.send([.bytes(Array(bytes[..<count]))], on: connection)
                bytes.removeFirst(count)
            }
        }
    }

    private func mutate(_ bytes: inout [UInt8], _ random: inout RandomStream) {
        let spices = [
            "\r\n", "\r\n\r\n", ":", " ", "%", "%2e%2e/", "\"", ",", "-", "bytes=", "0", "?1", ";",
            "99999999999999999999", "/", "..", "\u{0}", "é", "*", "<", "&", "]]>", "\t", "#", "=",
        ]
        for _ in 0...random.below(3) where !bytes.isEmpty {
            let place = Int(random.below(UInt64(bytes.count)))
            let end = min(bytes.count, place + 1 + Int(random.below(12)))
            switch random.below(5) {
            case 0: bytes.removeSubrange(place..<end)
            case 1: bytes.insert(contentsOf: bytes[place..<end], at: place)
            case 2: bytes[place] = UInt8(random.below(256))
            case 3: bytes.swapAt(place, Int(random.below(UInt64(bytes.count))))
            default:
                let spice = spices[Int(random.below(UInt64(spices.count)))]
                bytes.insert(contentsOf: Array(spice.utf8), at: place)
            }
        }
    }
}
