import Device
import Quantities
import RunPlan

extension ScheduledEntry {
    /// The entry in plain words; those with a number of its own are drawn anew for each seed.
    var sentence: String {
        switch occasion {
        case .at(let time): "At \(time) \(action.sentence)."
        case .every(let period, let window):
            "Every \(period) from \(window.from) to \(window.to) \(action.sentence)."
        case .byChance(let count, let window):
            "At \(count) moment\(count == 1 ? "" : "s") between \(window.from) and "
                + "\(window.to), drawn from the seed, \(action.sentence)."
        case .about(let mean, let window):
            "About every \(mean) from \(window.from) to \(window.to), drawn from the seed, "
                + "\(action.sentence)."
        case .when(let condition, let delay, .first):
            "When it first comes to “\(condition.words)”\(delay.later), \(action.sentence)."
        case .when(let condition, let delay, .each), .when(let condition, let delay, .whenever):
            "Whenever it comes to “\(condition.words)”\(delay.later), \(action.sentence)."
        }
    }

    /// What the seed has made of it; `nil` where it is the same for all seeds.
    func drawn(number: Int, seed: UInt64, limit: TimeSpan) -> String? {
        switch occasion {
        case .at, .every, .when: return nil
        case .byChance, .about: break
        }
        let times = entries(number: number, seed: seed, limit: limit).compactMap { entry in
            if case .at(let at) = entry.trigger { "\(at.sinceStart)" } else { nil }
        }
        let shown = times.prefix(20).joined(separator: ", ")
        let more = times.count > 20 ? " and \(times.count - 20) times more" : ""
        guard !times.isEmpty else {
            return "With this seed it never happens that \(action.sentence)."
        }
        return "With this seed \(action.sentence) at \(shown)\(more)."
    }
}

extension TimeSpan {
    fileprivate var later: String { self == .zero ? "" : ", \(self) later" }
}

extension TimelineEntry.Action {
    fileprivate var sentence: String {
        switch self {
        case .killApp: "the app is killed"
        case .launchApp: "the app is launched"
        case .device(let event, let device):
            event.sentence + (device == 0 ? "" : " (phone \(device + 1))")
        case .switchFault(let name, let isOn):
            "the fault “\(name)” is switched \(isOn ? "on" : "off")"
        case .network(let input, let device):
            (input.words ?? "nothing happens") + (device == 0 ? "" : " (phone \(device + 1))")
        case .heal(let healing):
            "everything that was broken is whole again, and all has to end within "
                + "\(healing.within)"
        case .changeFile(let change): change.sentence
        }
    }
}
