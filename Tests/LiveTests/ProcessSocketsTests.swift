import Content
import Quantities
import Testing
import TransferEngine
import TransferHost

@testable import Live

/// Connections to somebody who takes all that comes.
@Suite struct ProcessSocketsTests {
    private struct TooLate: Error {}

    @Test func `connections share their uplink, and the first one leaves the next its part`() throws
    {
        let bench = try Bench(downlink: nil)
        for id in bench.ids {
            bench.sockets.write([.bytes([UInt8](repeating: 0, count: Bench.size))], to: id)
        }
        let taken = try bench.play { news in
            if case .taken(let id, let count) = news { (id, .total(count.bytes)) } else { nil }
        }
        #expect(try #require(taken.values.min()) > UInt64(Bench.size) * 3 / 4)
    }

    @Test func `and so they do with their downlink, whose rate holds`() throws {
        let bench = try Bench(downlink: 8_000_000)
        bench.peersSend = Bench.size
        let received = try bench.play { news in
            if case .received(let id, let segments) = news {
                (id, .more(segments.reduce(0) { $0 + $1.length.bytes }))
            } else {
                nil
            }
        }
        #expect(try #require(received.values.min()) > UInt64(Bench.size) * 3 / 4)
        let bytes = Double(received.values.reduce(0, +))
        #expect(bench.clock.now.sinceStart.seconds > bytes / 1_000_000 - 0.1)
    }

    @Test func `a connection that nobody heard of tells where it came from when it is given up`()
        throws
    {
        let bench = try Bench(downlink: nil)
        try bench.loseNetwork()
        let given = bench.sockets.takeNews().compactMap { news -> UInt16? in
            if case .abandoned(_, let own) = news { own.port } else { nil }
        }
        // The kernel has finished the handshakes, and the connections wait to be accepted.
        #expect(try Set(bench.acceptAll()) == Set(given))
        #expect(given.count == 2)
    }

    /// Two connections on one link of 8 Mbit/s.
    private final class Bench {
        let clock = MachineClock()
        let ids = [ConnectionID(1), ConnectionID(2)]
        var sockets: ProcessSockets
        /// Sends this many bytes to each connection.
        var peersSend = 0
        private var loop: EventLoop
        private let listener: TCPListener
        private var peers: [Peer] = []

        static let size = 300_000

        enum Step {
            case total(UInt64)
            case more(UInt64)
        }

        init(downlink: UInt64?) throws {
            loop = try EventLoop()
            listener = try TCPListener()
            try loop.watch(listener.descriptor.number, as: .init(kind: .listener), for: .readable)
            let interface = NetworkStanding.Interface(
                number: 0, bitsPerSecond: 8_000_000, downlinkBitsPerSecond: downlink)
            sockets = ProcessSockets(NetworkStanding(interfaces: [interface]), at: clock.now)
            let account = Account(
                host: TCPListener.host, port: listener.port, credentials: CredentialHandle(""))
            for id in ids { try sockets.connect(id, to: account, from: "", on: loop) }
        }

        func loseNetwork() throws {
            let gone = NetworkStanding(
                interfaces: [.init(number: 0, isUp: false, bitsPerSecond: 8_000_000)])
            try sockets.obey(NetworkOrder(acts: [.end(0)], standing: gone), on: loop)
        }

        /// Accepts whoever waits. Returns their ports.
        func acceptAll() throws -> [UInt16?] {
            var ports: [UInt16?] = []
            while let stream = try listener.accept() {
                ports.append(stream.peer?.port)
                peers.append(Peer(stream, sends: 0))
            }
            return ports
        }

        /// Waits until one of them ends. Returns how far each is.
        func play(_ step: (SocketNews) -> (ConnectionID, Step)?) throws -> [ConnectionID: UInt64] {
            var far = Dictionary(uniqueKeysWithValues: ids.map { ($0, UInt64(0)) })
            while !far.values.contains(UInt64(Self.size)) {
                guard clock.now < .start + .seconds(20) else { throw TooLate() }
                let patience = clock.now + .milliseconds(2)
                let deadline = min(sockets.deadline(at: clock.now) ?? patience, patience)
                for ready in try loop.wait(until: deadline, by: clock) {
                    if ready.source.kind == .listener {
                        while let stream = try listener.accept() {
                            peers.append(Peer(stream, sends: peersSend))
                        }
                    } else {
                        try sockets.serve(ready, on: loop)
                    }
                }
                for peer in peers { peer.goOn() }
                try sockets.moveWhatMay(by: clock, on: loop)
                for (id, step) in sockets.takeNews().compactMap(step) {
                    switch step {
                    case .total(let count): far[id] = count
                    case .more(let count): far[id, default: 0] += count
                    }
                }
            }
            return far
        }
    }

    /// Takes all that comes, and sends what it has.
    private final class Peer {
        private let stream: TCPStream
        private var rest: [UInt8]

        init(_ stream: consuming TCPStream, sends count: Int) {
            self.stream = stream
            rest = [UInt8](repeating: 0, count: count)
        }

        func goOn() {
            while case .bytes = stream.receive() {}
            guard !rest.isEmpty else { return }
            if case .taken(let count) = rest.withUnsafeBytes({ stream.send($0) }) {
                rest.removeFirst(count)
            }
        }
    }
}
