package import Quantities

/// A device's interfaces: which exist, which one is used, and what happens to connections on the
/// others (B13).
///
/// Sans-I/O: drive it by `handle(_:at:into:)` alone. The first input is `.begins`. The result is
/// the next moment at which the device wants `.wake`.
package struct DeviceNetwork: Sendable {
    private var interfaces: [Interface]
    private let settings: Settings
    private var isAirplaneModeOn = false
    private var isPowered = true
    private var isLowDataModeOn = false
    /// Whether only apps in front have the network.
    package private(set) var isSavingBattery = false
    /// The doze cycle; outside its windows, apps have no network.
    private var doze: DozeCycle?
    /// The latest path that the apps were told.
    package private(set) var path = NetworkPath.none
    /// The moment at which another interface is ready after a loss.
    private var readyAt: Instant?
    /// The outputs of the input that is being handled; empty between two inputs.
    private var outputs: [Output] = []

    private struct Interface {
        let kind: InterfaceKind
        var state = InterfaceState.usable
        /// Whether there is a network to join.
        var hasSignal = true
        /// Whether the interface gets another address when it is next up.
        var hasMoved = false
        var isMetered: Bool
        var portal: Portal?
        /// The moment at which connections on this unused interface end.
        var lingersUntil: Instant?
    }

    private struct Portal { var dropsOthers: Bool, answersPage: Bool }

    package struct Settings: Hashable, Sendable {
        /// The time to join a network, or to change to another interface after a loss.
        package var gap: TimeSpan
        /// The time that connections continue on an interface after another one is chosen: 30 s in
        /// Android (`DEFAULT_LINGER_DELAY_MS`).
        package var linger: TimeSpan
        /// Whether connections on a lost interface end at once, as on Android and iOS; otherwise
        /// they go silent.
        package var endsConnections: Bool

        package init(
            gap: TimeSpan = .milliseconds(500), linger: TimeSpan = .seconds(30),
            endsConnections: Bool = true
        ) {
            self.gap = gap
            self.linger = linger
            self.endsConnections = endsConnections
        }
    }

    package enum Input: Hashable, Sendable {
        case begins
        case lost(InterfaceKind?)
        /// An interface is back; `moved` means on another network.
        case found(InterfaceKind?, moved: Bool)
        /// The interface fades away while another one takes over.
        case fades(InterfaceKind)
        case airplaneMode(Bool)
        /// The device is switched off, or has started.
        case power(on: Bool)
        case portalComes(dropsOthers: Bool, answersPage: Bool = false)
        case login
        /// A NAT on the way forgets its mappings.
        case mappingsForgotten(resets: Bool)
        case wifiMetered(Bool)
        case lowDataMode(Bool)
        /// An Android phone begins or ends its doze.
        case doze(Bool)
        /// An Android phone saves its battery, or no longer does so.
        case batterySaver(Bool)
        /// Everything is repaired.
        case heals
        case wake
    }

    package enum Output: Hashable, Sendable {
        case take(Int, down: Bool, moved: Bool)
        case endConnections(Int)
        case cutWays(Int, resets: Bool)
        /// A portal is there or not; it redirects its visitors, or answers with a page.
        case portal(Int, Bool, dropsOthers: Bool, answersPage: Bool)
        case tell(NetworkPath)
    }

    /// The time that a device takes to notice a captive portal.
    package static let probeInterval = TimeSpan.seconds(10)

    package init(_ kinds: [InterfaceKind], _ settings: Settings) {
        interfaces = kinds.map { Interface(kind: $0, isMetered: $0 == .cellular) }
        self.settings = settings
    }

    package mutating func handle(
        _ input: Input, at now: Instant, into earlier: inout [Output]
    ) -> Instant? {
        swap(&outputs, &earlier)
        defer { swap(&outputs, &earlier) }
        let before = interfaces.map { ($0.state, carries: carries($0)) }
        switch input {
        case .begins, .wake: break
        case .lost(let kind): lose(kind)
        case .found(let kind, let moved): find(kind, moved: moved, at: now)
        case .fades(let kind):
            move(kind, .fades(until: now + settings.linger)) { $0.hasSignal = false }
        case .airplaneMode(let isOn):
            isAirplaneModeOn = isOn
            switchRadios(at: now)
        case .power(let isOn):
            isPowered = isOn
            doze = nil
            switchRadios(at: now)
        case .portalComes(let dropsOthers, let answersPage):
            move(.wifi, .portalComes(noticed: now + Self.probeInterval)) {
                $0.portal = Portal(dropsOthers: dropsOthers, answersPage: answersPage)
            }
            tellPortals(cutting: true)
        case .login:
            move(.wifi, .login) { $0.portal = nil }
            tellPortals(cutting: false)
        case .mappingsForgotten(let resets):
            for place in interfaces.indices { outputs.append(.cutWays(place, resets: resets)) }
        case .wifiMetered(let isMetered): change(.wifi) { $0.isMetered = isMetered }
        case .lowDataMode(let isOn): isLowDataModeOn = isOn
        case .doze(let begins): doze = begins ? doze ?? DozeCycle(at: now) : nil
        case .batterySaver(let isOn): isSavingBattery = isOn
        case .heals: heal(at: now)
        }
        passTime(at: now)
        doze?.pass(to: now)
        carryOut(from: before)
        choose(at: now)
        endLingering(at: now)
        return nextDeadline
    }

    // MARK: What happens to interfaces

    private mutating func lose(_ kind: InterfaceKind?) {
        for place in interfaces.indices where kind == nil || interfaces[place].kind == kind {
            interfaces[place].hasSignal = false
            interfaces[place].state = interfaces[place].state.after(.lost)
        }
    }

    private mutating func find(_ kind: InterfaceKind?, moved: Bool, at now: Instant) {
        for place in interfaces.indices where kind == nil || interfaces[place].kind == kind {
            interfaces[place].hasSignal = true
            // Cellular gives a new address each time.
            if moved || interfaces[place].kind == .cellular { interfaces[place].hasMoved = true }
            if hasRadio { join(place, at: now) }
        }
    }

    private mutating func heal(at now: Instant) {
        isAirplaneModeOn = false
        isLowDataModeOn = false
        isSavingBattery = false
        doze = nil
        move(.wifi, .login) {
            $0.portal = nil
            $0.isMetered = false
        }
        tellPortals(cutting: false)
        find(nil, moved: false, at: now)
    }

    private mutating func join(_ place: Int, at now: Instant) {
        interfaces[place].state = interfaces[place].state.after(.found(joined: now + settings.gap))
    }

    package var isDozing: Bool { doze != nil }

    /// The path of what runs behind: apps that are not in front, and the system's own transfers.
    package var pathBehind: NetworkPath { isSavingBattery ? .none : path }

    private var isAsleep: Bool { doze?.isAsleep ?? false }

    private func carries(_ interface: Interface) -> Bool { interface.state.isUp && !isAsleep }

    private var hasRadio: Bool { isPowered && !isAirplaneModeOn }

    private mutating func switchRadios(at now: Instant) {
        for place in interfaces.indices {
            if !hasRadio {
                interfaces[place].state = interfaces[place].state.after(.lost)
                if interfaces[place].kind == .cellular { interfaces[place].hasMoved = true }
            } else if interfaces[place].hasSignal {
                join(place, at: now)
            }
        }
    }

    private mutating func move(
        _ kind: InterfaceKind, _ event: InterfaceState.Event, _ change: (inout Interface) -> Void
    ) {
        self.change(kind) { interface in
            change(&interface)
            interface.state = interface.state.after(event)
        }
    }

    private mutating func change(_ kind: InterfaceKind, _ change: (inout Interface) -> Void) {
        for place in interfaces.indices where interfaces[place].kind == kind {
            change(&interfaces[place])
        }
    }

    private mutating func passTime(at now: Instant) {
        for place in interfaces.indices {
            let interface = interfaces[place]
            guard let deadline = interface.state.deadline, deadline <= now else { continue }
            interfaces[place].state = interface.state.after(
                .deadline(behindPortal: interface.portal != nil))
        }
    }

    private mutating func tellPortals(cutting: Bool) {
        for (place, interface) in interfaces.enumerated() where interface.kind == .wifi {
            outputs.append(
                .portal(
                    place, interface.portal != nil,
                    dropsOthers: interface.portal?.dropsOthers ?? false,
                    answersPage: interface.portal?.answersPage ?? false))
            if cutting { outputs.append(.cutWays(place, resets: false)) }
        }
    }

    // MARK: What follows from it

    private mutating func carryOut(from before: [(InterfaceState, carries: Bool)]) {
        for (place, (old, carried)) in before.enumerated() {
            let carries = carries(interfaces[place])
            if carries != carried {
                let moved = carries && interfaces[place].hasMoved
                outputs.append(.take(place, down: !carries, moved: moved))
                if carries { interfaces[place].hasMoved = false }
            }
            if old.isUp, !interfaces[place].state.isUp {
                endConnections(of: place)
            }
        }
        for (place, (old, _)) in before.enumerated()
        where interfaces[place].state == .captive && old.isOffered {
            endConnections(of: place)
        }
    }

    private mutating func endConnections(of place: Int) {
        interfaces[place].lingersUntil = nil
        if settings.endsConnections { outputs.append(.endConnections(place)) }
    }

    /// Chooses Wi-Fi if it is there, or else another interface. If the current interface was lost,
    /// there is a delay.
    private mutating func choose(at now: Instant) {
        let offered = interfaces.indices.filter { interfaces[$0].state.isOffered && !isAsleep }
        let best = offered.min { interfaces[$0].kind.rank < interfaces[$1].kind.rank }
        let current = path.interface
        let isLoss = current.map { !interfaces[$0].state.isUp } ?? false
        if best != nil, isLoss { readyAt = now + settings.gap }
        let isReady = readyAt.map { $0 <= now } ?? true
        if isReady { readyAt = nil }
        let chosen = isReady ? best : nil
        if let current, !isAsleep, interfaces[current].state.mayLinger {
            interfaces[current].lingersUntil = now + settings.linger
        }
        if let chosen { interfaces[chosen].lingersUntil = nil }
        tell(chosen)
    }

    private mutating func tell(_ chosen: Int?) {
        let alive = interfaces.indices.filter { place in
            place == chosen || (interfaces[place].lingersUntil != nil)
        }
        let next = NetworkPath(
            interface: chosen, kind: chosen.map { interfaces[$0].kind }, alive: alive,
            isMetered: chosen.map { interfaces[$0].isMetered } ?? false,
            isLowData: isLowDataModeOn)
        guard next != path else { return }
        path = next
        outputs.append(.tell(next))
    }

    /// Ends connections on interfaces that have lingered long enough.
    private mutating func endLingering(at now: Instant) {
        for place in interfaces.indices {
            guard let end = interfaces[place].lingersUntil, end <= now else { continue }
            interfaces[place].lingersUntil = nil
            outputs.append(.endConnections(place))
            path.alive.removeAll { $0 == place }
        }
    }

    private var nextDeadline: Instant? {
        let moments = interfaces.flatMap { [$0.state.deadline, $0.lingersUntil] }.compactMap(\.self)
        return (moments + [readyAt, doze?.until].compactMap(\.self)).min()
    }
}
