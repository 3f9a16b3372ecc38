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
        case .network(let input, let device):
            (input.words ?? "nothing happens") + scenario.whom(nil, on: device)
        case .heal(let healing):
            "everything that was broken is whole again, and all has to end within "
                + "\(healing.within)"
        case .changeFile(let change): change.sentence
        case .asks(.addPath(let session, let path)):
            "the user adds \(scenario.path(path, ofSession: session)) to session \(session)"
        case .asks(let command): command.sentence
        }
    }
}

extension AppPlan.Command {
    fileprivate var sentence: String {
        switch self {
        case .start: "the user starts the queue"
        case .stop: "the user stops the queue"
        case .doNotStart: "nothing happens"
        case .item(.begin, let item) where item.facade == .queue: "the user adds \(item)"
        case .item(let step, let item) where item.facade == .queue:
            "the user wants to \(step.rawValue) \(item)"
        case .item(let step, let item): "\(item) is \(item.facade.participle(of: step))"
        case .save(let number): "the user saves session \(number)"
        case .deleteAccount(let name): "the user deletes the account “\(name)”"
        case .move(let number, let index): "the user moves session \(number) to index \(index)"
        case .change(let number, let change):
            "the user wants session \(number) \(change.words)"
        case .addPath: preconditionFailure("it says the name of its file, and is told beside this")
        case .emptyLists: "the app empties the lists of operations that have ended"
        }
    }
}

extension Scenario {
    /// The sessions of all apps.
    private var allSessions: [PlannedSession] {
        apps.flatMap(\.sessions)
    }

    fileprivate func path(_ path: Int?, ofSession number: Int) -> String {
        allSessions[number - 1].words(forPath: path)
    }

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
