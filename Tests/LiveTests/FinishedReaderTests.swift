import Foundation
import RunLog
import Testing

@testable import Live

/// Most readers close as soon as they have all; the log must not say then that they went away.
@Suite struct FinishedReaderTests {
    /// More than one piece, so that the end of a piece brings the next.
    private static let size = 3_000_000

    @Test func `who leaves with the last byte has read to the end`() throws {
        let bench = try ServerBench()
        let client = try asking(bench)
        // Nobody but the client acts between the last byte and the end.
        try bench.turn {
            while bench.hasHeard(client.heard.count + 1, on: client) {}
            return client.heard.count > Self.size
        }
        bench.leave(client)
        try bench.turn { !bench.takeEnds().isEmpty }
        #expect(!bench.serverFacts.contains { $0.isBrokenReading })
    }

    @Test func `who leaves before has not`() throws {
        let bench = try ServerBench()
        let client = try asking(bench)
        try bench.turn { bench.hasHeard(1, on: client) }
        bench.leave(client)
        try bench.turn { !bench.takeEnds().isEmpty }
        #expect(bench.serverFacts.contains { $0.isBrokenReading })
    }

    private func asking(_ bench: ServerBench) throws -> ServerBench.Client {
        let place = bench.place(of: "a.bin")
        try FileManager.default.createDirectory(
            at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(count: Self.size).write(to: place)
        let client = try bench.connect()
        try bench.send(
            Array("GET /dav/a.bin HTTP/1.1\r\nHost: docroot\r\n\r\n".utf8), on: client)
        return client
    }
}

extension ServerFact {
    fileprivate var isBrokenReading: Bool {
        if case .readingBroken = self { true } else { false }
    }
}
