package import Device
import DocrootServer
package import Quantities
package import RunLog
package import TransferEngine

/// Writes the changes of a phone's network to the log, in both worlds. A phone counts its
/// interfaces from 0; the log counts them through all phones.
package struct NetworkRecorder: Sendable {
    /// The phone; `nil` is the first one.
    private let device: UInt16?
    /// The phone's apps, by their numbers in the log.
    private let apps: [UInt16]
    private let firstInterface: Int

    /// Makes a recorder; devices, apps and interfaces are counted from 0.
    package init(device: Int, apps: Range<Int>, firstInterface: Int) {
        self.device = RunNames.number(ofPlace: device)
        self.apps = apps.map { UInt16($0 + 1) }
        self.firstInterface = firstInterface
    }

    /// Records an interface by its place on the phone; `address` is an IPv4 address.
    package func record(
        interface place: Int, _ kind: InterfaceKind, power: RadioPower?, address: UInt32,
        uplink: UInt16, downlink: UInt16, at now: Instant, into log: inout RunLogSink
    ) {
        let terms = InterfaceTerms(
            name: kind.words, isCellular: kind == .cellular, uplink: uplink, downlink: downlink,
            address: "\(ClientAddress(address))", radio: power.map { RadioTerms($0) })
        let number = UInt16(firstInterface + place)
        log.record(.network(.interface(number, terms, device: device)), at: now)
    }

    /// Records an input of the network if it has words.
    package func record(
        _ input: DeviceNetwork.Input, at now: Instant, into log: inout RunLogSink
    ) {
        guard let words = input.words else { return }
        log.record(.network(.happens(words, device: device)), at: now)
    }

    /// Records the path that all apps of the phone are told, or only those at some places.
    package func record(
        _ path: NetworkPath, toApps places: [Int]? = nil, at now: Instant,
        into log: inout RunLogSink
    ) {
        guard places?.isEmpty != true else { return }
        let status = status(of: path)
        var terms = PathTerms(
            interface: status.interface, name: path.kind?.words, isMetered: path.isMetered,
            isLowData: path.isLowData, alive: status.alive)
        if let places {
            terms.apps = places.map { apps[$0] }
        } else if device != nil {
            terms.apps = apps
        }
        log.record(.network(.path(terms, device: device)), at: now)
    }

    package func status(of path: NetworkPath) -> NetworkStatus {
        NetworkStatus(
            interface: path.interface.map { UInt16(firstInterface + $0) },
            isCellular: path.kind == .cellular, isMetered: path.isMetered,
            isLowData: path.isLowData, alive: path.alive.map { UInt16(firstInterface + $0) })
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
