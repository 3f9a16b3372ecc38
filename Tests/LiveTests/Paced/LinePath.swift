import Protocols
import Quantities
import TransferHost

/// Two ends of a session whose datagrams go through memory, with a clock that jumps to whatever is
/// next.
final class LinePath {
    var client: PacedLine
    var server: PacedLine
    private(set) var now = Instant.start + .seconds(1)
    private var random: RandomStream
    /// Datagrams on their way: when each arrives, its bytes, and whether it is for the server.
    private var onTheWay: [(at: Instant, bytes: [UInt8], isForServer: Bool)] = []
    /// The share of datagrams that is lost, is doubled, or comes late.
    var lost = 0.0
    var doubled = 0.0
    var late = 0.0
    var delay = TimeSpan.milliseconds(20)
    /// The share of datagrams of which a bit flips.
    var spoiled = 0.0
    private(set) var datagrams: [(bytes: [UInt8], isForServer: Bool)] = []
    var keepsDatagrams = false
    private(set) var refused = 0
    /// Whether a client has greeted its server before.
    var isOpen = false

    static let keys = PacedKeys(
        authorization: "Basic YWRhOmVuZ2luZQ==", client: PacedNonce(identity: 1, count: 2),
        server: PacedNonce(identity: 3, count: 4))

    init(
        _ settings: PacedSettings = PacedSettings(), seed: UInt64 = 1,
        clientKeys: PacedKeys = keys, overIPv6: Bool = false
    ) {
        random = RandomStream(seed: seed, name: "path")
        client = PacedLine(
            clientKeys, session: 7, at: .client, settings, overIPv6: overIPv6, at: now)
        server = PacedLine(Self.keys, session: 7, at: .server, settings, at: now)
    }

    /// Goes on until a condition holds; returns whether it came to hold within so many seconds.
    func run(for seconds: Int64 = 60, until holds: () -> Bool = { false }) -> Bool {
        let end = now + .seconds(seconds)
        while !holds() {
            exchange()
            var next = client.deadline
            next.advance(to: server.deadline)
            for datagram in onTheWay { next.advance(to: datagram.at) }
            guard let next, next <= end else {
                now = end
                return holds()
            }
            now = max(now, next)
        }
        return true
    }

    /// Delivers a datagram to one end now.
    func deliver(_ bytes: [UInt8], toServer isForServer: Bool) {
        var bytes = bytes
        bytes.withUnsafeMutableBytes { datagram in
            guard let head = PacedHead(UnsafeRawBufferPointer(datagram)),
                isForServer
                    ? server.take(head, datagram, at: now) : client.take(head, datagram, at: now)
            else { return refused += 1 }
        }
    }

    private func exchange() {
        let due = onTheWay.filter { $0.at <= now }
        onTheWay.removeAll { $0.at <= now }
        for datagram in due { deliver(datagram.bytes, toServer: datagram.isForServer) }
        let (fromClient, fromServer) = (Outbox(), Outbox())
        client.send(into: fromClient) { now }
        server.send(into: fromServer) { now }
        for bytes in fromClient.datagrams { post(bytes, toServer: true) }
        for bytes in fromServer.datagrams { post(bytes, toServer: false) }
    }

    private func post(_ datagram: [UInt8], toServer: Bool) {
        if keepsDatagrams { datagrams.append((datagram, toServer)) }
        var bytes = datagram
        if happens(spoiled) {
            bytes[Int(random.below(UInt64(bytes.count)))] ^= 1 << UInt8(random.below(8))
        }
        guard !happens(lost) else { return }
        for _ in 0..<(happens(doubled) ? 2 : 1) {
            let extra = happens(late) ? TimeSpan.milliseconds(15) : .zero
            onTheWay.append((now + delay + extra, bytes, toServer))
        }
    }

    private func happens(_ share: Double) -> Bool {
        share > 0 && Double(random.below(1_000_000)) < share * 1e6
    }
}

/// Datagrams that leave one end.
final class Outbox: DatagramRoom {
    private(set) var datagrams: [[UInt8]] = []
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1_500, alignment: 16)

    deinit { buffer.deallocate() }

    func space(of count: Int) -> UnsafeMutableRawBufferPointer? {
        UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
    }

    func add(_ count: Int) { datagrams.append(Array(buffer[..<count])) }
}

extension PacedLine {
    /// Writes as much as there is room for; returns how much.
    mutating func write(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.withUnsafeBytes { write($0) }
    }
}
