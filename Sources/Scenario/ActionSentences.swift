import Device
import Quantities
import RunPlan
import TransferEngine

extension ScheduledEntry {
    /// The entry in plain words. Entries with their own numbers are drawn again for each seed.
    package func sentence(in scenario: Scenario) -> String {
        let deed = action.sentence(in: scenario)
        return switch occasion {
        case .at(let time): "At \(time) \(deed)."
        case .every(let period, let window):
            "Every \(period) from \(window.from) to \(window.to) \(deed)."
        case .byChance(let count, let window):
            "At \(count) moment\(count == 1 ? "" : "s") between \(window.from) and "
                + "\(window.to), drawn from the seed, \(deed)."
        case .about(let mean, let window):
            "About every \(mean) from \(window.from) to \(window.to), drawn from the seed, "
                + "\(deed)."
        case .when(let condition, let delay, .first):
            "When it first comes to “\(condition.words)”\(delay.later), \(deed)."
        case .when(let condition, let delay, .number):
            "When it comes to “\(condition.words)”\(delay.later), \(deed)."
        case .when(let condition, let delay, .each), .when(let condition, let delay, .whenever):
            "Whenever it comes to “\(condition.words)”\(delay.later), \(deed)."
        }
    }

    /// The moments drawn from the seed; `nil` if all seeds have the same.
    func drawn(number: Int, seed: UInt64, in scenario: Scenario) -> String? {
        switch occasion {
        case .at, .every, .when: return nil
        case .byChance, .about: break
        }
        let times = entries(number: number, seed: seed, limit: scenario.limit).compactMap { entry in
            if case .at(let at) = entry.trigger { "\(at.sinceStart)" } else { nil }
        }
        let shown = times.prefix(20).joined(separator: ", ")
        let more = times.count > 20 ? " and \(times.count - 20) times more" : ""
        guard !times.isEmpty else {
            return "With this seed it never happens that \(action.sentence(in: scenario))."
        }
        return "With this seed \(action.sentence(in: scenario)) at \(shown)\(more)."
    }
}

extension TimeSpan {
    fileprivate var later: String { self == .zero ? "" : ", \(self) later" }
}

extension TimelineEntry.Action {
    fileprivate func sentence(in scenario: Scenario) -> String {
        switch self {
        case .killApp: "the app is killed"
        case .launchApp: "the app is launched"
        case .device(let event, let device):
            event.words + scenario.whom(event.app, on: device)
        case .switchFault(let name, let isOn):
            "the fault “\(name)” is switched \(isOn ? "on" : "off")"
        case .visit(let name): "another client makes the visit “\(name)”"
        case .network(let input, let device):
            (input.words ?? "nothing happens") + scenario.whom(nil, on: device)
        case .heal(let healing):
            "everything that was broken is whole again, and all has to end within "
                + "\(healing.within)"
        case .changeFile(let change): change.sentence
        case .asks(let command): command.sentence(among: scenario.apps.flatMap(\.sessions))
        }
    }
}

extension AppPlan.Command {
    fileprivate func sentence(among sessions: [PlannedSession]) -> String {
        switch self {
        case .item(let step, let item) where item.facade != .queue:
            "\(item) is \(item.facade.participle(of: step))"
        case .emptyLists, .listen, .invalidate, .demarcate: "the app \(deed(sessions))"
        case .start, .doNotStart, .stop, .item, .save, .deleteAccount, .move, .insert, .change,
            .shorten, .addPath, .signIn:
            "the user \(deed(sessions))"
        }
    }
}

extension Scenario {
    /// The app or phone in brackets, such as ` (“drawing”)`; empty for the first ones. Apps are
    /// counted on their phone, from 0.
    fileprivate func whom(_ app: Int?, on phone: Int) -> String {
        let name =
            switch (app, phone) {
            case (nil, 0), (0?, 0): String?.none
            case (let app?, 0): device.apps[app].name
            case (let app?, _): otherDevices[phone - 1].plan.apps[app].name
            case (nil, _): otherDevices[phone - 1].name
            }
        return name.map { " (“\($0)”)" } ?? ""
    }
}
