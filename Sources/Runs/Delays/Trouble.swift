import Device
import DocrootServer
import LinkModels
import RunPlan
import Scenario

/// Something in a plan that can cost time and be taken away: a fault, an outage, an event of an
/// app's life, a pause, another setting, what the links do to packets, or the traffic of others.
struct Trouble: Sendable {
    let words: String
    /// The entries of the scenario's timeline that belong to it.
    var entries: Set<Int> = []
    /// Takes away what is not in the timeline.
    var change: @Sendable (inout RunPlan) -> Void = { _ in }

    /// Returns all troubles of a scenario, in the order of its keys.
    static func all(of scenario: Scenario) -> [Trouble] {
        links(of: scenario) + names(of: scenario) + traffic(of: scenario)
            + faults(of: scenario)
            + events(of: scenario)
    }

    private static func names(of scenario: Scenario) -> [Trouble] {
        guard scenario.namePlan != nil else { return [] }
        return [
            Trouble(words: "questions for the server's addresses", change: { $0.names = nil })
        ]
    }

    /// Takes troubles of a scenario away from its plan.
    static func remove(
        _ troubles: [Trouble], of scenario: Scenario, from plan: inout RunPlan
    ) {
        let gone = troubles.reduce(into: Set<Int>()) { $0.formUnion($1.entries) }
        let numbers = scenario.entryNumbers(seed: plan.seed)
        plan.timeline = zip(plan.timeline, numbers).filter { !gone.contains($0.1) }.map(\.0)
        for trouble in troubles { trouble.change(&plan) }
    }

    private static func links(of scenario: Scenario) -> [Trouble] {
        let interfaces = scenario.interfaces + scenario.otherDevices.flatMap(\.interfaces)
        let links = interfaces.flatMap { [$0.uplink, $0.downlink] }
        let radios = interfaces.filter { $0.radio != nil }.map { interface in
            Trouble(
                words: "waits for the radio of \(interface.uplink.name)",
                change: { plan in
                    plan.changeInterfaces { other in
                        if other.uplink.name == interface.uplink.name { other.radio = nil }
                    }
                })
        }
        return radios
            + links.filter { !$0.filters.isEmpty }.map { link in
                Trouble(
                    words: "loss and disturbance of \(link.name)",
                    change: { plan in
                        plan.changeInterfaces { interface in
                            for way in [\InterfacePlan.uplink, \.downlink]
                            where interface[keyPath: way].name == link.name {
                                interface[keyPath: way].filters = []
                            }
                        }
                    })
            }
    }

    private static func traffic(of scenario: Scenario) -> [Trouble] {
        let others = scenario.crossTraffic.flows.contains { $0.name == nil }
        var troubles: [Trouble] = []
        if others || !scenario.crossTraffic.streams.isEmpty {
            troubles.append(
                Trouble(
                    words: "the traffic of others on the links",
                    change: { plan in
                        plan.crossTraffic.streams = []
                        plan.crossTraffic.flows.removeAll { $0.name == nil }
                    }))
        }
        return troubles
            + scenario.crossTraffic.flows.compactMap(\.name).map { name in
                Trouble(
                    words: "flow “\(name)”",
                    change: { plan in plan.crossTraffic.flows.removeAll { $0.name == name } })
            }
    }

    private static func faults(of scenario: Scenario) -> [Trouble] {
        scenario.faults.map { rule in
            let switches = scenario.timeline.indices.filter { place in
                if case .switchFault(rule.name, _) = scenario.timeline[place].action {
                    true
                } else {
                    false
                }
            }
            return Trouble(
                words: "fault “\(rule.name)”", entries: Set(switches),
                change: { plan in plan.faults.removeAll { $0.name == rule.name } })
        }
    }

    /// Returns the entries of the timeline that break something or hold it back, each with what
    /// ends that.
    private static func events(of scenario: Scenario) -> [Trouble] {
        scenario.timeline.enumerated().compactMap { place, entry in
            // A fault is a trouble of its own.
            if case .switchFault = entry.action { return nil }
            guard entry.action.breaks || entry.action.holdsBack else { return nil }
            let repair = scenario.timeline[(place + 1)...]
                .firstIndex { $0.action.repairs(entry.action) }
            let sentence = entry.sentence(in: scenario)
            let words = sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
            return Trouble(
                words: words.prefix(1).lowercased() + words.dropFirst(),
                entries: Set([place] + [repair].compactMap(\.self)))
        }
    }
}

extension RunPlan {
    /// Changes the interfaces of all phones.
    fileprivate mutating func changeInterfaces(_ change: (inout InterfacePlan) -> Void) {
        for place in interfaces.indices { change(&interfaces[place]) }
        for phone in otherDevices.indices {
            for place in otherDevices[phone].interfaces.indices {
                change(&otherDevices[phone].interfaces[place])
            }
        }
    }
}

extension TimelineEntry.Action {
    /// Whether the user or the app holds transfers back, or changes how they go on.
    fileprivate var holdsBack: Bool {
        switch self {
        case .asks(.stop), .asks(.change), .asks(.item(.pause, _)), .asks(.item(.suspend, _)),
            .asks(.item(.stop, _)), .device(.lowPower(true), _),
            .device(.charger(isConnected: false), _):
            true
        default: false
        }
    }

    /// Whether this action makes no sense without an earlier one: a launch without the kill.
    fileprivate func repairs(_ trouble: TimelineEntry.Action) -> Bool {
        switch (trouble, self) {
        case (.killApp, .launchApp), (.killApp, .device(.appOpened, _)): true
        case (.asks(.stop), .asks(.start)): true
        case (.asks(.item(.pause, let item)), .asks(.item(.resume, let other))),
            (.asks(.item(.suspend, let item)), .asks(.item(.resume, let other))):
            item == other
        case (.device(.lowPower(true), let phone), .device(.lowPower(false), let other)),
            (
                .device(.charger(isConnected: false), let phone),
                .device(.charger(isConnected: true), let other)
            ):
            phone == other
        case (.device(.powerLost, let phone), .device(.powerBack, let other)): phone == other
        case (.device(let event, let phone), .device(.appOpened(let app), let other)):
            phone == other && event.ends(app)
        case (.device(let event, 0), .launchApp): event.ends(0)
        default: false
        }
    }
}

extension DeviceEvent {
    /// Whether the event ends the process of an app.
    fileprivate func ends(_ app: Int) -> Bool {
        switch self {
        case .forceQuit(let ended), .crash(let ended), .kill(let ended), .dataCleared(let ended),
            .updated(let ended):
            ended == app
        case .reboot, .powerLost: true
        default: false
        }
    }
}
