import Device
import LinkModels
import Quantities
import Recording
import RunLog
import RunPlan
import TransferEngine

/// A live phone's ways into the network: what its network machine decides, as orders to its apps.
struct LiveNetwork {
    /// `nil`: there is one way, which is always there.
    private var machine: DeviceNetwork?
    private let interfaces: [InterfacePlan]
    private(set) var standing: NetworkStanding
    private(set) var deadline: Instant?
    /// The number of the first of them among those of all phones; the machine counts from 0.
    private let first: UInt16
    /// What the log calls the phone; `nil` is the first.
    private let name: UInt16?
    /// Those on the phone, by the numbers of the run.
    private let apps: [UInt16]
    /// In how many networks each interface has been.
    private var networks: [Int]
    private let portalPort: UInt16?

    init(
        _ interfaces: [InterfacePlan], from first: UInt16, of phone: Int, apps: Range<Int>,
        _ settings: DeviceNetwork.Settings?, portalPort: UInt16?
    ) {
        self.interfaces = interfaces
        self.first = first
        name = phone == 0 ? nil : UInt16(phone + 1)
        self.apps = apps.map { UInt16($0 + 1) }
        self.portalPort = portalPort
        machine = settings.map { DeviceNetwork(interfaces.map(\.kind), $0) }
        networks = interfaces.map { _ in 1 }
        // Where there is nothing to be told apart, the system gives the address.
        let isPlain = settings == nil && first == 0
        standing = NetworkStanding(
            interfaces: zip(first..., interfaces).map { number, interface in
                let address = LoopbackNetwork.address(ofInterface: number, inNetwork: 1)
                return NetworkStanding.Interface(
                    number: number, address: isPlain ? nil : LoopbackNetwork.text(address),
                    bitsPerSecond: interface.uplink.bottleneck.rate.bitsPerSecond)
            })
    }

    /// Announces the interfaces.
    mutating func begin(at now: Instant, into log: inout RunLogSink) {
        guard machine != nil else { return }
        for (number, interface) in zip(first..., interfaces) {
            let terms = InterfaceTerms(
                interface.kind,
                address: LoopbackNetwork.address(ofInterface: number, inNetwork: 1),
                uplink: 2 * number, downlink: 2 * number + 1)
            log.record(.network(.interface(number, terms, device: name)), at: now)
        }
        _ = take(.begins, at: now, into: &log)
    }

    /// Something happens to it; what the apps have to do and to know, if anything.
    mutating func take(
        _ input: DeviceNetwork.Input, at now: Instant, into log: inout RunLogSink
    ) -> NetworkOrder? {
        guard machine != nil else { return nil }
        if let words = input.words {
            log.record(.network(.happens(words, device: name)), at: now)
        }
        var outputs: [DeviceNetwork.Output] = []
        deadline = machine?.handle(input, at: now, into: &outputs)
        guard !outputs.isEmpty else { return nil }
        var acts: [NetworkOrder.Act] = []
        for output in outputs { carryOut(output, at: now, &acts, into: &log) }
        return NetworkOrder(acts: acts, standing: standing)
    }

    private mutating func carryOut(
        _ output: DeviceNetwork.Output, at now: Instant, _ acts: inout [NetworkOrder.Act],
        into log: inout RunLogSink
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
        case .portal(let place, let isThere, _):
            standing.interfaces[place].portalPort = isThere ? portalPort : nil
        case .tell(let path):
            let path = path.numbered(from: Int(first))
            var terms = PathTerms(path)
            if name != nil { terms.apps = apps }
            log.record(.network(.path(terms, device: name)), at: now)
            standing.status = NetworkStatus(path)
        }
    }

    /// Another network gives another address, and what came from the former reaches nobody.
    private mutating func move(_ place: Int) -> NetworkOrder.Act {
        networks[place] += 1
        let address = LoopbackNetwork.address(
            ofInterface: number(place), inNetwork: networks[place])
        standing.interfaces[place].address = LoopbackNetwork.text(address)
        return .cut(number(place), answersByReset: false)
    }

    private func number(_ place: Int) -> UInt16 { first + UInt16(place) }
}
