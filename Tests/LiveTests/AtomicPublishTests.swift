import Content
import DocrootServer
import Foundation
import Protocols
import Quantities
import RunLog
import Synchronization
import Testing
import TransferHost

@testable import Live

@Suite struct AtomicPublishTests {
    @Test func `a reader who never stops looking sees whole versions only`() throws {
        let versions = (1...6).map { FileVersion(file: $0, edit: 0) }
        let size = ByteCount(400_000)
        let bench = try ServerBench(versions: versions)
        let contents = versions.map {
            Data(DeterministicBytes.bytes(of: ContentRange($0, offset: .zero, length: size)))
        }
        let poll = Poll(of: bench.place(of: "film"), among: contents)
        let client = try bench.connect()
        for (index, content) in contents.enumerated() {
            _ = try bench.ask(
                .create(collection: DocrootServer.collection, object: "film", length: size),
                on: client)
            let append = TusRequest.append(
                resource: "/tus/\(index + 1)", at: .zero, length: size)
            #expect(try bench.ask(append, Array(content), on: client).status == 204)
            // Not so fast that nobody could look in between.
            try bench.turn { poll.seen.contains(index) }
        }
        let seen = poll.end()
        #expect(seen == Array(contents.indices))
    }
}

/// Reads a file over and over on a thread of its own.
private final class Poll: Sendable {
    private struct State {
        var seen: [Int] = []
        var isOver = false
    }

    private let state = Mutex(State())
    private let done = DispatchSemaphore(value: 0)

    /// Reads one of these contents; notes anything else as −1.
    init(of place: URL, among contents: [Data]) {
        Thread.detachNewThread { [self] in
            while !state.withLock({ $0.isOver }) {
                guard let found = try? Data(contentsOf: place) else { continue }
                let index = contents.firstIndex(of: found) ?? -1
                state.withLock { if $0.seen.last != index { $0.seen.append(index) } }
            }
            done.signal()
        }
    }

    var seen: [Int] { state.withLock { $0.seen } }

    func end() -> [Int] {
        state.withLock { $0.isOver = true }
        done.wait()
        return seen
    }
}
