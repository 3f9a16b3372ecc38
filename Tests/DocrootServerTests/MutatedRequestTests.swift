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

    @Test(arguments: [UInt64(1), 2, 3]) func `requests broken at random are answered or ended`(
        seed: UInt64
    ) throws {
        var random = RandomStream(seed: seed, name: "requests")
        let end = Self.seconds.map { Date(timeIntervalSinceNow: $0 / 3) }
        var statuses: Set<Int> = []
        var rounds = 0
        while end.map({ Date() < $0 }) ?? (rounds < 90) {
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
            let requests = FuzzTarget.requests
            var bytes = Array(requests[Int(random.below(UInt64(requests.count)))].utf8)
            if random.below(2) == 0 { Self.mutate(&bytes, &random) }
            while !bytes.isEmpty {
                let count = min(bytes.count, 1 + Int(random.below(200)))
                bench.send([.bytes(Array(bytes[..<count]))], on: connection)
                bytes.removeFirst(count)
            }
        }
    }

    static func mutate(_ bytes: inout [UInt8], _ random: inout RandomStream) {
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
