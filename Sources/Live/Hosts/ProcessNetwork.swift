import Quantities
import TransferEngine

/// A process's view of its phone's network, and the pace of each interface.
struct ProcessNetwork {
    private(set) var standing: NetworkStanding
    /// The pacers of each interface.
    private var pacers: [[Direction: Pacer]]

    enum Direction { case up, down }

    init(_ standing: NetworkStanding, at now: Instant) {
        self.standing = standing
        pacers = standing.interfaces.map { interface in
            let rates: [Direction: UInt64?] = [
                .up: interface.bitsPerSecond, .down: interface.downlinkBitsPerSecond,
            ]
            return rates.compactMapValues(\.self).mapValues {
                Pacer(rate: Bitrate(bitsPerSecond: $0), at: now)
            }
        }
    }

    mutating func take(_ standing: NetworkStanding) {
        precondition(standing.interfaces.map(\.number) == self.standing.interfaces.map(\.number))
        self.standing = standing
    }

    /// The interface for new connections, up or not.
    var route: NetworkStanding.Interface {
        standing.status?.interface.map { standing.interfaces[place(of: $0)] }
            ?? standing.interfaces[0]
    }

    func isUp(_ interface: UInt16) -> Bool { standing.interfaces[place(of: interface)].isUp }

    subscript(interface: UInt16) -> NetworkStanding.Interface {
        standing.interfaces[place(of: interface)]
    }

    func allowance(_ direction: Direction, over interface: UInt16, at now: Instant) -> Int {
        pacers[place(of: interface)][direction]?.allowance(at: now) ?? .max
    }

    mutating func spend(
        _ count: Int, _ direction: Direction, over interface: UInt16, at now: Instant
    ) {
        pacers[place(of: interface)][direction]?.spend(count, at: now)
    }

    func nextAllowance(
        _ direction: Direction, over interface: UInt16, at now: Instant
    ) -> Instant {
        pacers[place(of: interface)][direction]?.nextAllowance(at: now) ?? now
    }

    private func place(of interface: UInt16) -> Int {
        guard let place = standing.interfaces.firstIndex(where: { $0.number == interface }) else {
            preconditionFailure("the phone has no interface \(interface)")
        }
        return place
    }
}
