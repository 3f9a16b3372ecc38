import Device
import Quantities
import Recording
import RunLog
import RunPlan
import TransferEngine

/// A phone's ways into the virtual network: carries out what its network machine decides.
struct PhoneNetwork: Sendable {
    private var machine: DeviceNetwork
    private let interfaces: [InterfacePlan]
    /// The number of the first of them among those of all phones; the machine counts from 0.
    private let first: Int
    /// Counted from 0.
    private let phone: Int
    /// Those on the phone, by the numbers of the run.
    private let apps: [UInt16]
    private var outputs: [DeviceNetwork.Output] = []
    private(set) var nextDeadline: Instant?

    init(
        _ interfaces: [InterfacePlan], from first: Int, of phone: Int, apps: [UInt16],
        settings: DeviceNetwork.Settings
    ) {
        self.interfaces = interfaces
        self.first = first
        self.phone = phone
        self.apps = apps
        machine = DeviceNetwork(interfaces.map(\.kind), settings)
    }

    /// What an app is told of the network when it is launched.
    var status: NetworkStatus { NetworkStatus(machine.path.numbered(from: first)) }

    /// Announces the interfaces.
    mutating func begin(in surroundings: inout AppSurroundings) {
        for (number, interface) in zip(first..., interfaces) {
            let terms = InterfaceTerms(
                interface.kind, address: PacketTap.address(of: number),
                uplink: UInt16(NetworkHost.client.link(of: number)),
                downlink: UInt16(NetworkHost.server.link(of: number)))
            surroundings.network.log.record(
                .network(.interface(UInt16(number), terms, device: name)),
                at: surroundings.network.now)
        }
        _ = take(.begins, in: &surroundings)
    }

    /// Something happens to it; answers what the app has to be told, if anything.
    mutating func take(
        _ input: DeviceNetwork.Input, in surroundings: inout AppSurroundings
    ) -> NetworkStatus? {
        let now = surroundings.network.now
        if let words = input.words {
            surroundings.network.log.record(
                .network(.happens(words, device: name)), at: now)
        }
        nextDeadline = machine.handle(input, at: now, into: &outputs)
        defer { outputs.removeAll(keepingCapacity: true) }
        var told: NetworkStatus?
        for output in outputs {
            if case .tell(let path) = output {
                let path = path.numbered(from: first)
                var terms = PathTerms(path)
                if name != nil { terms.apps = apps }
                surroundings.network.log.record(
                    .network(.path(terms, device: name)), at: now)
                surroundings.routes[phone] = path.interface
                told = NetworkStatus(path)
            } else {
                carryOut(output, in: &surroundings)
            }
        }
        return told
    }

    private func carryOut(
        _ output: DeviceNetwork.Output, in surroundings: inout AppSurroundings
    ) {
        switch output {
        case .take(let interface, let down, let moved):
            surroundings.network.transport.take(
                first + interface, down: down, hasMoved: moved)
        case .endConnections(let interface):
            for handle in surroundings.streams.handles
            where surroundings.network.transport.interface(of: handle) == first + interface {
                surroundings.network.transport.lose(handle)
            }
        case .cutWays(let interface, let resets):
            surroundings.network.transport.cutWays(
                of: first + interface, WayCut(answer: resets ? .reset : .none))
        case .portal(let interface, let isThere, let dropsOthers):
            surroundings.network.transport.makeCaptive(
                first + interface, isThere, dropsOthers: dropsOthers)
        case .tell: break
        }
    }

    /// What the log calls the phone.
    private var name: UInt16? { phone == 0 ? nil : UInt16(phone + 1) }
}
