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
    private var outputs: [DeviceNetwork.Output] = []
    private(set) var nextDeadline: Instant?

    init(_ interfaces: [InterfacePlan], _ settings: DeviceNetwork.Settings) {
        self.interfaces = interfaces
        machine = DeviceNetwork(interfaces.map(\.kind), settings)
    }

    /// What an app is told of the network when it is launched.
    var status: NetworkStatus { NetworkStatus(machine.path) }

    /// Announces the interfaces.
    mutating func begin(in surroundings: inout AppSurroundings) {
        for (number, interface) in interfaces.enumerated() {
            let terms = InterfaceTerms(
                interface.kind, address: PacketTap.address(of: number),
                uplink: UInt16(NetworkHost.client.link(of: number)),
                downlink: UInt16(NetworkHost.server.link(of: number)))
            surroundings.network.log.record(
                .network(.interface(UInt16(number), terms)), at: surroundings.network.now)
        }
        _ = take(.begins, in: &surroundings)
    }

    /// Something happens to it; answers what the app has to be told, if anything.
    mutating func take(
        _ input: DeviceNetwork.Input, in surroundings: inout AppSurroundings
    ) -> NetworkStatus? {
        let now = surroundings.network.now
        if let words = input.words {
            surroundings.network.log.record(.network(.happens(words)), at: now)
        }
        nextDeadline = machine.handle(input, at: now, into: &outputs)
        defer { outputs.removeAll(keepingCapacity: true) }
        var told: NetworkStatus?
        for output in outputs {
            if case .tell(let path) = output {
                surroundings.network.log.record(.network(.path(PathTerms(path))), at: now)
                surroundings.route = path.interface
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
            surroundings.network.transport.take(interface, down: down, hasMoved: moved)
        case .endConnections(let interface):
            for handle in surroundings.streams.handles
            where surroundings.network.transport.interface(of: handle) == interface {
                surroundings.network.transport.lose(handle)
            }
        case .cutWays(let interface, let resets):
            surroundings.network.transport.cutWays(
                of: interface, WayCut(answer: resets ? .reset : .none))
        case .portal(let interface, let isThere, let dropsOthers):
            surroundings.network.transport.makeCaptive(
                interface, isThere, dropsOthers: dropsOthers)
        case .tell: break
        }
    }
}
