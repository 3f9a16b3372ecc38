import Device
import DocrootServer
import LinkModels
import Quantities
import Recording
import RunLog
import RunPlan
import TransferEngine

/// The network of a live phone: turns the decisions of its network machine into orders to its apps.
struct LiveNetwork {
    /// `nil`: there is one interface, which is always up.
    private var machine: DeviceNetwork?
    private let recorder: NetworkRecorder
    private let phone: PhoneEntry
    private(set) var standing: NetworkStanding
    private(set) var deadline: Instant?
    /// How many networks each interface has joined.
    private var networks: [Int]
    private let portalPort: UInt16?
    /// Interfaces whose portal answers with a page instead of a redirect.
    private(set) var pagePortals: [UInt16] = []

    init(_ phone: PhoneEntry, portalPort: UInt16?) {
        self.phone = phone
        self.portalPort = portalPort
        recorder = NetworkRecorder(
            device: phone.number, apps: phone.apps, firstInterface: phone.firstInterface)
        machine = phone.network.map { DeviceNetwork(phone.interfaces.map(\.kind), $0) }
        networks = phone.interfaces.map { _ in 1 }
        // A single interface needs no address of its own.
        let isPlain = phone.network == nil && phone.number == 0
        standing = NetworkStanding(
            interfaces: phone.interfaces.enumerated().map { place, interface in
                let number = UInt16(phone.firstInterface + place)
                let address = LoopbackNetwork.address(ofInterface: number, inNetwork: 1)
                return NetworkStanding.Interface(
                    number: number, address: isPlain ? nil : "\(ClientAddress(address))",
                    bitsPerSecond: interface.uplink.bottleneck.rate.bitsPerSecond,
                    downlinkBitsPerSecond: interface.downlink.bottleneck.rate.bitsPerSecond)
            })
    }

    var isDozing: Bool { machine?.isDozing == true }
    var isSavingBattery: Bool { machine?.isSavingBattery == true }

    /// Announces the interfaces.
    mutating func begin(at now: Instant, into log: inout RunLogSink) {
        guard machine != nil else { return }
        for (place, interface) in phone.interfaces.enumerated() {
            let number = number(place)
            recorder.record(
                interface: place, interface.kind, power: interface.power,
                address: LoopbackNetwork.address(ofInterface: number, inNetwork: 1),
                uplink: 2 * number, downlink: 2 * number + 1, at: now, into: &log)
        }
        _ = take(.begins, at: now, into: &log)
    }

    /// Handles an input. Returns an order to the apps if there is one: to all of them, or to those
    /// at some places.
    mutating func take(
        _ input: DeviceNetwork.Input, for places: [Int]? = nil, at now: Instant,
        into log: inout RunLogSink
    ) -> NetworkOrder? {
        guard machine != nil else { return nil }
        recorder.record(input, at: now, into: &log)
        var outputs: [DeviceNetwork.Output] = []
        deadline = machine?.handle(input, at: now, into: &outputs)
        guard !outputs.isEmpty else { return nil }
        var acts: [NetworkOrder.Act] = []
        for output in outputs { carryOut(output, for: places, at: now, &acts, into: &log) }
        return NetworkOrder(acts: acts, standing: standing)
    }

    /// The state of the network for what runs behind: apps that are not in front, and the system's
    /// own transfers.
    var standingBehind: NetworkStanding {
        guard let machine, machine.isSavingBattery else { return standing }
        var standing = standing
        standing.status = recorder.status(of: machine.pathBehind)
        for place in standing.interfaces.indices { standing.interfaces[place].isUp = false }
        return standing
    }

    /// The order that follows from the battery saver for what runs behind.
    var orderBehind: NetworkOrder {
        NetworkOrder(
            acts: isSavingBattery ? standing.interfaces.map { .end($0.number) } : [],
            standing: standingBehind)
    }

    /// Records the path that the app at this place is told.
    func recordPath(
        ofApp place: Int, isBehind: Bool, at now: Instant, into log: inout RunLogSink
    ) {
        guard let machine else { return }
        let path = isBehind ? machine.pathBehind : machine.path
        recorder.record(path, toApps: [place], at: now, into: &log)
    }

    private mutating func carryOut(
        _ output: DeviceNetwork.Output, for places: [Int]?, at now: Instant,
        _ acts: inout [NetworkOrder.Act], into log: inout RunLogSink
    ) {
        switch output {
        case .take(let place, let down, let moved):
            if moved { acts.append(move(place)) }
            standing.interfaces[place].isUp = !down
            for link in [2 * number(place), 2 * number(place) + 1] {
                log.record(.link(down ? .down(link: link) : .up(link: link)), at: now)
            }
        case .endConnections(let place): acts.append(.end(number(place)))
        case .cutWays(let place, let resets):
            acts.append(.cut(number(place), answersByReset: resets))
        case .portal(let place, let isThere, _, let answersPage):
            standing.interfaces[place].portalPort = isThere ? portalPort : nil
            pagePortals = pagePortals.filter { $0 != number(place) }
            if answersPage { pagePortals.append(number(place)) }
        case .tell(let path):
            recorder.record(path, toApps: places, at: now, into: &log)
            standing.status = recorder.status(of: path)
        }
    }

    /// Joins another network: the address changes, and packets to the old address are lost.
    private mutating func move(_ place: Int) -> NetworkOrder.Act {
        networks[place] += 1
        let address = LoopbackNetwork.address(
            ofInterface: number(place), inNetwork: networks[place])
        standing.interfaces[place].address = "\(ClientAddress(address))"
        return .cut(number(place), answersByReset: false)
    }

    private func number(_ place: Int) -> UInt16 { UInt16(phone.firstInterface + place) }
}
