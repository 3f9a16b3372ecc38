import Quantities
import TransferEngine

/// The view that a process has of its phone's ways into the network, and the pace of each.
struct ProcessNetwork {
    private(set) var standing: NetworkStanding
    private var uplinks: [Pacer]
    private var downlinks: [Pacer?]

    /// Which way bytes go.
    enum Direction { case up, down }

    init(_ standing: NetworkStanding, at now: Instant) {
        self.standing = standing
        uplinks = standing.interfaces.map {
            Pacer(rate: Bitrate(bitsPerSecond: $0.bitsPerSecond), at: now)
        }
        downlinks = standing.interfaces.map { interface in
            interface.downlinkBitsPerSecond.map {
                Pacer(rate: Bitrate(bitsPerSecond: $0), at: now)
            }
        }
    }

    mutating func take(_ standing: NetworkStanding) {
        precondition(standing.interfaces.map(\.number) == self.standing.interfaces.map(\.number))
        self.standing = standing
    }

    /// Over which connections are opened, be it there or not.
    var route: NetworkStanding.Interface {
        standing.status?.interface.map { standing.interfaces[place(of: $0)] }
            ?? standing.interfaces[0]
    }

    func isUp(_ interface: UInt16) -> Bool { standing.interfaces[place(of: interface)].isUp }

    subscript(interface: UInt16) -> NetworkStanding.Interface {
        standing.interfaces[place(of: interface)]
    }

    func allowance(_ direction: Direction, over interface: UInt16, at now: Instant) -> Int {
        pacer(direction, of: interface)?.allowance(at: now) ?? .max
    }

    mutating func spend(
        _ count: Int, _ direction: Direction, over interface: UInt16, at now: Instant
    ) {
        switch direction {
        case .up: uplinks[place(of: interface)].spend(count, at: now)
        case .down: downlinks[place(of: interface)]?.spend(count, at: now)
        }
    }

    func nextAllowance(
        _ direction: Direction, over interface: UInt16, at now: Instant
    ) -> Instant {
        pacer(direction, of: interface)?.nextAllowance(at: now) ?? now
    }

    private func pacer(_ direction: Direction, of interface: UInt16) -> Pacer? {
        switch direction {
        case .up: uplinks[place(of: interface)]
        case .down: downlinks[place(of: interface)]
        }
    }

    private func place(of interface: UInt16) -> Int {
        guard let place = standing.interfaces.firstIndex(where: { $0.number == interface }) else {
            preconditionFailure("the phone has no interface \(interface)")
        }
        return place
    }
}
