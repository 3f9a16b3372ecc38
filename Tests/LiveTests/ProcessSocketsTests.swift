import Quantities
import Testing
import TransferEngine

@testable import Live

/// Connections to somebody who takes all that comes.
@Suite struct ProcessSocketsTests {
    private struct TooLate: Error {}

    @Test func `connections share their uplink, and the first one leaves the next its part`() throws
    {
        let clock = RunClock()
        var loop = try EventLoop()
        let listener = try TCPListener()
        try loop.watch(listener.descriptor.number, as: .init(kind: .listener), for: .readable)
        var sockets = ProcessSockets(
            NetworkStanding(interfaces: [.init(number: 0, bitsPerSecond: 8_000_000)]),
            at: clock.now)
        let ids = [ConnectionID(1), ConnectionID(2)]
        let size = 300_000
        for id in ids {
            let account = Account(
                host: TCPListener.host, port: listener.port, credentials: CredentialHandle(""))
            try sockets.connect(id, to: account, from: "", on: loop)
            sockets.write([.bytes([UInt8](repeating: 0, count: size))], to: id)
        }
        var taken: [ConnectionID: ByteCount] = [:]
        var sinks: [Sink] = []
        while !taken.values.contains(ByteCount(UInt64(size))) {
            guard clock.now < .start + .seconds(20) else { throw TooLate() }
            let deadline = sockets.deadline(at: clock.now) ?? clock.now + .milliseconds(5)
            for ready in try loop.wait(until: deadline, by: clock) {
                if ready.source.kind == .listener {
                    while let stream = try listener.accept() { sinks.append(Sink(stream)) }
                } else {
                    try sockets.serve(ready, on: loop)
                }
            }
            for sink in sinks { sink.drain() }
            try sockets.sendWhatMay(by: clock, on: loop)
            for case .taken(let id, let count) in sockets.takeNews() { taken[id] = count }
        }
        let least = ids.map { taken[$0]?.bytes ?? 0 }.min()
        #expect(try #require(least) > UInt64(size) * 3 / 4)
    }

    private final class Sink {
        private let stream: TCPStream

        init(_ stream: consuming TCPStream) { self.stream = stream }

        func drain() { while case .bytes = stream.receive() {} }
    }
}
