import Device
import Quantities
import Recording
import RunLog
import RunPlan
import TransferEngine

/// Carries out the decisions of a phone's network machine.
struct PhoneNetwork: Sendable {
    private var machine: DeviceNetwork
    private let recorder: NetworkRecorder
    private let phone: PhoneEntry
    private var outputs: [DeviceNetwork.Output] = []
    private(set) var nextDeadline: Instant?

    /// Returns `nil` if the plan has no network events for this phone.
    init?(_ phone: PhoneEntry) {
        guard let settings = phone.network else { return nil }
        self.phone = phone
        recorder = NetworkRecorder(
            device: phone.number, apps: phone.apps, firstInterface: phone.firstInterface)
        machine = DeviceNetwork(phone.interfaces.map(\.kind), settings)
    }

    var isDozing: Bool { machine.isDozing }

    var isSavingBattery: Bool { machine.isSavingBattery }

    /// Network status for the system's own transfers.
    var statusBehind: NetworkStatus { recorder.status(of: machine.pathBehind) }

    /// Returns the network status of one app, and tells the log.
    func status(
        ofApp place: Int, isBehind: Bool, in environment: inout ProcessEnvironment
    ) -> NetworkStatus {
        let path = isBehind ? machine.pathBehind : machine.path
        recorder.record(
            path, toApps: [place], at: environment.network.now, into: &environment.network.log)
        return recorder.status(of: path)
    }

    mutating func begin(in environment: inout ProcessEnvironment) {
        for (place, interface) in phone.interfaces.enumerated() {
            let number = phone.firstInterface + place
            recorder.record(
                interface: place, interface.kind, power: interface.power,
                address: PacketTap.address(of: number),
                uplink: UInt16(NetworkHost.client.link(of: number)),
                downlink: UInt16(NetworkHost.server.link(of: number)),
                at: environment.network.now, into: &environment.network.log)
        }
        _ = take(.begins, in: &environment)
    }

    /// Feeds the machine an input. Returns the new status if the apps have to be told: all of them,
    /// or those at some places.
    mutating func take(
        _ input: DeviceNetwork.Input, for places: [Int]? = nil,
        in environment: inout ProcessEnvironment
    ) -> NetworkStatus? {
        let now = environment.network.now
        recorder.record(input, at: now, into: &environment.network.log)
        nextDeadline = machine.handle(input, at: now, into: &outputs)
        defer { outputs.removeAll(keepingCapacity: true) }
        var told: NetworkStatus?
        for output in outputs {
            if case .tell(let path) = output {
                recorder.record(
                    path, toApps: places, at: now, into: &environment.network.log)
                environment.routes[phone.number] = path.interface.map {
                    phone.firstInterface + $0
                }
                told = recorder.status(of: path)
            } else {
                carryOut(output, in: &environment)
            }
        }
        return told
    }

    private func carryOut(
        _ output: DeviceNetwork.Output, in environment: inout ProcessEnvironment
    ) {
        let first = phone.firstInterface
        switch output {
        case .take(let interface, let down, let moved):
            environment.network.transport.take(
                first + interface, down: down, hasMoved: moved)
        case .endConnections(let interface):
            for handle in environment.streams.handles
            where environment.network.transport.interface(of: handle) == first + interface {
                environment.network.transport.lose(handle)
            }
        case .cutWays(let interface, let resets):
            environment.network.transport.cutWays(
                of: first + interface, WayCut(answer: resets ? .reset : .none))
        case .portal(let interface, let isThere, let dropsOthers, let answersPage):
            environment.network.transport.makeCaptive(
                first + interface, isThere, dropsOthers: dropsOthers, answersPage: answersPage)
        case .tell: break
        }
    }
}
