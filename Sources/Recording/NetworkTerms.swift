package import Device
package import RunLog
package import TransferEngine

extension NetworkPath {
    /// With the numbers that a run gives to interfaces: a phone's machine counts its own from 0.
    package func numbered(from first: Int) -> NetworkPath {
        var path = self
        path.interface = interface.map { first + $0 }
        path.alive = alive.map { first + $0 }
        return path
    }
}

/// What a phone's network machine decides, as its engines are told of it.
extension NetworkStatus {
    package init(_ path: NetworkPath) {
        self.init(
            interface: path.interface.map { UInt16($0) }, isCellular: path.kind == .cellular,
            isMetered: path.isMetered, isLowData: path.isLowData,
            alive: path.alive.map { UInt16($0) })
    }
}

/// The same, and what its interfaces are, in the words of the log; both worlds use them.
extension PathTerms {
    package init(_ path: NetworkPath) {
        self.init(
            interface: path.interface.map { UInt16($0) }, name: path.kind?.words,
            isMetered: path.isMetered, isLowData: path.isLowData,
            alive: path.alive.map { UInt16($0) })
    }
}

extension InterfaceTerms {
    /// `address` is an IPv4 address as a number.
    package init(_ kind: InterfaceKind, address: UInt32, uplink: UInt16, downlink: UInt16) {
        let bytes = (0..<4).map { "\(address >> UInt32(24 - 8 * $0) & 0xff)" }
        self.init(
            name: kind.words, isCellular: kind == .cellular, uplink: uplink, downlink: downlink,
            address: bytes.joined(separator: "."), radio: RadioPower(kind).map { RadioTerms($0) })
    }
}

extension RadioTerms {
    fileprivate init(_ power: RadioPower) {
        self.init(
            source: power.source, promotion: power.promotion,
            promotionPower: power.promotionPower, activePower: power.activePower,
            pause: power.pause, tail: power.tail, tailPower: power.tailPower,
            idlePower: power.idlePower, millijoulesPerMegabitUp: power.millijoulesPerMegabitUp,
            millijoulesPerMegabitDown: power.millijoulesPerMegabitDown)
    }
}
