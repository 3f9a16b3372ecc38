import Quantities
import RunLog

/// What is wrong at a moment of the run: faults that are on, outages, and apps that do not run.
struct TroubleBook {
    private var open: [(key: String, trouble: BreachCause.Reason)] = []
    /// The event that is read.
    private var index = 0

    /// The troubles in order of their beginning.
    var troubles: [BreachCause.Reason] { open.map(\.trouble) }

    mutating func read(_ event: RunEvent, index: Int, _ names: RunNames) {
        self.index = index
        switch event.fact {
        case .server(let fact): read(fact, at: event.at)
        case .link(.down(let link)):
            begin("link \(link)", "link \(link) is down", at: event.at)
        case .link(.up(let link)): end("link \(link)")
        case .network(.path(let path, let device)):
            let phone = "network \(device ?? 0) "
            // What all apps of the first phone are told ends what single ones were told.
            if path.apps == nil { open.removeAll { $0.key.hasPrefix(phone) && $0.key != phone } }
            let key = phone + (path.apps?.map { "\($0)" }.joined(separator: " ") ?? "")
            if path.interface == nil {
                begin(key, event.sentence(names), at: event.at)
            } else {
                end(key)
            }
        case .device(let fact): read(fact, of: event, names)
        default: break
        }
    }

    private mutating func read(_ fact: ServerFact, at now: Instant) {
        switch fact {
        case .faultSwitched(let name, true):
            begin("fault \(name)", "fault “\(name)” is on", at: now)
        case .faultSwitched(let name, false): end("fault \(name)")
        case .fault(let name, _, _, _, let effect):
            if let place = open.firstIndex(where: { $0.key == "fault \(name)" }) {
                open[place].trouble.words =
                    "fault “\(name)” is on; latest effect, at \(now): \(effect)"
                return
            }
            // A fault without a switch is known by its last effect.
            end("effect \(name)")
            begin("effect \(name)", "fault “\(name)” took effect: \(effect)", at: now)
        default: break
        }
    }

    private mutating func read(_ fact: DeviceFact, of event: RunEvent, _ names: RunNames) {
        let app = "app \(event.app ?? 1)"
        switch fact {
        case .appKilled, .appCrashed:
            end(app)
            begin(app, event.sentence(names), at: event.at)
        case .appLaunched: end(app)
        case .appEntered(_, let stage, _):
            end(app)
            if stage == .suspended || stage == .background {
                begin(app, event.sentence(names), at: event.at)
            }
        case .lowPower(let isOn, let device):
            turn("low power \(device ?? 0)", isOn, event.sentence(names), at: event.at)
        case .call(let isOn, let device):
            turn("call \(device ?? 0)", isOn, event.sentence(names), at: event.at)
        case .disk(let step, let device):
            let key = "\(Self.subject(of: step)) \(device ?? 0)"
            let isTrouble = [.full, .writesFail, .readsFail].contains(step)
            turn(key, isTrouble, event.sentence(names), at: event.at)
        default: break
        }
    }

    private static func subject(of step: DiskStep) -> String {
        switch step {
        case .full, .hasSpace: "disk space"
        case .writesFail, .writesWork: "disk writes"
        case .readsFail, .readsWork: "disk reads"
        }
    }

    private mutating func turn(
        _ key: String, _ isOn: Bool, _ words: String, at now: Instant
    ) {
        end(key)
        if isOn { begin(key, words, at: now) }
    }

    private mutating func begin(_ key: String, _ words: String, at now: Instant) {
        guard !open.contains(where: { $0.key == key }) else { return }
        open.append((key, BreachCause.Reason(event: index, at: now, words: words)))
    }

    private mutating func end(_ key: String) { open.removeAll { $0.key == key } }
}
