import Quantities
import TransferEngine

/// The view that a process has of its phone's ways into the network, and the pace of each.
struct ProcessNetwork {
    private(set) var standing: NetworkStanding
    private var pacers: [Pacer]

    init(_ standing: NetworkStanding, at now: Instant) {
        self.standing = standing
        pacers = standing.interfaces.map {
            Pacer(rate: Bitrate(bitsPerSecond: $0.bitsPerSecond), at: now)
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

    func allowance(over interface: UInt16, at now: Instant) -> Int {
        pacers[place(of: interface)].allowance(at: now)
    }

    mutating func spend(_ count: Int, over interface: UInt16, at now: Instant) {
        pacers[place(of: interface)].spend(count, at: now)
    }

    func nextAllowance(over interface: UInt16, at now: Instant) -> Instant {
        pacers[place(of: interface)].nextAllowance(at: now)
    }

    private func place(of interface: UInt16) -> Int {
        guard let place = standing.interfaces.firstIndex(where: { $0.number == interface }) else {
            preconditionFailure("the phone has no interface \(interface)")
        }
        return place
    }
}
